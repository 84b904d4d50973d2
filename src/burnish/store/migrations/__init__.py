"""Numbered steps from an empty database to today's tables; the name of each is recorded when applied.

A step never changes once released. A new one is a new file `mNNN_what.py` and a line in `STEPS`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import sqlalchemy as sa

from burnish.errors import StoreError
from burnish.store.migrations import m001_base, m002_loop_reviews, m003_reviews, m004_queue, m005_cost
from burnish.store.schema import schema_migrations


@dataclass(frozen=True)
class Migration:
    number: int
    name: str
    apply: Callable[[sa.Connection], None]


STEPS = tuple(
    Migration(number, module.NAME, module.apply)
    for number, module in enumerate((m001_base, m002_loop_reviews, m003_reviews, m004_queue, m005_cost), 1)
)
NEWEST = STEPS[-1].number


def version(connection: sa.Connection, label: str) -> int:
    """The version a database has, 0 for an empty one; refuses what is newer or not ours."""
    tables = set(sa.inspect(connection).get_table_names())
    if schema_migrations.name not in tables:
        if tables:
            raise StoreError(
                f"{label} is a database of another program: it has the table {min(tables)!r}",
                hint="point Burnish to another state folder, or move that file away",
            )
        return 0
    found = dict(connection.execute(sa.select(schema_migrations.c.number, schema_migrations.c.name)).all())
    newest = max(found, default=0)
    known = {step.number: step.name for step in STEPS}
    if any(known.get(number) != name for number, name in found.items()):
        raise StoreError(
            f"{label} has schema version {newest} ({found[newest]}), this Burnish knows up to {NEWEST}",
            hint="update Burnish, or point this one to another state folder; nothing was changed",
        )
    return newest


def apply_next(connection: sa.Connection, label: str, now: str) -> bool:
    """One step further inside the caller's transaction; False when there is nothing left to do."""
    if connection.dialect.name == "postgresql":
        # SQLite writers queue at BEGIN IMMEDIATE; Postgres would let two processes create the same table.
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(0x6275726E)))
    found = version(connection, label)
    if found >= NEWEST:
        return False
    step = STEPS[found]
    step.apply(connection)
    connection.execute(schema_migrations.insert().values(number=step.number, name=step.name, applied_at=now))
    return True
