"""Tasks of the queue as the lines of `status` (conformance G-62 to G-64)."""

from __future__ import annotations

from collections.abc import Sequence

from burnish.model.queue import TaskState, TaskType, TaskView
from burnish.render.plain import count
from burnish.sanitise import clean_line

PROMPT_CHARS = 50
ICONS = {
    TaskState.COMPLETED: "✓",
    TaskState.IN_PROGRESS: "→",
    TaskState.INTERRUPTED: "‖",
    TaskState.FAILED: "✗",
    TaskState.PENDING: "○",
    TaskState.CANCELLED: "-",
}


def lines(views: Sequence[TaskView]) -> list[str]:
    """One line a task, aligned."""
    names = [_name(view) for view in views]
    width = max(map(len, names), default=0)
    digits = max((len(str(view.number)) for view in views), default=1)
    return [
        f"  {ICONS[view.state]} {view.number:>{digits}}. {name:<{width}}    {_standing(view)}".rstrip()
        for view, name in zip(views, names, strict=True)
    ]


def _name(view: TaskView) -> str:
    title = clean_line(view.task.title)
    if len(title) > PROMPT_CHARS:
        title = title[: PROMPT_CHARS - 1].rstrip() + "…"
    return f"{view.task.task_type} {title}"


def _standing(view: TaskView) -> str:
    task = view.task
    match view.state:
        case TaskState.COMPLETED if view.final_verdict:
            cycles = f" ({count(view.cycles, 'cycle')})" if view.cycles else ""
            return f"completed  {view.final_verdict}{cycles}"
        case TaskState.IN_PROGRESS | TaskState.INTERRUPTED if task.auto_review:
            return f"{view.state} (cycle {max(view.review_cycle, 1)}/{task.max_review_cycles})"
        case TaskState.FAILED:
            return f"failed     {view.final_verdict or view.reason}".rstrip()
        case TaskState.PENDING if view.blocked_by:
            return f"pending    blocked by {_numbers(view.blocked_by)}"
        case TaskState.PENDING if view.waits_for:
            return f"pending    waits for {_numbers(view.waits_for)}"
        case _:
            return str(view.state)


def _numbers(numbers: Sequence[int]) -> str:
    return ", ".join(f"#{number}" for number in numbers)


def needs_person(view: TaskView) -> bool:
    """Over without approval, or waiting in vain: what somebody should look at in the morning."""
    if view.state is TaskState.FAILED or view.blocked_by:
        return True
    reviewed = view.task.task_type is not TaskType.REVIEW
    return view.state is TaskState.COMPLETED and reviewed and view.final_verdict not in (None, "APPROVED")
