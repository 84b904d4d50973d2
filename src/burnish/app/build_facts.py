"""What a build remembers: each is the result of a step of the session's own run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from burnish.loops.work import PlanGroup, PlannedTask
from burnish.model.agent import Usage
from burnish.model.step import Role, Step

# The parts of a build's steps: of a loop's attempts, and of a group.
BEGIN, END, MERGE, KEEP, CHOICE, GROUND, ROUND = "begin", "end", "merge", "keep", "choice", "ground", "round"
ENUMERATE, PLAN = "enumerate", "plan"


def step_of(loop: str, attempt: int, part: str, ask: int = 1) -> Step:
    return Step(Role.LAND, attempt, loop, part, ask)


@dataclass(frozen=True)
class Enumerated:
    """`problems` are what was wrong with it; then there are no tasks."""

    tasks: tuple[PlannedTask, ...] = ()
    intent: str = ""
    problems: tuple[str, ...] = ()
    agent: str = ""
    usage: Usage = Usage()


@dataclass(frozen=True)
class Grouped:
    """`problems` are what was wrong with it; then there are no groups."""

    groups: tuple[PlanGroup, ...] = ()
    problems: tuple[str, ...] = ()
    agent: str = ""
    usage: Usage = Usage()


@dataclass(frozen=True)
class Ground:
    """Where the loops of a group start: the target's tip when the group began."""

    commit: str


@dataclass(frozen=True)
class LoopBegun:
    """An attempt of a loop is one run: remembered before it is started, so that it is started once.

    The change is `base..` what the run made, and `start` is where the run goes on. `conflict` is what it has
    to settle, where the loop had passed and did not go together with the others; `words` are a person's.
    `rounds_before` is the last checkpoint round that was called before it.
    """

    run: str
    base: str
    start: str
    conflict: str = ""
    words: str = ""
    flags: Mapping[str, Any] = field(default_factory=dict)
    rounds_before: int = 0


@dataclass(frozen=True)
class LoopEnded:
    """`stuck`: only a person can say how it goes on; else it failed. `question` is what it asks a person."""

    passed: bool
    stuck: bool = False
    commit: str = ""
    iterations: int = 0
    revisions: int = 0
    cost_usd: float | None = None
    why: str = ""
    question: str = ""


class Way(StrEnum):
    """How a loop goes on that did not pass: a person decides."""

    RETRY = "retry"
    SKIP = "skip"


@dataclass(frozen=True)
class Resolved:
    """`words` reach the loop's next attempt; `flags` are settings of that attempt."""

    way: Way
    by: str
    at: str
    words: str = ""
    flags: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Round:
    """A checkpoint round: which loops were at work when it was called, each at its iteration."""

    loops: Mapping[str, int]
    called_by: str
