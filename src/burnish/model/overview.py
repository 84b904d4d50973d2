"""The whole queue at one moment, as `status` and the morning report show it."""

from __future__ import annotations

from dataclasses import dataclass

from burnish.model.agent import Usage
from burnish.model.question import Waiting
from burnish.model.queue import TaskView


@dataclass(frozen=True)
class Cooling:
    """An agent that nobody asks before `until`, because it said so."""

    agent: str
    until: str
    why: str = ""


@dataclass(frozen=True)
class DayUse:
    """What the last 24 hours used, of what they may; None is no limit."""

    used: Usage
    cost_usd: float | None = None
    tokens: int | None = None
    minutes: float | None = None

    @property
    def limited(self) -> bool:
        return (self.cost_usd, self.tokens, self.minutes) != (None, None, None)


@dataclass(frozen=True)
class Overview:
    """`at` is when it was looked at; `day` is None where no budget of a day is set.

    `waiting` is what waits for a person's answer and is no task: runs and builds, the newest first.
    """

    at: str
    views: tuple[TaskView, ...] = ()
    cooling: tuple[Cooling, ...] = ()
    day: DayUse | None = None
    waiting: tuple[Waiting, ...] = ()
