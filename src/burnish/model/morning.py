"""What became of the queue while nobody looked: the facts of the morning report."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from burnish.model.agent import Usage
from burnish.model.overview import Cooling
from burnish.model.queue import TaskView
from burnish.model.step import Role


@dataclass(frozen=True)
class Span:
    """One step of a task at work; `end` is None while it goes on, or when its process died in it."""

    role: Role
    cycle: int
    start: datetime
    end: datetime | None


@dataclass(frozen=True)
class Told:
    """A task with what it did in the time that is told about; `said` is its last review in a line."""

    view: TaskView
    spans: tuple[Span, ...] = ()
    said: str = ""


@dataclass(frozen=True)
class Morning:
    """`tasks` are those that ended or worked since, and all that are not over; `used` is everything since."""

    repository: str
    since: datetime
    until: datetime
    tasks: tuple[Told, ...] = ()
    cooling: tuple[Cooling, ...] = ()
    used: Usage = Usage()
