"""A task as `status --json` prints it: the fields of seed 001's origin, and ours; null where unknown."""

from __future__ import annotations

from typing import Any

from burnish.codec import plain
from burnish.model.queue import TaskState, TaskView
from burnish.model.task_story import TaskStory

_ENDED = (TaskState.COMPLETED, TaskState.FAILED, TaskState.CANCELLED)


def task_record(view: TaskView) -> dict[str, Any]:
    """One flat object; docs/reference/queue.md says what each field is."""
    task = view.task
    ended = view.state in _ENDED and view.completed_at
    return {
        "id": task.number,
        "prompt": task.prompt,
        "status": str(view.state),
        "task_type": str(task.task_type),
        "task_id": task.id,
        "branch": view.branch or None,
        "log_file": f".burnish/logs/{task.id}.log" if task.run_id else None,
        "report_file": f".burnish/summaries/{task.id}.md" if ended else None,
        "based_on": task.based_on,
        "has_commits": bool(view.commit and view.commit != view.base) if task.run_id else None,
        "duration_seconds": view.duration_s,
        "num_turns": None,
        "cost_usd": view.cost_usd,
        "cost_basis": str(view.spent.basis),
        "created_at": task.created_at,
        "started_at": task.started_at,
        "completed_at": view.completed_at,
        "group": task.group or None,
        "depends_on": list(task.depends_on),
        "spec": task.spec or None,
        "create_review": task.create_review,
        "same_branch": task.same_branch,
        "task_type_hint": None,
        "output_content": task.output_content or None,
        "session_id": None,
        **_ours(view),
    }


def _ours(view: TaskView) -> dict[str, Any]:
    task = view.task
    return {
        "auto_review": task.auto_review,
        "max_review_cycles": task.max_review_cycles,
        "review_cycle": view.review_cycle,
        "final_verdict": view.final_verdict,
        "outcome": view.outcome,
        "reason": view.reason or None,
        "message": view.message or None,
        "run": task.run_id,
        "commit": view.commit,
        "receipt": view.receipt,
        "tokens": view.tokens,
        "waits_for": list(view.waits_for),
        "blocked_by": list(view.blocked_by),
        "note": task.note or None,
        "merged_at": task.merged_at,
        "cancelled_at": task.cancelled_at,
    }


def story_record(story: TaskStory) -> dict[str, Any]:
    """The same with attempts, reviews, changes and what each role used."""
    attempts = []
    for one in story.attempts:
        record = {"run": one.run, "known": one.view is not None}
        if one.view is not None:
            names = ("state", "outcome", "reason", "final_verdict", "cycles", "fixes", "cost", "tokens")
            record |= {name: plain(getattr(one.view, name)) for name in (*names, "created_at", "finished_at")}
        attempts.append(record)
    return {
        **task_record(story.view),
        "attempts": attempts,
        "reviews": [plain(review) for review in story.reviews],
        "changes": [plain(change) for change in story.changes],
        "used": {role: plain(usage) for role, usage in story.used.items()},
    }
