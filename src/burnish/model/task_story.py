"""All that is known about one task of the queue: every attempt, every review, what people changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from burnish.model.agent import Usage
from burnish.model.queue import TaskChange, TaskView
from burnish.model.run_view import RunView


@dataclass(frozen=True)
class CycleReview:
    """One review of a task's work. `artifact` is its file, counted from the repository's root.

    `by` is who really reviewed, and in whose place.
    """

    run: str
    cycle: int
    at: str
    verdict: str
    summary: str
    artifact: str
    overruled: str = ""
    unclear: str = ""
    findings: int = 0
    by: str = ""


@dataclass(frozen=True)
class Attempt:
    """A run for the task; `view` is None when it was cleaned away or never began."""

    run: str
    view: RunView | None = None


@dataclass(frozen=True)
class TaskStory:
    """`used` is by role, of all attempts; `others` are the tasks that it waits for or is about, by number."""

    view: TaskView
    attempts: tuple[Attempt, ...] = ()
    reviews: tuple[CycleReview, ...] = ()
    changes: tuple[TaskChange, ...] = ()
    used: Mapping[str, Usage] = field(default_factory=dict)
    others: Mapping[int, TaskView] = field(default_factory=dict)

    @property
    def last_review(self) -> CycleReview | None:
        return self.reviews[-1] if self.reviews else None
