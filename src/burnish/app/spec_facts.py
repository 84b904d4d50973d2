"""What a session of a spec remembers of its phases: each is the result of a step of the session's run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from burnish.model.mode import GivenReview
from burnish.model.review import Verdict
from burnish.model.step import Role, Step

# The parts of a phase's steps in the session's run.
BEGIN, END, JOIN, KEEP, CHOICE = "begin", "end", "join", "keep", "choice"


def step_of(phase: int, attempt: int, part: str, ask: int = 1) -> Step:
    return Step(Role.LAND, attempt, str(phase), part, ask)


@dataclass(frozen=True)
class Ended:
    """How an attempt ended; `cycles` counts from the phase's first."""

    passed: bool
    cycles: int
    grade: Verdict | None = None
    commit: str = ""
    receipt: str = ""
    why: str = ""


@dataclass(frozen=True)
class Begun:
    """An attempt at a phase is one run: remembered before it is started, so that it is started once.

    The phase's commits are those since `base`; `start` is where this run goes on. `implemented`: what is
    there is reviewed first; `given`: its review is addressed first; `reviewed` is how many of its reviews
    were made before. `flags` are settings of this attempt. `ended` is how it ended before the journal was
    lost: then it is not run again.
    """

    run: str = ""
    base: str = ""
    start: str = ""
    cycles_before: int = 0
    reviewed: int = 0
    implemented: bool = False
    given: GivenReview | None = None
    flags: Mapping[str, Any] = field(default_factory=dict)
    ended: Ended | None = None


class Fate(StrEnum):
    """What became of a phase that passed when it met the branch."""

    ON_BRANCH = "on_branch"
    CONTESTED = "contested"
    RED = "red"


@dataclass(frozen=True)
class Placed:
    """`commit` is the branch's tip with the phase on it; `rebased`: it was put on top of other phases."""

    fate: Fate
    commit: str
    rebased: bool = False
    message: str = ""


@dataclass(frozen=True)
class Kept:
    """Where work that did not pass can be looked at."""

    branch: str


class Way(StrEnum):
    """How a phase goes on that did not pass: a person decides."""

    RETRY = "retry"
    SKIP = "skip"
    ABORT = "abort"


@dataclass(frozen=True)
class Choice:
    """`flags` are the agents or models that the next attempt gets."""

    way: Way
    by: str
    at: str
    flags: Mapping[str, Any] = field(default_factory=dict)
