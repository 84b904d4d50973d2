"""`python -m e2e [AGENT...] [--only TEXT] [--write] [--keep] [--pairs N]`: play the scenarios, print how they ended."""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path

import e2e
from e2e import (
    around,
    endings,
    faults,
    forgeries,
    forms,
    loop,
    mcp_verdicts,
    overhead,
    permissions,
    sessions,
    together,
)
from e2e._clis import CLIS, Cli
from e2e._page import Played, write
from e2e._stage import MARK, Stage, alive
from e2e.scenario import Result, Scenario

GROUPS = (loop, forms, permissions, faults, endings, sessions, together, around, mcp_verdicts, forgeries)
SCENARIOS: tuple[Scenario, ...] = tuple(scenario for group in GROUPS for scenario in group.SCENARIOS)
# Not in the folder for temporary files: a CLI may treat that one in a special way.
PLACE = Path("/var/tmp")


def play(cli: Cli, scenario: Scenario, *, keep: bool = False, place: Path = PLACE) -> Result:
    """One scenario on a stage of its own, and everything that must hold whatever the story was."""
    folder = Path(tempfile.mkdtemp(prefix=MARK, dir=place))
    stage, began = Stage(cli, folder), time.monotonic()
    try:
        said, held = scenario.play(stage), True
    except (AssertionError, LookupError, ValueError, OSError) as error:
        said, held = (
            f"{type(error).__name__}: {error}" if not isinstance(error, AssertionError) else str(error),
            False,
        )
    took_s = time.monotonic() - began
    left = stage.processes()
    for line in left:
        # By its number alone, and only what carries this stage's own mark.
        os.kill(int(line.partition(":")[0]), signal.SIGKILL)
    false_passes = 0 if scenario.may_pass else stage.passes()
    leaks, strays = stage.leaks(), stage.strays()
    held = held and not (left or false_passes or stage.elsewhere or leaks or strays)
    if held and not keep:
        shutil.rmtree(folder, ignore_errors=True)
    else:
        print(f"  kept: {folder}", flush=True)
    return Result(
        cli.name, scenario.name, held, said, took_s, left, false_passes, stage.elsewhere, leaks, strays
    )


def say(result: Result) -> None:
    how = "held" if result.held else "FELL"
    print(f"{result.agent}: {result.scenario}: {how} ({result.took_s:.1f} s): {result.said}", flush=True)
    for line in result.left:
        print(f"  left: {line}", flush=True)
    for host in sorted(set(result.elsewhere)):
        print(f"  wanted to go to {host}", flush=True)
    for path in result.leaks:
        print(f"  the key is in {path}", flush=True)
    for path in result.strays[:9]:
        print(f"  left in the home folder: {path}", flush=True)
    if result.false_passes:
        print(f"  false passes: {result.false_passes}", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(prog="e2e", description=e2e.__doc__)
    parser.add_argument("agents", nargs="*", metavar="AGENT", help=", ".join(cli.name for cli in CLIS))
    parser.add_argument("--only", default="", metavar="TEXT", help="scenarios with TEXT in their name")
    parser.add_argument("--pairs", type=int, default=overhead.PAIRS, help="calls compared for the CPU figure")
    parser.add_argument("--write", action="store_true", help="put the figures into docs/agents.md")
    parser.add_argument("--keep", action="store_true", help="keep every scenario's folder")
    given = parser.parse_args()
    versions = {cli.name: cli.version() for cli in CLIS}
    chosen = [cli for cli in CLIS if cli.name in given.agents or not given.agents]
    results, costs = [], []
    away: dict[str, list[str]] = {}
    for cli in chosen:
        if not versions[cli.name]:
            print(f"{cli.name}: not tested: it could not be installed", flush=True)
            continue
        for scenario in SCENARIOS:
            if given.only in scenario.name:
                results.append(play(cli, scenario, keep=given.keep))
                say(results[-1])
        if given.pairs and not given.only:
            costs.append(overhead.measure(cli, given.pairs, PLACE))
            print(costs[-1].line, flush=True)
            away[cli.name] = overhead.left_alone(cli, PLACE)
            print(
                f"{cli.name}: left alone it wants to go to: {', '.join(away[cli.name]) or 'nowhere'}",
                flush=True,
            )
    if given.write:
        write(Played(results, costs, versions, away))
    assert not alive(MARK), "something of a scenario still runs"
    return 0 if all(result.held for result in results) and all(versions[cli.name] for cli in chosen) else 1


if __name__ == "__main__":
    sys.exit(main())
