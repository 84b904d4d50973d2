"""A run of three cycles with agents that do nearly nothing: Burnish beside a shell script and LangGraph."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench._scene import BASELINE, GATE, PEER, PEER_PYTHON, Scene, make_scene
from bench.section import Page, Setting, spread

AT_ONCE = (1, 8)
SHELL, LANGGRAPH = "shell script", "LangGraph"
LIBRARY, LIBRARY_BOXED = "Burnish, many runs in a process", "Burnish, many runs in a process, sandboxed"
COMMAND, COMMAND_BOXED = "`burnish run`, a process per run", "`burnish run`, a process per run, sandboxed"
KINDS = {
    SHELL: "shell",
    LANGGRAPH: "langgraph",
    LIBRARY: "library:off",
    LIBRARY_BOXED: "library:require",
    COMMAND: "command:off",
    COMMAND_BOXED: "command:require",
}
# Slow, and much the same each time: a quarter of the runs is enough of them.
FEWER = {COMMAND: 4, COMMAND_BOXED: 4}
LIMITS = {LIBRARY: 2.0, LIBRARY_BOXED: 3.0, COMMAND: 2.0, COMMAND_BOXED: 3.0}


@dataclass
class Took:
    """What each round took, for one contender."""

    wall_s: list[float] = field(default_factory=list)
    cpu_s: list[float] = field(default_factory=list)
    peak_mb: list[float] = field(default_factory=list)

    def add(self, said: dict[str, Any]) -> None:
        self.wall_s.append(said["wall_s"] / said["runs"])
        self.cpu_s.append(said["cpu_s"] / said["runs"])
        self.peak_mb.append(said["peak_mb"])


def section(setting: Setting, page: Page) -> None:
    from burnish.process import bubblewrap

    kinds = dict(KINDS)
    if not PEER_PYTHON.exists():
        kinds.pop(LANGGRAPH)
        page.say("LangGraph was not measured: `make bench` installs it into `.bench-venv`.")
    if bubblewrap.usable() is None:
        kinds.pop(LIBRARY_BOXED), kinds.pop(COMMAND_BOXED)
        page.say("The sandbox was not measured: bubblewrap is not usable here.")
    rounds = 1 if setting.quick else setting.rounds
    runs = 1 if setting.quick else max(1, setting.runs // rounds)
    explain(page, rounds, runs)
    ratios: dict[tuple[str, int], list[float]] = {}
    for at_once in AT_ONCE[:1] if setting.quick else AT_ONCE:
        took = measure(kinds, setting.folder / f"at{at_once}", rounds, runs, at_once)
        page.say(f"**{at_once} at a time**")
        page.table(*table(took))
        ratios |= {(kind, at_once): of(took, kind) for kind in took}
    judge(page, ratios)
    if not setting.quick:
        where(page, setting.folder / "where", runs)


def explain(page: Page, rounds: int, runs: int) -> None:
    page.say(
        f"{rounds} rounds of {runs} runs each, all contenders one after the other in every round. A run: three cycles; in each "
        "an agent appends a line in a private checkout, its work is snapshotted and committed on the run's own line, the "
        f"gate `{GATE}` runs in a fresh checkout, a reviewer gets the diff and a throw-away copy, and what it left there is "
        "looked at; at last the result is a branch in the user's repository of 101 files. The wall clock is that of a whole "
        "round divided by its runs. `x` is the ratio to the shell script in the same round: median (least to most)."
    )
    page.say(
        "*Many runs in a process* is the call that `burnish run` makes, from one Python process that was started before; "
        'LangGraph is measured the same way, with `durability="sync"`: a step is on the disk before the next begins, as with '
        "Burnish. *A process per run* includes starting Python each time, and is run a quarter as often. Memory is the peak of the orchestrator's own process."
    )


def measure(kinds: dict[str, str], folder: Path, rounds: int, runs: int, at_once: int) -> dict[str, Took]:
    """Interleaved: every contender once in a round, so that a slow minute hits all of them."""
    scene = make_scene(folder)
    set_up(scene, kinds)
    took = {kind: Took() for kind in kinds}
    for number in range(rounds):
        for kind, how in kinds.items():
            some = max(runs // FEWER[kind], min(runs, at_once)) if kind in FEWER else runs
            took[kind].add(drive(scene, how, f"round{number}", some, at_once))
    return took


def set_up(scene: Scene, kinds: dict[str, str]) -> None:
    """What happens once per repository is not part of a run."""
    for state in ("baseline", "langgraph"):
        words = [str(BASELINE), "setup", str(scene.repo), str(scene.folder / state)]
        subprocess.run(words, env=scene.environment(), check=True)
    for how in kinds.values():
        if how.startswith("command"):
            drive(scene, how, "warm", 1, 1)


def drive(
    scene: Scene, how: str, name: str, runs: int, at_once: int, extra: Sequence[str] = ()
) -> dict[str, Any]:
    """One contender, one round, in a process of its own."""
    words = [sys.executable, "-m", "bench._drive", how, str(scene.folder)]
    if how == "langgraph":
        places = (scene.repo, scene.folder / "langgraph", scene.writer, scene.reviewer)
        words = [str(PEER_PYTHON), str(PEER), *map(str, places), GATE]
    words += ["--name", name, "--runs", str(runs), "--at-once", str(at_once), *extra]
    done = subprocess.run(words, env=scene.environment(), capture_output=True, check=False, timeout=900)
    if done.returncode:
        raise SystemExit(f"{how} failed: {done.stderr.decode()[-3000:]}")
    said: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return said


def of(took: dict[str, Took], kind: str, against: str = SHELL) -> list[float]:
    return [mine / theirs for mine, theirs in zip(took[kind].wall_s, took[against].wall_s, strict=True)]


def table(took: dict[str, Took]) -> tuple[list[str], list[list[str]]]:
    columns = ["contender", "wall per run, ms", "CPU per run, ms", "x", "x LangGraph", "memory, MB"]
    rows = []
    for kind, found in took.items():
        wall, cpu = [value * 1000 for value in found.wall_s], [value * 1000 for value in found.cpu_s]
        peer = spread(of(took, kind, LANGGRAPH)) if LANGGRAPH in took else "-"
        own = kind in (LIBRARY, LIBRARY_BOXED, LANGGRAPH)
        memory = f"{max(found.peak_mb):.0f}" if own else "-"
        rows.append(
            [kind, spread(wall, digits=0), spread(cpu, digits=0), spread(of(took, kind)), peer, memory]
        )
    return columns, rows


def judge(page: Page, ratios: dict[tuple[str, int], list[float]]) -> None:
    for (kind, at_once), found in ratios.items():
        if kind in LIMITS:
            middle = statistics.median(found)
            what = f"wall beside the shell script: {kind}, {at_once} at a time"
            page.goal(what, f"at most {LIMITS[kind]:.1f} x", f"{spread(found)} x", met=middle <= LIMITS[kind])
        if kind == LIBRARY and (LANGGRAPH, at_once) in ratios:
            peer = [mine / theirs for mine, theirs in zip(found, ratios[LANGGRAPH, at_once], strict=True)]
            what = f"faster than LangGraph: {kind}, {at_once} at a time"
            page.goal(what, "less than 1.0 x", f"{spread(peer)} x", met=statistics.median(peer) < 1)


def where(page: Page, folder: Path, runs: int) -> None:
    """How much of a run is spent on what, one run at a time."""
    scene = make_scene(folder)
    rows = []
    for kind in (LIBRARY, LIBRARY_BOXED):
        said = drive(scene, KINDS[kind], "ledger", runs, 1, ["--ledger"])
        whole = said["wall_s"] * 1000 / runs
        known = {
            name: (count / runs, seconds * 1000 / runs) for name, (count, seconds) in said["ledger"].items()
        }
        rest = whole - sum(ms for _, ms in known.values())
        cells = [f"{name}: {ms:.0f} ms in {count:.0f}" for name, (count, ms) in known.items()]
        rows.append([kind, f"{whole:.0f}", "; ".join(cells), f"{rest:.0f}"])
    page.say("**Where the time goes**, one run at a time: milliseconds of waiting, and how often.")
    page.table(["", "wall per run, ms", "waiting for", "our own code, ms"], rows)
    page.say(
        "Waiting for git and for children includes starting them. Without a sandbox every agent has a guard process, a "
        "small Python program, and the user's repository is looked at before and after each agent (that is git again)."
    )
