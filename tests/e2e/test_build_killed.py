"""`kill -9` at any side effect of `burnish build`, then `--resume`: as if nothing had happened."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from burnish.model.events import StepFinished
from burnish.store.database import open_database
from burnish.store.leases import this_process
from burnish.store.queries import list_runs, run_events
from tests.builds import BUILDER, DOCUMENT, REVIEWER, Builds, task
from tests.e2e.build_killer import BuildDeed
from tests.e2e.killer import checkouts
from tests.repos import TestRepo

# Read now: tests see nothing of Burnish in their environment.
ALL_POINTS = bool(os.environ.get("BURNISH_ALL_POINTS"))
IN_SHORT = 2


def test_a_build_killed_at_a_side_effect_goes_on_to_the_same_end(
    tmp_path: Path, repo: Callable[..., TestRepo]
) -> None:
    builds = Builds(
        tmp_path / "agents",
        repo({"shop.md": DOCUMENT}),
        tasks=(task("cart"), task("till", "cart")),
        groups=(("cart",), ("till",)),
    )
    # Reviewed, revised once, reviewed again; so that every phase is there.
    builds.agent("reviewer", "result(True) if phase != 'loop' or cycle > 1 else result(False, 'Too slow.')\n")
    builds.agent(
        "implementer", "Path(f\"{mine['id']}.txt\").write_text(f'{phase}\\n')\nprint('TASK_COMPLETE')\n"
    )
    flags = {f"agents.{role}": command for role, command in builds.agents.items()} | {"sandbox.mode": "off"}
    first = builds.repo.git("rev-parse", "main")
    deed = BuildDeed(str(builds.repo.path), str(tmp_path / "whole"), flags)
    code, points = deed.do()
    assert code == 0
    check_end(builds, tmp_path / "whole", first)
    chosen = range(1, len(points) + 1) if ALL_POINTS else spread(len(points))
    for number in chosen:
        state = tmp_path / f"state-{number}"
        killed, _ = replace(deed, state=str(state), deadly=number).do()
        assert killed == -signal.SIGKILL, points[number - 1]
        if not any(title == "Shop" and outcome for title, outcome, _ in runs_in(state)):
            begun = any(title == "Shop" for title, _, _ in runs_in(state))
            code, _ = replace(deed, state=str(state), resume=begun).do()
            assert code == 0, (number, points[number - 1])
        check_end(builds, state, first)


@pytest.mark.parametrize("phase", ["enumerate", "plan", "build", "loop", "gate"])
def test_a_build_killed_while_something_works_in_a_checkout_leaves_none(
    tmp_path: Path, repo: Callable[..., TestRepo], phase: str
) -> None:
    """A gate is killed at its last call: of two loops at once, the second is tested on top of the first."""
    builds = Builds(tmp_path / "agents", repo({"shop.md": DOCUMENT}))
    pid, killed, calls = tmp_path / "pid", tmp_path / "killed", tmp_path / "calls"
    kill = (
        f"if phase == {phase!r} and not os.path.exists({str(killed)!r}):\n"
        f"    open({str(killed)!r}, 'w').close()\n"
        f"    os.kill(int(open({str(pid)!r}).read()), 9)\n    time.sleep(60)\n"
    )
    for role, body in (("implementer", BUILDER), ("reviewer", REVIEWER)):
        builds.agent(role, body)
        script = builds.folder / f"{role}.py"
        script.write_text(
            script.read_text().replace("if phase == 'enumerate':", f"{kill}if phase == 'enumerate':", 1)
        )
    gate = tmp_path / "gate.py"
    most = 6
    gate.write_text(
        f"import os, time\nphase = 'gate'\nopen({str(calls)!r}, 'a').write('x')\n"
        f"if len(open({str(calls)!r}).read()) >= {most}:\n"
        + "".join(f"    {line}\n" for line in kill.splitlines())
    )
    flags: dict[str, Any] = {f"agents.{role}": command for role, command in builds.agents.items()}
    flags |= {"sandbox.mode": "off", "gate.command": f"{sys.executable} {gate}"}
    deed = BuildDeed(str(builds.repo.path), str(tmp_path / "state"), flags, pid=str(pid), loops=2)
    assert deed.do()[0] == -signal.SIGKILL
    assert checkouts(tmp_path / "state") != []
    assert replace(deed, resume=True).do()[0] == 0
    assert checkouts(tmp_path / "state") == []


def spread(count: int) -> list[int]:
    """Some points between the first and the last: all of them take a quarter of an hour."""
    return [1 + number * count // (IN_SHORT + 1) for number in range(1, IN_SHORT + 1)]


def runs_in(state: Path) -> list[tuple[str, str | None, list[str]]]:
    """Run, outcome and the keys of its finished steps."""
    found = []
    for path in state.glob("repos/*/burnish.db"):
        with closing(open_database(path)) as database:
            for view in list_runs(database, this_process()):
                events = [recorded.event for recorded in run_events(database, view.id)]
                keys = [event.step.key for event in events if isinstance(event, StepFinished)]
                found.append((view.title, view.outcome, keys))
    return found


def check_end(builds: Builds, state: Path, first: str) -> None:
    """One build and one run a loop, no step twice; each change on main once. Then main is put back."""
    runs = runs_in(state)
    assert sorted((title, outcome) for title, outcome, _ in runs) == [
        ("Make the cart", "passed"),
        ("Make the till", "passed"),
        ("Shop", "passed"),
    ]
    assert all(len(keys) == len(set(keys)) for _, _, keys in runs)
    assert builds.subjects() == ["Make the till", "Make the cart", "first"]
    assert builds.repo.git("status", "--porcelain") == ""
    assert builds.repo.show("main", "till.txt") == "revise\n"
    assert builds.repo.branches == ["main"]
    assert checkouts(state) == []
    builds.repo.git("reset", "-q", "--hard", first)
