"""The rows of a run, written inside the caller's transaction: steps, events and their projections."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from burnish import codec
from burnish.model.agent import CostBasis, Usage
from burnish.model.change import Change, Failure
from burnish.model.events import Event, Noticed, Recorded, RunFinished
from burnish.model.review import Review
from burnish.model.run_view import RunState
from burnish.model.step import Role, Step
from burnish.store import facts, spending
from burnish.store.schema import StepState, events, runs, steps

_MOST = 2**63 - 1


def append(connection: sa.Connection, run_id: str, event: Event, at: str) -> Recorded:
    """The next event of a run; `seq` has no gaps because only one process holds the run."""
    last = connection.execute(sa.select(sa.func.max(events.c.seq)).where(events.c.run_id == run_id)).scalar()
    seq = (last or 0) + 1
    connection.execute(
        events.insert().values(
            run_id=run_id,
            seq=seq,
            kind=event.kind,
            v=event.v,
            body=facts.body(event),
            at=at,
            note_key=event.key if isinstance(event, Noticed) else None,
        )
    )
    return Recorded(run_id, seq, at, event)


def noted(connection: sa.Connection, run_id: str, key: str) -> bool:
    said = sa.select(events.c.seq).where(events.c.run_id == run_id, events.c.note_key == key)
    return connection.execute(said).first() is not None


def last_event(connection: sa.Connection, run_id: str, kind: str) -> Event | None:
    row = connection.execute(
        sa.select(events.c.kind, events.c.v, events.c.body)
        .where(events.c.run_id == run_id, events.c.kind == kind)
        .order_by(events.c.seq.desc())
        .limit(1)
    ).one_or_none()
    return None if row is None else facts.event(row.kind, row.v, row.body)


def run_row(connection: sa.Connection, run_id: str) -> Any:
    """The run's row, locked where the database locks rows; None when there is no such run."""
    return connection.execute(sa.select(runs).where(runs.c.id == run_id).with_for_update()).one_or_none()


def change_run(connection: sa.Connection, run_id: str, at: str, **values: object) -> None:
    connection.execute(runs.update().where(runs.c.id == run_id).values(updated_at=at, **values))


def remembered(connection: sa.Connection, run_id: str, step: Step) -> str | None:
    """The encoded result of a finished step."""
    return connection.execute(
        sa.select(steps.c.result).where(_is(run_id, step), steps.c.state == StepState.FINISHED)
    ).scalar_one_or_none()


def intent(connection: sa.Connection, run_id: str, step: Step) -> str | None:
    return connection.execute(sa.select(steps.c.intent).where(_is(run_id, step))).scalar_one_or_none()


def begin_step(connection: sa.Connection, run_id: str, step: Step, at: str) -> None:
    """A step begun again keeps what it intended before: that is how the crash is reconciled."""
    again = connection.execute(
        steps.update().where(_is(run_id, step)).values(attempts=steps.c.attempts + 1, started_at=at)
    )
    if again.rowcount == 0:
        connection.execute(
            steps.insert().values(
                run_id=run_id,
                key=step.key,
                role=step.role,
                phase=step.phase,
                cycle=step.cycle,
                part=step.part,
                ask=step.ask,
                state=StepState.STARTED,
                started_at=at,
            )
        )


def intend(connection: sa.Connection, run_id: str, step: Step, change: Change, at: str) -> None:
    wanted = steps.update().where(_is(run_id, step)).values(intent=codec.encode(change))
    if connection.execute(wanted).rowcount == 0:
        begin_step(connection, run_id, step, at)
        connection.execute(wanted)


def end_step(connection: sa.Connection, run_id: str, step: Step, result: str, at: str) -> None:
    connection.execute(
        steps.update()
        .where(_is(run_id, step))
        .values(state=StepState.FINISHED, result=result, finished_at=at)
    )


def cost_basis(row: Any) -> CostBasis:
    """Of a run's row."""
    return Usage(cost_usd=row.total_cost_usd, estimated=bool(row.cost_estimated)).basis


def project(connection: sa.Connection, run_id: str, step: Step, result: object, at: str) -> None:
    """Keep the run's row true to its steps, in the transaction that finishes one."""
    row = run_row(connection, run_id)
    used = facts.usage_of(result)
    spending.record(connection, run_id, step, result, at)
    values: dict[str, object] = {"tokens": min(row.tokens + used.tokens, _MOST)}
    if used.cost_usd is not None:
        values["total_cost_usd"] = (row.total_cost_usd or 0.0) + used.cost_usd
    values["cost_estimated"] = int(row.cost_estimated or used.estimated)
    values["cost_unpriced"] = int(row.cost_unpriced or used.unpriced)
    if isinstance(result, Review):
        values["verdict"] = result.verdict
        values["native"] = result.native
        values["cycles"] = max(row.cycles, step.cycle)
    # A fixer that is asked again after a failure is still at the same fix.
    if step.role is Role.FIX and step.ask == 1 and isinstance(result, Change | Failure):
        values["fixes"] = row.fixes + 1
    change_run(connection, run_id, at, **values)


def finished_steps(connection: sa.Connection, run_id: str) -> int:
    return connection.execute(
        sa.select(sa.func.count())
        .select_from(steps)
        .where(steps.c.run_id == run_id, steps.c.state == StepState.FINISHED)
    ).scalar_one()


def end_run(connection: sa.Connection, run_id: str, finished: RunFinished, at: str) -> None:
    change_run(
        connection,
        run_id,
        at,
        state=RunState.FINISHED,
        finished_at=at,
        outcome=finished.outcome,
        reason=finished.reason,
        message=finished.message,
        verdict=finished.verdict,
        native=finished.native,
        final_verdict=finished.final_verdict,
        cycles=finished.cycles,
        fixes=finished.fixes,
        commit_sha=finished.commit,
        branch=finished.branch,
        receipt=finished.receipt,
        exit_code=finished.exit_code,
        note=finished.note,
    )


def _is(run_id: str, step: Step) -> sa.ColumnElement[bool]:
    return sa.and_(steps.c.run_id == run_id, steps.c.key == step.key)
