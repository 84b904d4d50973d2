"""A journal to try things on: real SQLite in a folder, processes and clocks made up as values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from burnish.model.agent import Usage
from burnish.model.change import Change, Failure, FailureKind
from burnish.model.decision import Stop
from burnish.model.events import Event, Recorded, RunStarted
from burnish.model.history import Ending, History
from burnish.model.outcome import Outcome
from burnish.model.reason import Reason
from burnish.model.review import Review, Verdict
from burnish.model.run_view import RunView
from burnish.model.step import Role, Step
from burnish.model.task import Task
from burnish.store import queries
from burnish.store.database import Database, open_database
from burnish.store.journal import Journal, NewRun
from burnish.store.leases import Holder, this_process
from burnish.store.recorder import no_point

IMPLEMENT = Step(Role.IMPLEMENT)
REVIEW = Step(Role.REVIEW, 1)
FIX = Step(Role.FIX, 1)
STARTED = RunStarted("7", "Add a check", "task", "verdict-line", "b" * 40, "c" * 40, 3, "reviews", {})
NEW = NewRun(STARTED, "/somewhere/repo", "Add a check\nplease", '{"prompt":"Add a check"}')

# No process on this machine can have this id (the kernel's limit is 2**22), so it counts as gone.
NOBODY = replace(this_process(), pid=2**22 + 5, started="1")


@dataclass
class SetClock:
    """A clock that shows what it is set to."""

    at: str = "2026-11-15T10:00:00.000Z"
    seconds: float = 0.0

    def now(self) -> str:
        return self.at

    def monotonic(self) -> float:
        return self.seconds


@dataclass
class Bench:
    """One database and what its listeners heard."""

    folder: Path
    heard: list[Recorded] = field(default_factory=list)
    clock: SetClock = field(default_factory=SetClock)

    def __post_init__(self) -> None:
        self.database: Database = open_database(self.folder / "burnish.db")

    def journal(self, holder: Holder | None = None, on_point: Callable[[str], None] = no_point) -> Journal:
        return Journal(self.database, self.clock, holder or this_process(), (self.heard.append,), on_point)

    def events(self, run_id: str) -> list[Event]:
        return [entry.event for entry in queries.run_events(self.database, run_id)]

    def kinds(self, run_id: str) -> list[str]:
        return [event.kind for event in self.events(run_id)]

    def view(self, run_id: str) -> RunView:
        return queries.find_run(self.database, run_id, this_process())


class Worker:
    """Work to be done in steps, that counts how often it was really done."""

    def __init__(self) -> None:
        self.calls: list[str] = []

    async def review(self, text: str = "fine") -> Review | Failure:
        self.calls.append("review")
        return Review(Verdict.PASS, "APPROVED", text, tree="t" * 40, usage=Usage(10, 5, 0.25))

    async def change(self, role: Role = Role.IMPLEMENT) -> Change | Failure:
        self.calls.append("change")
        return Change(role, "c" * 40, "t" * 40, "0" * 40, usage=Usage(100, 50, None))

    async def fail(self) -> Change | Failure:
        self.calls.append("fail")
        return Failure(Role.FIX, FailureKind.TIMEOUT, "ran past 5 s", salvage="refs/burnish/kept")

    async def crash(self) -> Change | Failure:
        self.calls.append("crash")
        raise OSError("the disk went away")


def ending(review: Review | None = None) -> Ending:
    task = Task("Add a check", "b" * 40, "bt", "c" * 40, "ct")
    facts = (review,) if review else ()
    return Ending(Stop(Outcome.PASSED, Reason.REVIEW_PASSED, "passed"), History(task, facts))
