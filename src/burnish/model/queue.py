"""A task of the queue: what someone wants done some time, and what became of it so far."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from burnish.model.agent import Usage, spent


class TaskType(StrEnum):
    TASK = "task"
    EXPLORE = "explore"
    PLAN = "plan"
    IMPLEMENT = "implement"
    REVIEW = "review"
    IMPROVE = "improve"

    @property
    def writes(self) -> bool:
        """Whether it changes code; the others answer with words."""
        return self in (TaskType.TASK, TaskType.IMPLEMENT, TaskType.IMPROVE)


class TaskState(StrEnum):
    """Derived from a task's row, its run and who is alive; never stored."""

    PENDING = "pending"
    IN_PROGRESS = "in_progress"
    INTERRUPTED = "interrupted"
    COMPLETED = "completed"
    FAILED = "failed"
    CANCELLED = "cancelled"


# What the loop over a task came to, in the words of seed 001; None while it is not over.
FINAL_VERDICTS = ("APPROVED", "CHANGES_REQUESTED", "MAX_CYCLES_REACHED", "NEEDS_DISCUSSION")


@dataclass(frozen=True)
class QueueTask:
    """As it is stored. `number` is what people type, `id` is `YYYYMMDD-slug`.

    `based_on` is the task whose work this one goes on with; `flags` are settings given with the task, by key;
    `error` is why it could not even be started.
    """

    id: str
    number: int
    prompt: str
    task_type: TaskType = TaskType.IMPLEMENT
    group: str = ""
    depends_on: tuple[int, ...] = ()
    based_on: int | None = None
    same_branch: bool = False
    create_review: bool = False
    spec: str = ""
    note: str = ""
    auto_review: bool = False
    max_review_cycles: int = 3
    flags: Mapping[str, Any] = field(default_factory=dict)
    run_id: str | None = None
    final_verdict: str | None = None
    branch: str = ""
    output_content: str = ""
    error: str = ""
    created_at: str = ""
    started_at: str | None = None
    cancelled_at: str | None = None
    merged_at: str | None = None

    @property
    def title(self) -> str:
        """The first line that says something."""
        return next(iter(self.prompt.lstrip().splitlines()), "").rstrip()


@dataclass(frozen=True)
class TaskView:
    """A task as it stands now. `waits_for` are dependencies not done yet, `blocked_by` those that cannot be.

    `review_cycle` is the cycle it is in (0: not started); `reason` and `message` say why its run ended.
    """

    task: QueueTask
    state: TaskState
    review_cycle: int = 0
    final_verdict: str | None = None
    reason: str = ""
    message: str = ""
    waits_for: tuple[int, ...] = ()
    blocked_by: tuple[int, ...] = ()
    cost_usd: float | None = None
    tokens: int = 0
    commit: str | None = None
    branch: str = ""
    receipt: str | None = None
    completed_at: str | None = None
    duration_s: float | None = None
    cycles: int = 0
    outcome: str | None = None
    base: str = ""
    pid: int | None = None
    # The last verdict on the work it is about, whoever gave it; and whether a task for that is still to come.
    judged: str | None = None
    attended: bool = False
    estimated: bool = False
    unpriced: bool = False

    @property
    def spent(self) -> Usage:
        return spent(self.tokens, self.cost_usd, estimated=self.estimated, unpriced=self.unpriced)

    @property
    def number(self) -> int:
        return self.task.number


@dataclass(frozen=True)
class TaskChange:
    """Something a person changed about a task: who, when, what and why."""

    at: str
    by: str
    what: str
    before: str = ""
    after: str = ""
    why: str = ""
