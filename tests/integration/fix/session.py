"""A fix session over real git and the real journal, in a process that can be killed at any side effect."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from burnish.model.assessment import Analysis
from burnish.model.events import Recorded, RunStarted
from burnish.model.gate import GateResult
from burnish.store.clock import SystemClock
from burnish.store.database import Database, open_database
from burnish.store.desks import FolderDesks
from burnish.store.durable import DurableRun
from burnish.store.journal import Journal, NewRun
from burnish.store.leases import this_process
from burnish.store.queries import list_runs, run_events
from burnish.workflows.fix_crew import FixCrew, FixTask
from burnish.workflows.fix_cycle import fix_cycle
from burnish.workflows.fix_outcome import FixOutcome
from tests.cli import until_killed
from tests.e2e.killer import Counter
from tests.integration.git.sides import Side, side_of
from tests.repairs import FunctionFixer, changes_line, findings_in
from tests.repos import TestRepo

RUN = "r-fix"
FILES = {"a.py": "BAD\nok\nUGLY\n", "b.py": "x BAD\nx BAD\n", "c.py": "EVIL\n", "d.py": "ok\n"}
AFTER = {"a.py": "good\nok\ngood\n", "b.py": "x good\nx good\n", "c.py": "EVIL\n", "d.py": "ok\n"}
# Two dimensions in a.py: the second is repaired in a stage of its own.
FINDINGS = tuple(
    replace(finding, dimension="maintainability") if finding.rule == "toy:UGLY" else finding
    for finding in findings_in(FILES)
)


@dataclass(frozen=True)
class Read:
    """Trees of the run's own store as text, each read once."""

    side: Side
    known: dict[str, dict[str, str]] = field(default_factory=dict)

    async def __call__(self, tree: str) -> dict[str, str]:
        if tree not in self.known:
            names = [name.decode() for name in await self.side.names(tree)]
            asked = "".join(f"{tree}:{name}\n" for name in names).encode()
            store = self.side.workspaces.store
            out = await store.git("cat-file", "--batch=", "--buffer", at=store.place, stdin=asked)
            # Every file here ends with one line feed, and so does every answer.
            texts = [text.strip("\n") + "\n" for text in out.decode().split("\n\n") if text.strip()]
            self.known[tree] = dict(zip(names, texts, strict=True))
        return self.known[tree]


@dataclass(frozen=True)
class GitRecheck:
    read: Read

    async def __call__(self, tree: str, files: tuple[str, ...]) -> tuple[Analysis, ...]:
        there = {name: text for name, text in (await self.read(tree)).items() if name in files}
        return (Analysis("toy", findings=findings_in(there)),)


@dataclass(frozen=True)
class GitGate:
    """Red as soon as c.py is anything but what it was."""

    read: Read
    command: str = "check c.py"

    async def check(self, tree: str, base: str) -> GateResult:
        fine = (await self.read(tree))["c.py"] == FILES["c.py"]
        return GateResult(tree, self.command, 0 if fine else 1)


def crew_of(side: Side, folder: Path, decorate: Callable[[str, Any], Any]) -> FixCrew:
    """The first fixer of a finding writes the wrong thing and litters; the second does it right."""

    def litter(finding: Any, workspace: Path) -> str:
        (workspace / "litter.py").write_text("BAD\nEVIL\n")
        return changes_line("good")(finding, workspace)

    read = Read(side)
    return FixCrew(
        workspaces=decorate("workspaces", side.workspaces),
        recheck=GitRecheck(read),
        desks=FolderDesks(folder),
        clock=SystemClock(),
        fixers=(FunctionFixer(litter, "litterer", ("toy:UGLY",)), FunctionFixer(changes_line("good"))),
        gate=GitGate(read),
    )


@dataclass(frozen=True)
class Deed:
    """Which repository, which state folder, and at which side effect to die (0: at none)."""

    repo: str
    state: str
    deadly: int = 0


def commit(deed: Deed, report: Any = None) -> None:
    """In a process of its own: begin or resume. Sends the names of all side effects when it lives to the end."""
    counter = Counter(deed.deadly)
    asyncio.run(session(deed, counter))
    if report is not None:
        report.send(counter.names)
    sys.exit(0)


async def session(deed: Deed, counter: Counter) -> FixOutcome:
    state = Path(deed.state)
    async with side_of(TestRepo(Path(deed.repo)), state) as side:
        for left in await side.workspaces.leftovers():
            await left.remove()
        with closing(open_database(state / "burnish.db")) as database:
            run = await _begun(Journal(database, on_point=counter.point), database)
            async with run:
                start_tree = await side.base_tree()
                task = FixTask(FINDINGS, side.base, start_tree)
                return await fix_cycle(task, crew_of(side, state / "desks", counter.decorate), run)


async def _begun(journal: Journal, database: Database) -> DurableRun:
    if any(view.id == RUN for view in list_runs(database, this_process())):
        return await journal.resume(RUN)
    started = RunStarted("t", "t", "review", "findings", "b", "s", 1, "reviews", {})
    return await journal.start(NewRun(started, "repo", "fix", "{}", id=RUN))


def in_a_process(deed: Deed) -> tuple[int | None, list[str]]:
    return until_killed(commit, deed)


def recorded(state: Path) -> tuple[Recorded, ...]:
    with closing(open_database(state / "burnish.db")) as database:
        return run_events(database, RUN)
