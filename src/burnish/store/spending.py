"""What was spent: one row for each finished step that used something, written with the step."""

from __future__ import annotations

import statistics
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from burnish.model.agent import Usage
from burnish.model.step import Step
from burnish.store import facts
from burnish.store.database import Database
from burnish.store.queue_schema import spending
from burnish.store.schema import StepState, steps

_MOST = 2**63 - 1
_AT_ONCE = 500
# Prices and models change: what was paid long ago tells little about tonight.
RECENT_ROWS = 500
_COLUMNS = (
    spending.c.tokens_in,
    spending.c.tokens_out,
    spending.c.cost_usd,
    spending.c.seconds,
    spending.c.estimated,
    spending.c.unpriced,
)
_SUMS = (
    sa.func.sum(spending.c.tokens_in),
    sa.func.sum(spending.c.tokens_out),
    sa.func.sum(spending.c.cost_usd),
    sa.func.sum(spending.c.seconds),
    sa.func.max(spending.c.estimated),
    sa.func.max(spending.c.unpriced),
)


@dataclass(frozen=True)
class Typical:
    """What a step of one role usually uses: the middle of the last ones. `steps` is how many are known.

    `per_run` is how many of them a run took; `estimated`: some of the costs are.
    """

    steps: int
    tokens: float
    cost_usd: float | None
    seconds: float
    per_run: float = 1.0
    estimated: bool = False


def record(connection: sa.Connection, run_id: str, step: Step, result: object, at: str) -> None:
    """Inside the transaction that finishes the step. A step that is done again gets a row of its own."""
    used = facts.usage_of(result)
    if used.nothing:
        return
    same = sa.and_(spending.c.spent_by == run_id, spending.c.key == step.key)
    last = connection.execute(sa.select(sa.func.max(spending.c.seq)).where(same)).scalar()
    agent = getattr(result, "agent", "") or getattr(result, "fixer", "")
    connection.execute(
        spending.insert().values(
            spent_by=run_id,
            key=step.key,
            seq=(last or 0) + 1,
            at=at,
            role=step.role,
            agent=agent if isinstance(agent, str) else "",
            tokens_in=min(used.tokens_in, _MOST),
            tokens_out=min(used.tokens_out, _MOST),
            cost_usd=used.cost_usd,
            seconds=used.seconds,
            estimated=int(used.estimated),
            unpriced=int(used.unpriced),
        )
    )


def spent(database: Database, run_ids: Iterable[str]) -> Usage:
    """By these runs together, also by steps that were forgotten since."""
    wanted, total = list(run_ids), Usage()
    with database.read() as connection:
        for first in range(0, len(wanted), _AT_ONCE):
            some = spending.c.spent_by.in_(wanted[first : first + _AT_ONCE])
            total += _usage(connection.execute(sa.select(*_SUMS).where(some)).one())
    return total


def spent_by_role(database: Database, run_ids: Iterable[str]) -> dict[str, Usage]:
    """The same, role by role."""
    wanted, total = list(run_ids), dict[str, Usage]()
    with database.read() as connection:
        for first in range(0, len(wanted), _AT_ONCE):
            some = spending.c.spent_by.in_(wanted[first : first + _AT_ONCE])
            for row in connection.execute(
                sa.select(spending.c.role, *_SUMS).where(some).group_by(spending.c.role)
            ):
                total[row[0]] = total.get(row[0], Usage()) + _usage(row[1:])
    return total


def spent_since(database: Database, since: str) -> Usage:
    """By everybody of this database, from this time on (ISO, as a clock tells it)."""
    with database.read() as connection:
        return _usage(connection.execute(sa.select(*_SUMS).where(spending.c.at >= since)).one())


def rows_since(database: Database, since: str) -> tuple[tuple[str, Usage], ...]:
    """Each of them with its time, the oldest first."""
    found = sa.select(spending.c.at, *_COLUMNS).where(spending.c.at >= since).order_by(spending.c.at)
    with database.read() as connection:
        return tuple((row[0], _usage(row[1:])) for row in connection.execute(found))


def forgotten(connection: sa.Connection, run_id: str) -> Usage:
    """What a run spent on steps whose result it no longer has, because they are to be done again."""
    kept = sa.select(steps.c.key).where(steps.c.run_id == run_id, steps.c.state == StepState.FINISHED)
    mine = spending.c.spent_by == run_id
    remembered = set(connection.execute(kept).scalars())
    rows = connection.execute(sa.select(spending).where(mine)).all()
    total, newest = Usage(), {row.key: row.seq for row in sorted(rows, key=lambda row: row.seq)}
    for row in rows:
        if row.key not in remembered or row.seq < newest[row.key]:
            total += _usage([getattr(row, column.name) for column in _COLUMNS])
    return total


def typical(database: Database) -> dict[str, Typical]:
    """By role. Costs count where they are known."""
    columns = (
        spending.c.spent_by,
        spending.c.role,
        (spending.c.tokens_in + spending.c.tokens_out).label("tokens"),
        spending.c.cost_usd,
        spending.c.seconds,
        spending.c.estimated,
    )
    latest = sa.select(*columns).order_by(spending.c.at.desc()).limit(RECENT_ROWS)
    with database.read() as connection:
        rows = connection.execute(latest).all()
    runs = len({row.spent_by for row in rows})
    roles = {row.role for row in rows}
    return {role: _typical([row for row in rows if row.role == role], runs) for role in roles}


def _typical(rows: list[Any], runs: int) -> Typical:
    costs = [row.cost_usd for row in rows if row.cost_usd is not None]
    return Typical(
        len(rows),
        statistics.median(row.tokens for row in rows),
        statistics.median(costs) if costs else None,
        statistics.median(row.seconds for row in rows),
        len(rows) / runs,
        any(row.estimated for row in rows),
    )


def _usage(row: Any) -> Usage:
    tokens_in, tokens_out, cost_usd, seconds, estimated, unpriced = row
    return Usage(
        int(tokens_in or 0),
        int(tokens_out or 0),
        cost_usd,
        float(seconds or 0.0),
        estimated=bool(estimated),
        partly=bool(unpriced) and cost_usd is not None,
    )
