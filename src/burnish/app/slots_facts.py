"""What a session of slots remembers: each is the result of a step of the session's own run."""

from __future__ import annotations

from dataclasses import dataclass

from burnish.model.step import Role, Step
from burnish.slots.report import Fate
from burnish.slots.work_item import WorkItem

# The parts of a slot's steps, and of the iteration as a whole (slot 0).
PICK, END, MERGE, KEEP, CLOSE, OVER, BRANCH = "pick", "end", "merge", "keep", "close", "over", "branch"


def step_of(iteration: int, slot: int, part: str, attempt: int = 1) -> Step:
    return Step(Role.LAND, iteration, str(slot), part, attempt)


@dataclass(frozen=True)
class Picked:
    """What a slot does, and the run that does it: remembered before there is such a run.

    Without an `item`, either its agent picks one of `known` itself, or (no `run`) there was nothing to do.
    """

    slot: int
    run: str = ""
    base: str = ""
    at: str = ""
    item: WorkItem | None = None
    known: tuple[WorkItem, ...] = ()
    taken: tuple[str, ...] = ()
    attempt: int = 1
    conflict: str = ""


@dataclass(frozen=True)
class SlotEnded:
    """How the run of a slot ended. `item` is what it was about, as far as anybody knows.

    `stop` is the marker that its implementer or fixer gave without having made anything of its pick;
    `retry_s` is the delay that its failed agent named. `lands` is decided here, by what was asked for then.
    """

    fate: Fate
    item: str = ""
    commit: str = ""
    why: str = ""
    reviews: int = 0
    fixes: int = 0
    stop: str = ""
    retry_s: float | None = None
    lands: bool = False


@dataclass(frozen=True)
class Opened:
    """The session's own branch, made for the first work that landed."""

    branch: str


@dataclass(frozen=True)
class Closed:
    """What became of telling the tracker; empty when it was told."""

    trouble: str = ""


@dataclass(frozen=True)
class Over:
    """An iteration that is over: how many of its slots failed, and until when the next one waits."""

    filled: int
    failed: int
    left: int | None = None
    stop: str = ""
    wait_until: str = ""
