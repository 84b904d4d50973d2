"""Who holds a run: a lease names a process so exactly that a dead one is never taken for a live one."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from burnish.errors import RunBusy
from burnish.store.holders import Holder as Holder
from burnish.store.holders import alive as alive
from burnish.store.holders import this_process as this_process
from burnish.store.holders import within_reach as within_reach
from burnish.store.schema import leases as table

# Tokens this process works with. What it gave up while the disk was full is still in the table as its own.
_in_use: set[str] = set()


@dataclass(frozen=True)
class Lease:
    run: str
    token: str
    holder: Holder
    since: str


def acquire(
    connection: sa.Connection, run_id: str, holder: Holder, now: str, *, take_over: bool = False
) -> str:
    """Take the run's lease inside the caller's writing transaction; the token proves it is still ours.

    Raises RunBusy while a live process holds it. `take_over` is for a person who knows better.
    """
    lease = find(connection, run_id)
    if lease is not None and _at_work(lease, holder) and not take_over:
        raise _busy(lease, holder)
    token = secrets.token_hex(16)
    _in_use.add(token)
    values = {
        "token": token,
        "pid": holder.pid,
        "process_started": holder.started,
        "boot_id": holder.boot,
        "pid_space": holder.space,
        "host": holder.host,
        "acquired_at": now,
    }
    if lease is None:
        connection.execute(table.insert().values(run_id=run_id, **values))
    else:
        connection.execute(table.update().where(table.c.run_id == run_id).values(values))
    return token


def find(connection: sa.Connection, run_id: str) -> Lease | None:
    """The run's lease, locked until the end of the transaction where the database locks rows."""
    row = connection.execute(sa.select(table).where(table.c.run_id == run_id).with_for_update()).one_or_none()
    return None if row is None else read(dict(row._mapping))


def held(connection: sa.Connection, run_id: str, token: str) -> bool:
    lease = find(connection, run_id)
    return lease is not None and lease.token == token


def check(connection: sa.Connection, run_id: str, token: str) -> None:
    """The fence: a process that lost its run while it slept must not record anything any more."""
    lease = find(connection, run_id)
    if lease is None:
        raise RunBusy(f"run {run_id} is no longer held by this process: it was ended elsewhere meanwhile")
    if lease.token != token:
        raise RunBusy(
            f"run {run_id} is process {lease.holder.pid}'s on {lease.holder.host} since {lease.since}",
            hint="leave it to that process",
        )


def release(connection: sa.Connection, run_id: str, token: str) -> None:
    connection.execute(table.delete().where(table.c.run_id == run_id, table.c.token == token))


def let_go(token: str) -> None:
    """This process will not use the token again, whether or not that could be written down."""
    _in_use.discard(token)


def read(row: Mapping[str, Any], prefix: str = "") -> Lease:
    def at(name: str) -> Any:
        return row[prefix + name]

    holder = Holder(at("pid"), at("process_started"), at("boot_id"), at("pid_space"), at("host"))
    return Lease(at("run_id"), at("token"), holder, at("acquired_at"))


def _at_work(lease: Lease, seen_from: Holder) -> bool:
    if lease.holder == seen_from and lease.token not in _in_use:
        return False
    return alive(lease.holder, seen_from)


def _busy(lease: Lease, seen_from: Holder) -> RunBusy:
    there = "" if lease.holder.host == seen_from.host else f" on {lease.holder.host}"
    return RunBusy(
        f"run {lease.run} is held by process {lease.holder.pid}{there} since {lease.since}",
        hint="wait for it, or stop it with `burnish cancel " + lease.run + "`",
    )
