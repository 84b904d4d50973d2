"""Tasks as they stand now: derived from their rows, their runs and who is alive; nothing here is stored.

`glance` reads the same without SQLAlchemy, for `status`: a column added here is added there.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa

from burnish.model.queue import TaskView
from burnish.model.step import Role
from burnish.store.holders import Holder
from burnish.store.queue_schema import queue_tasks, spending, task_claims, task_runs
from burnish.store.schema import leases as run_leases
from burnish.store.schema import runs, steps
from burnish.store.task_standing import Spent, look, views_of
from burnish.store.task_standing import ready as ready

_RUN = (
    "state", "outcome", "reason", "message", "native", "cycles", "tokens", "base", "commit_sha", "receipt",
    "total_cost_usd", "cost_estimated", "cost_unpriced", "finished_at",
)  # fmt: skip


def views(connection: sa.Connection, seen_from: Holder) -> tuple[TaskView, ...]:
    """Every task in the order of its number, with what it waits for."""
    rows = connection.execute(_everything().order_by(queue_tasks.c.number))
    seen = look(rows, _held(connection), seen_from)
    at_work = _cycles(connection, [one.task.run_id for one in seen if one.under_way])
    return views_of(seen, at_work, _spent(connection))


def _everything() -> sa.Select[Any]:
    run_columns = [runs.c[name].label(f"run_{name}") for name in _RUN]
    return sa.select(
        queue_tasks,
        *run_columns,
        runs.c.final_verdict.label("run_verdict"),
        runs.c.branch.label("run_branch"),
    ).select_from(queue_tasks.outerjoin(runs, runs.c.id == queue_tasks.c.run_id))


def _held(connection: sa.Connection) -> Mapping[str, Holder]:
    """Who has a lease, by run, and a claim, by task; alive or not."""
    found: dict[str, Holder] = {}
    for table, named in ((run_leases, run_leases.c.run_id), (task_claims, task_claims.c.task_id)):
        columns = [table.c[name] for name in ("pid", "process_started", "boot_id", "pid_space", "host")]
        found |= {row[0]: Holder(*row[1:]) for row in connection.execute(sa.select(named, *columns))}
    return found


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


def _spent(connection: sa.Connection) -> Mapping[str, Spent]:
    """By tasks that were tried more than once, all attempts together: the row of a run knows only its own."""
    again = sa.select(task_runs.c.task_id).where(task_runs.c.attempt > 1)
    rows = connection.execute(
        sa.select(
            task_runs.c.task_id,
            sa.func.sum(spending.c.tokens_in + spending.c.tokens_out).label("tokens"),
            sa.func.sum(spending.c.cost_usd).label("cost_usd"),
            sa.func.max(spending.c.estimated).label("estimated"),
            sa.func.max(spending.c.unpriced).label("unpriced"),
        )
        .join(spending, spending.c.spent_by == task_runs.c.attempt_run)
        .where(task_runs.c.task_id.in_(again))
        .group_by(task_runs.c.task_id)
    )
    return {
        row.task_id: (int(row.tokens), row.cost_usd, bool(row.estimated), bool(row.unpriced)) for row in rows
    }
