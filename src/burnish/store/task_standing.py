"""Where a task stands, from its row, its run and who is alive; however the row was read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any, NamedTuple

from burnish.model.outcome import Outcome
from burnish.model.queue import QueueTask, TaskState, TaskType, TaskView
from burnish.model.reason import Reason
from burnish.model.run_view import RunState
from burnish.store.holders import Holder, alive
from burnish.store.task_families import APPROVED, with_families
from burnish.store.task_rows import from_row

_DONE = (Outcome.PASSED, Outcome.EXHAUSTED, Outcome.UNREVIEWED)
# Tokens and dollars (None where nobody knows), whether some of these are estimated, and some not in it.
Spent = tuple[int, float | None, bool, bool]
Views = tuple[TaskView, ...]


class Seen(NamedTuple):
    """A row (of `queue_tasks` with its run, lease and claim), who works on it, and the state that makes."""

    row: Any
    task: QueueTask
    state: TaskState
    holder: Holder | None

    @property
    def under_way(self) -> bool:
        return self.state in _UNDER_WAY


def look(rows: Iterable[Any], held: Mapping[str, Holder], seen_from: Holder) -> list[Seen]:
    """`held` says who has a lease or a claim, by run and by task."""
    found = []
    for row in rows:
        task = from_row(row)
        holder = _alive(held, task, seen_from) if held else None
        found.append(Seen(row, task, _state(task, row, holder), holder))
    return found


def _alive(held: Mapping[str, Holder], task: QueueTask, seen_from: Holder) -> Holder | None:
    """Whoever holds the run, else whoever is about to start it; the dead hold nothing."""
    for name in (task.run_id, task.id):
        holder = held.get(name or "")
        if holder is not None and alive(holder, seen_from):
            return holder
    return None


def views_of(seen: Iterable[Seen], cycles: Mapping[str, int], spent: Mapping[str, Spent]) -> Views:
    """`cycles` are those of runs under way; `spent` is what tasks tried more than once used in all."""
    found = with_families(_view(one, cycles, spent) for one in seen)
    by_number = {view.task.number: view for view in found}
    return tuple(_waiting(view, by_number) for view in found)


def _view(one: Seen, cycles: Mapping[str, int], spent: Mapping[str, Spent]) -> TaskView:
    task, row = one.task, one.row
    verdict = task.final_verdict or row.run_verdict or None
    finished = row.run_state == RunState.FINISHED
    done = row.run_cycles or 0
    tokens, cost_usd, estimated, unpriced = spent.get(task.id) or (
        row.run_tokens or 0,
        row.run_total_cost_usd,
        bool(row.run_cost_estimated),
        bool(row.run_cost_unpriced),
    )
    return TaskView(
        task=task,
        state=one.state,
        review_cycle=cycles.get(task.run_id or "", done),
        final_verdict=verdict if finished or task.final_verdict else None,
        judged=verdict if finished or task.final_verdict else None,
        reason=_reason(task, row),
        message=task.error or row.run_message or "",
        cost_usd=cost_usd,
        estimated=estimated,
        unpriced=unpriced,
        tokens=tokens,
        commit=row.run_commit_sha,
        branch=row.run_branch or task.branch,
        receipt=row.run_receipt,
        completed_at=row.run_finished_at,
        duration_s=_seconds(task.started_at, row.run_finished_at),
        cycles=done,
        outcome=row.run_outcome,
        base=row.run_base or "",
        pid=one.holder.pid if one.holder else None,
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


def _reason(task: QueueTask, row: Any) -> str:
    return "not_started" if task.error and row.run_state is None else row.run_reason or ""


def _seconds(started: str | None, ended: str | None) -> float | None:
    if not started or not ended:
        return None
    # A clock that was set back meanwhile must not make it negative.
    return max((datetime.fromisoformat(ended) - datetime.fromisoformat(started)).total_seconds(), 0.0)


def _waiting(view: TaskView, by_number: Mapping[int, TaskView]) -> TaskView:
    """What a task waits for, and what it would wait for in vain."""
    if not view.task.depends_on or view.state is not TaskState.PENDING:
        return view
    open_ones = [number for number in view.task.depends_on if not _satisfied(view, by_number.get(number))]
    hopeless = [number for number in open_ones if _hopeless(by_number.get(number))]
    return replace(view, waits_for=tuple(open_ones), blocked_by=tuple(hopeless))


def _satisfied(view: TaskView, other: TaskView | None) -> bool:
    if other is None:
        return False
    looks_after = view.task.task_type in (TaskType.REVIEW, TaskType.IMPROVE)
    if looks_after or not other.task.task_type.writes:
        return other.state is TaskState.COMPLETED
    # Work that somebody refused is not gone on with until somebody approves it; work nobody judged is.
    return other.judged == APPROVED or (other.judged is None and other.state is TaskState.COMPLETED)


def _hopeless(other: TaskView | None) -> bool:
    """Over, and not in the way that was waited for: only a person can change that."""
    if other is None:
        return True
    return other.state not in (TaskState.PENDING, *_UNDER_WAY) and not other.attended


def ready(found: Iterable[TaskView]) -> list[TaskView]:
    """What could be worked on now: what was begun and cut short first, then by number."""
    able = [
        view
        for view in found
        if view.state is TaskState.INTERRUPTED or (view.state is TaskState.PENDING and not view.waits_for)
    ]
    return sorted(able, key=lambda view: (view.state is not TaskState.INTERRUPTED, view.number))
