"""The tables of seed 003, kept true to the events of a build and of its loops in the transaction of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from burnish import codec
from burnish.loops.part import LoopPart
from burnish.loops.state import LoopState, LoopStatus, ReviewStatus, after, opened
from burnish.loops.stuck import Tally
from burnish.model.events import Recorded, RunFinished, RunStarted, StepFailed, StepFinished
from burnish.store import build_rows
from burnish.store.loop_reviews import write_failed, write_review
from burnish.store.loop_schema import loops, review_issues, tasks
from burnish.store.schema import runs

PROFILE = "loops"
_TASKS = {LoopStatus.COMPLETED: "completed", LoopStatus.STUCK: "failed", LoopStatus.FAILED: "failed"}


@dataclass(frozen=True)
class _About:
    """What the run of an event is: a loop (`part`) of the build `run`, or that build itself (`build`)."""

    run: str
    part: LoopPart | None
    build: Mapping[str, Any]


def project(connection: sa.Connection, recorded: Sequence[Recorded]) -> None:
    """Write what these events mean for the tables; most runs are no loop and no build, and mean nothing."""
    for one in recorded:
        about = _about(connection, one.run)
        if about is None:
            return
        if about.part is None:
            build_rows.take(connection, about.build, one)
        else:
            _take(connection, about.run, about.part, one)


def _about(connection: sa.Connection, run: str) -> _About | None:
    columns = sa.select(runs.c.parent_id, runs.c.spec).where(runs.c.id == run, runs.c.profile == PROFILE)
    row = connection.execute(columns).one_or_none()
    if row is None:
        return None
    spec = codec.loads(row.spec)
    if part := spec.get("loop"):
        return _About(row.parent_id or run, codec.validate(LoopPart, part), {})
    build = spec.get("build")
    return _About(run, None, build) if build else None


def _take(connection: sa.Connection, run: str, part: LoopPart, one: Recorded) -> None:
    if isinstance(one.event, RunStarted):
        _begin(connection, run, part)
    row = connection.execute(sa.select(loops).where(loops.c.id == part.loop_id)).one_or_none()
    if row is None:
        return
    state = after(_state(row, part), one)
    cost = 0.0
    match one.event:
        case StepFinished() as finished:
            cost = build_rows.step_cost(connection, one.run, finished.step.key)
            write_review(connection, run, part, one, cost)
        case StepFailed() as failed:
            cost = build_rows.step_cost(connection, one.run, failed.step.key)
            write_failed(connection, run, part, one, cost)
        case RunFinished() if state.status in _TASKS:
            _set_task(connection, run, part, _TASKS[state.status])
        case _:
            pass
    if isinstance(one.event, StepFinished | StepFailed):
        build_rows.add_cost(connection, run, one.event.step, cost)
    connection.execute(
        loops.update()
        .where(loops.c.id == part.loop_id)
        .values(**_values(state), cost_usd=(row.cost_usd or 0.0) + cost)
    )


def _begin(connection: sa.Connection, run: str, part: LoopPart) -> None:
    """Before anybody can look it up. A further attempt starts anew: old issues would mislead its agents."""
    known = connection.execute(sa.select(loops.c.id).where(loops.c.id == part.loop_id)).first()
    fresh = {
        **_values(opened(part)),
        "task_ids": codec.dumps([part.task_id]),
        "max_iterations": part.max_iterations,
        "review_interval": part.checkpoint_interval,
    }
    if known is None:
        connection.execute(loops.insert().values(id=part.loop_id, run_id=run, **fresh))
    else:
        connection.execute(loops.update().where(loops.c.id == part.loop_id).values(**fresh))
    connection.execute(review_issues.delete().where(review_issues.c.loop_id == part.loop_id))
    _set_task(connection, run, part, "in_progress")


def _set_task(connection: sa.Connection, run: str, part: LoopPart, status: str) -> None:
    connection.execute(
        tasks.update()
        .where(tasks.c.run_id == run, tasks.c.id == part.task_id)
        .values(status=status, assigned_loop_id=part.loop_id)
    )


def _state(row: Any, part: LoopPart) -> LoopState:
    return LoopState(
        id=part.loop_id,
        task_id=part.task_id,
        title=part.title,
        max_iterations=part.max_iterations,
        status=LoopStatus(row.status),
        tally=Tally(
            row.iteration,
            row.same_error_count,
            row.no_progress_count,
            row.last_error or "",
            row.last_file_change_iteration,
        ),
        review_status=ReviewStatus(row.review_status),
        last_review_id=row.last_review_id,
        revision_attempts=row.revision_attempts,
        last_checkpoint_review_at=row.last_checkpoint_review_at,
        phase=row.phase,
        last_activity_at=row.last_activity_at or "",
    )


def _values(state: LoopState) -> dict[str, Any]:
    tally = state.tally
    return {
        "status": state.status,
        "iteration": tally.iteration,
        "same_error_count": tally.same_error,
        "no_progress_count": tally.unchanged,
        "last_error": tally.last_error or None,
        "last_file_change_iteration": tally.last_change,
        "last_activity_at": state.last_activity_at or None,
        "phase": state.phase,
        "review_status": state.review_status,
        "last_review_id": state.last_review_id,
        "revision_attempts": state.revision_attempts,
        "last_checkpoint_review_at": state.last_checkpoint_review_at,
        "last_review_at": state.last_checkpoint_review_at,
    }
