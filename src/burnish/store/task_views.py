"""Tasks as they stand now: derived from their rows, their runs and who is alive; nothing here is stored."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from burnish.model.outcome import Outcome
from burnish.model.queue import QueueTask, TaskState, TaskType, TaskView
from burnish.model.reason import Reason
from burnish.model.run_view import RunState
from burnish.model.step import Role
from burnish.store import leases
from burnish.store.leases import Holder
from burnish.store.queue_schema import queue_tasks, task_claims
from burnish.store.schema import leases as run_leases
from burnish.store.schema import runs, steps
from burnish.store.task_rows import from_row

_RUN = (
    "state", "outcome", "reason", "message", "native", "cycles", "tokens", "base", "commit_sha", "receipt",
    "total_cost_usd", "finished_at",
)  # fmt: skip
_DONE = (Outcome.PASSED, Outcome.EXHAUSTED, Outcome.UNREVIEWED)
APPROVED = "APPROVED"


def views(connection: sa.Connection, seen_from: Holder) -> tuple[TaskView, ...]:
    """Every task in the order of its number, with what it waits for."""
    found = [
        _view(row, seen_from) for row in connection.execute(_everything().order_by(queue_tasks.c.number))
    ]
    at_work = _cycles(connection, [view.task.run_id for view in found if view.state in _UNDER_WAY])
    by_number = {view.number: view for view in found}
    return tuple(
        _waiting(replace(view, review_cycle=at_work.get(view.task.run_id or "", view.cycles)), by_number)
        for view in found
    )


def _everything() -> sa.Select[Any]:
    run_columns = [runs.c[name].label(f"run_{name}") for name in _RUN]
    return sa.select(
        queue_tasks,
        *run_columns,
        runs.c.final_verdict.label("run_verdict"),
        runs.c.branch.label("run_branch"),
        *(column.label(f"lease_{column.name}") for column in run_leases.c),
        *(column.label(f"claim_{column.name}") for column in task_claims.c),
    ).select_from(
        queue_tasks.outerjoin(runs, runs.c.id == queue_tasks.c.run_id)
        .outerjoin(run_leases, run_leases.c.run_id == queue_tasks.c.run_id)
        .outerjoin(task_claims, task_claims.c.task_id == queue_tasks.c.id)
    )


def _view(row: Any, seen_from: Holder) -> TaskView:
    task = from_row(row)
    holder = _holder(row, seen_from)
    verdict = task.final_verdict or row.run_verdict or None
    finished = row.run_state == RunState.FINISHED
    return TaskView(
        task=task,
        state=_state(task, row, holder),
        review_cycle=row.run_cycles or 0,
        final_verdict=verdict if finished or task.final_verdict else None,
        reason=_reason(task, row),
        message=task.error or row.run_message or "",
        cost_usd=row.run_total_cost_usd,
        tokens=row.run_tokens or 0,
        commit=row.run_commit_sha,
        branch=task.branch or row.run_branch or "",
        receipt=row.run_receipt,
        completed_at=row.run_finished_at,
        duration_s=_seconds(task.started_at, row.run_finished_at),
        cycles=row.run_cycles or 0,
        outcome=row.run_outcome,
        base=row.run_base or "",
        pid=holder.pid if holder else None,
    )


def _state(task: QueueTask, row: Any, holder: Holder | None) -> TaskState:
    if task.cancelled_at:
        return TaskState.CANCELLED
    if task.final_verdict == APPROVED:
        return TaskState.COMPLETED
    if row.run_state == RunState.FINISHED:
        return _ended(task, row)
    if holder is not None:
        return TaskState.IN_PROGRESS
    if task.error:
        return TaskState.FAILED
    # A run id without a run was given by a process that died before it could begin.
    return TaskState.PENDING if row.run_state is None else TaskState.INTERRUPTED


def _ended(task: QueueTask, row: Any) -> TaskState:
    if row.run_outcome == Outcome.CANCELLED:
        return TaskState.CANCELLED
    reviewed = task.task_type is TaskType.REVIEW and row.run_native and row.run_reason in _REVIEWED
    if row.run_outcome in _DONE or row.run_reason == Reason.NEEDS_DISCUSSION or reviewed:
        return TaskState.COMPLETED
    return TaskState.FAILED


# How a run that only reviews ends when the review did its part.
_REVIEWED = (Reason.NO_FIXER, Reason.BLOCKING_FINDINGS)
_UNDER_WAY = (TaskState.IN_PROGRESS, TaskState.INTERRUPTED)


def _holder(row: Any, seen_from: Holder) -> Holder | None:
    found = row._mapping
    if row.lease_token is not None:
        lease = leases.read(found, "lease_")
        if leases.alive(lease.holder, seen_from):
            return lease.holder
    if row.claim_token is not None:
        claim = leases.read({**found, "claim_run_id": row.claim_task_id}, "claim_")
        if leases.alive(claim.holder, seen_from):
            return claim.holder
    return None


def _reason(task: QueueTask, row: Any) -> str:
    return "not_started" if task.error and row.run_state is None else row.run_reason or ""


def _seconds(started: str | None, ended: str | None) -> float | None:
    if not started or not ended:
        return None
    # A clock that was set back meanwhile must not make it negative.
    return max((datetime.fromisoformat(ended) - datetime.fromisoformat(started)).total_seconds(), 0.0)


def _cycles(connection: sa.Connection, run_ids: list[str | None]) -> Mapping[str, int]:
    """The cycle each of these runs is in: that of the review begun last."""
    wanted = [name for name in run_ids if name]
    if not wanted:
        return {}
    rows = connection.execute(
        sa.select(steps.c.run_id, sa.func.max(steps.c.cycle).label("cycle"))
        .where(steps.c.run_id.in_(wanted), steps.c.role == Role.REVIEW)
        .group_by(steps.c.run_id)
    )
    return {row.run_id: row.cycle for row in rows}


def _waiting(view: TaskView, by_number: Mapping[int, TaskView]) -> TaskView:
    """What a task waits for, and what it would wait for in vain."""
    if not view.task.depends_on or view.state is not TaskState.PENDING:
        return view
    open_ones = [number for number in view.task.depends_on if not _satisfied(view, by_number.get(number))]
    hopeless = [number for number in open_ones if _hopeless(by_number.get(number))]
    return replace(view, waits_for=tuple(open_ones), blocked_by=tuple(hopeless))


def _satisfied(view: TaskView, other: TaskView | None) -> bool:
    if other is None or other.state is not TaskState.COMPLETED:
        return False
    looks_after = view.task.task_type in (TaskType.REVIEW, TaskType.IMPROVE)
    if looks_after or not other.task.task_type.writes:
        return True
    return other.final_verdict in (None, APPROVED)


def _hopeless(other: TaskView | None) -> bool:
    """Over, and not in the way that was waited for: only a person can change that."""
    return other is None or other.state not in (TaskState.PENDING, *_UNDER_WAY)


def ready(found: Iterable[TaskView]) -> list[TaskView]:
    """What could be worked on now: what was begun and cut short first, then by number."""
    able = [
        view
        for view in found
        if view.state is TaskState.INTERRUPTED or (view.state is TaskState.PENDING and not view.waits_for)
    ]
    return sorted(able, key=lambda view: (view.state is not TaskState.INTERRUPTED, view.number))
