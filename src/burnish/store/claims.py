"""Who is about to run a task: taken in the transaction that picks it, so that no two processes pick one."""

from __future__ import annotations

import secrets

import sqlalchemy as sa

from burnish.store.leases import Holder, alive, read
from burnish.store.queue_schema import task_claims as table

# Tokens this process works with: what it gave up while the disk was full is in the table as its own.
_in_use: set[str] = set()


def holder_of(connection: sa.Connection, task_id: str, seen_from: Holder) -> Holder | None:
    """The live process that has claimed a task, if any."""
    row = connection.execute(sa.select(table).where(table.c.task_id == task_id)).one_or_none()
    if row is None:
        return None
    found = read({**row._mapping, "run_id": task_id})
    if found.holder == seen_from and found.token not in _in_use:
        return None
    return found.holder if alive(found.holder, seen_from) else None


def take(connection: sa.Connection, task_id: str, holder: Holder, at: str) -> str:
    """The token of a claim; the caller made sure that nobody alive has one."""
    token = secrets.token_hex(16)
    _in_use.add(token)
    connection.execute(table.delete().where(table.c.task_id == task_id))
    connection.execute(
        table.insert().values(
            task_id=task_id,
            token=token,
            pid=holder.pid,
            process_started=holder.started,
            boot_id=holder.boot,
            pid_space=holder.space,
            host=holder.host,
            acquired_at=at,
        )
    )
    return token


def give_up(connection: sa.Connection, task_id: str, token: str) -> None:
    connection.execute(table.delete().where(table.c.task_id == task_id, table.c.token == token))


def let_go(token: str) -> None:
    """This process will not use the token again, whether or not that could be written down."""
    _in_use.discard(token)
