"""When which step of a run worked, and what its last review said: for the picture of a night."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

import sqlalchemy as sa

from burnish import codec
from burnish.model.morning import Span
from burnish.model.step import Role
from burnish.store.database import Database
from burnish.store.queue_schema import task_runs
from burnish.store.schema import StepState, steps

_AT_ONCE = 500


def spans_since(database: Database, since: str) -> dict[str, tuple[Span, ...]]:
    """By task, in the order they began: every step that ended since, or has not ended."""
    wanted = (
        sa.select(task_runs.c.task_id, steps.c.role, steps.c.cycle, steps.c.started_at, steps.c.finished_at)
        .join(steps, steps.c.run_id == task_runs.c.attempt_run)
        .where(sa.or_(steps.c.finished_at >= since, steps.c.finished_at.is_(None)))
        .order_by(steps.c.started_at)
    )
    found: dict[str, list[Span]] = {}
    with database.read() as connection:
        for task_id, role, cycle, began, ended in connection.execute(wanted):
            end = datetime.fromisoformat(ended) if ended else None
            found.setdefault(task_id, []).append(Span(Role(role), cycle, datetime.fromisoformat(began), end))
    return {task_id: tuple(spans) for task_id, spans in found.items()}


def last_reviews(database: Database, run_ids: Iterable[str]) -> dict[str, str]:
    """What the last review of each run came to, in its own words."""
    wanted, found = list(run_ids), dict[str, str]()
    columns = (steps.c.run_id, steps.c.result)
    with database.read() as connection:
        for first in range(0, len(wanted), _AT_ONCE):
            some = steps.c.run_id.in_(wanted[first : first + _AT_ONCE])
            rows = sa.select(*columns).where(
                some, steps.c.role == Role.REVIEW, steps.c.state == StepState.FINISHED
            )
            # The last one wins: a later cycle, or the same one asked again.
            for run_id, result in connection.execute(rows.order_by(steps.c.cycle, steps.c.ask)):
                value = codec.loads(result)["value"] if result else {}
                if isinstance(value, dict) and (value.get("overruled") or value.get("summary")):
                    found[run_id] = str(value.get("overruled") or value["summary"])
    return found
