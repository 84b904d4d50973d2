"""An ended run made ready to go on: what failed last is forgotten, and everything before it is kept."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from burnish import codec
from burnish.errors import UsageError
from burnish.model.change import Failure
from burnish.model.events import RunReopened, StepFailed, StepFinished
from burnish.model.outcome import Outcome
from burnish.model.reason import Reason
from burnish.model.run_view import RunState
from burnish.model.step import Role, Step
from burnish.store.schema import StepState, events, runs, steps

_WORK = (Role.IMPLEMENT, Role.REVIEW, Role.FIX)


def reopen(connection: sa.Connection, row: Any, at: str, by: str, spec: str | None) -> RunReopened:
    """Forget the failed step with all its asks, and the landing; `spec` replaces what the run was asked."""
    if row.state != RunState.FINISHED:
        raise UsageError(f"run {row.id} has not ended.", hint=f"burnish resume {row.id}")
    if row.outcome == Outcome.PASSED:
        raise UsageError(f"run {row.id} passed: there is nothing to try again.")
    forgotten = [*_failed(connection, row), *_landings(connection, row.id)]
    for step in forgotten:
        connection.execute(steps.delete().where(steps.c.run_id == row.id, steps.c.key == step.key))
    fixes = sum(1 for step in forgotten if step.role == Role.FIX and step.ask == 1)
    connection.execute(
        runs.update()
        .where(runs.c.id == row.id)
        .values(
            state=RunState.INTERRUPTED,
            updated_at=at,
            outcome=None,
            reason=None,
            message="",
            final_verdict="",
            exit_code=None,
            finished_at=None,
            cancel_requested=0,
            fixes=max(row.fixes - fixes, 0),
            spec=row.spec if spec is None else spec,
        )
    )
    return RunReopened(tuple(step.key for step in forgotten), by)


def _failed(connection: sa.Connection, row: Any) -> list[Any]:
    """The step done last, when it failed; a failure that was made up for before belongs to the past."""
    last = _done_last(connection, row.id)
    if last is None:
        return []
    place = {"role": last.role, "phase": last.phase, "cycle": last.cycle, "part": last.part}
    same = [steps.c[name] == value for name, value in place.items()]
    done = connection.execute(
        sa.select(steps).where(steps.c.run_id == row.id, steps.c.state == StepState.FINISHED, *same)
    ).all()
    # Work that changed nothing did not fail, but it is what the run ended for.
    fails = row.reason == Reason.EMPTY_CHANGE or any(
        step.key == last.key and codec.loads(step.result)["type"] == Failure.__name__ for step in done
    )
    return list(done) if fails else []


def _done_last(connection: sa.Connection, run_id: str) -> Step | None:
    """By the order of events: the times of steps are of a clock that may have been set back."""
    told = (
        sa.select(events.c.body)
        .where(events.c.run_id == run_id, events.c.kind.in_((StepFinished.kind, StepFailed.kind)))
        .order_by(events.c.seq.desc())
    )
    for body in connection.execute(told).scalars():
        step: Step = codec.validate(Step, codec.loads(body)["step"])
        if step.role in _WORK:
            return step
    return None


def _landings(connection: sa.Connection, run_id: str) -> list[Any]:
    return list(
        connection.execute(sa.select(steps).where(steps.c.run_id == run_id, steps.c.role == Role.LAND)).all()
    )
