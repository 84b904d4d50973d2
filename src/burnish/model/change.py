"""What a writing step left behind, or why it left nothing."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from burnish.model.agent import Usage
from burnish.model.signal import ExitSignal
from burnish.model.step import Role


@dataclass(frozen=True)
class Dropped:
    """A path that was not taken into a snapshot, and why (both safe to show)."""

    path: str
    why: str


@dataclass(frozen=True)
class Snapshot:
    """A tree as it was found on disk."""

    tree: str
    dropped: tuple[Dropped, ...] = ()
    suspicious: tuple[Dropped, ...] = ()


@dataclass(frozen=True)
class Change:
    """What one writing step made: the commit on the run's own line, and the tree before and after.

    `passed_over` are those who were asked before `agent`, each with why it gave no answer.
    """

    role: Role
    commit: str
    tree: str
    before: str
    title: str = ""
    said: str = ""
    dropped: tuple[Dropped, ...] = ()
    agent: str = ""
    isolation: str = ""
    usage: Usage = Usage()
    agent_version: str = ""
    model: str = ""
    # The step that its session is kept under, and whether it went on with that of an earlier one.
    session: str = ""
    resumed: bool = False
    passed_over: tuple[str, ...] = ()
    # How far its task is, where the agent was asked to say so.
    signal: ExitSignal | None = None

    @property
    def empty(self) -> bool:
        return self.tree == self.before


class FailureKind(StrEnum):
    EXIT = "exit"
    TIMEOUT = "timeout"
    MISSING = "missing"
    LIMITED = "limited"
    VIOLATION = "violation"


@dataclass(frozen=True)
class Failure:
    """An agent that did not do its part. `salvage` is the ref that keeps what it had written until then.

    `problems` is all that was wrong with the form of its answer, where `message` names the first; `answer` is
    what a reviewer wrote, and `denied` whether a denial can be read in it.
    """

    role: Role
    kind: FailureKind
    message: str
    agent_exit: int | None = None
    salvage: str = ""
    usage: Usage = Usage()
    trouble: str = ""
    problems: tuple[str, ...] = ()
    answer: str = ""
    denied: bool = False
