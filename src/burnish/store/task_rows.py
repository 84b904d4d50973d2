"""A queue task as a row and back."""

from __future__ import annotations

from typing import Any

from burnish import codec
from burnish.model.queue import QueueTask, TaskType

_SAME = (
    "id", "number", "prompt", "based_on", "spec", "note", "max_review_cycles", "run_id", "final_verdict",
    "branch", "output_content", "error", "created_at", "started_at", "cancelled_at", "merged_at",
)  # fmt: skip


_TYPES = {str(task_type): task_type for task_type in TaskType}


def to_row(task: QueueTask) -> dict[str, Any]:
    return {
        **{name: getattr(task, name) for name in _SAME},
        "task_type": str(task.task_type),
        "group_name": task.group,
        "depends_on": codec.dumps(list(task.depends_on)),
        "flags": codec.dumps(dict(task.flags)),
        "same_branch": int(task.same_branch),
        "create_review": int(task.create_review),
        "auto_review": int(task.auto_review),
    }


def from_row(row: Any) -> QueueTask:
    """`row` has the columns of `queue_tasks`, and may have more; ten thousand are read at once."""
    return QueueTask(
        id=row.id,
        number=row.number,
        prompt=row.prompt,
        task_type=_TYPES[row.task_type],
        group=row.group_name,
        depends_on=() if row.depends_on == "[]" else tuple(codec.loads(row.depends_on)),
        based_on=row.based_on,
        same_branch=bool(row.same_branch),
        create_review=bool(row.create_review),
        spec=row.spec,
        note=row.note,
        auto_review=bool(row.auto_review),
        max_review_cycles=row.max_review_cycles,
        flags={} if row.flags == "{}" else codec.loads(row.flags),
        run_id=row.run_id,
        final_verdict=row.final_verdict,
        branch=row.branch,
        output_content=row.output_content,
        error=row.error,
        created_at=row.created_at,
        started_at=row.started_at,
        cancelled_at=row.cancelled_at,
        merged_at=row.merged_at,
    )
