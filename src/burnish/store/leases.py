"""Who holds a run: a lease names a process so exactly that a dead one is never taken for a live one."""

from __future__ import annotations

import os
import secrets
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
import sqlalchemy as sa

from burnish.errors import RunBusy
from burnish.store.schema import leases as table

_GONE = ("Z", "X", "x")
# Tokens this process works with. What it gave up while the disk was full is still in the table as its own.
_in_use: set[str] = set()


@dataclass(frozen=True)
class Holder:
    """A process. `started` counts from boot, so that a jump of the clock does not change it."""

    pid: int
    started: str
    boot: str
    space: str
    host: str


@dataclass(frozen=True)
class Lease:
    run: str
    token: str
    holder: Holder
    since: str


def this_process() -> Holder:
    pid = os.getpid()
    return Holder(pid, _started(pid) or "", _boot(), _pid_space(), socket.gethostname())


def alive(holder: Holder, seen_from: Holder) -> bool:
    """Whether a holder still runs. What cannot be seen from here (another machine, a container) does."""
    if holder.boot != seen_from.boot:
        return holder.host != seen_from.host
    if holder.space != seen_from.space:
        return True
    return _started(holder.pid) == holder.started


def within_reach(holder: Holder, seen_from: Holder) -> bool:
    """Whether the holder's process id means that process here, so that it can be sent a signal."""
    same_place = (holder.boot, holder.space) == (seen_from.boot, seen_from.space)
    return same_place and alive(holder, seen_from)


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


def _started(pid: int) -> str | None:
    """When a process began; None when there is none, or only its remains (a zombie works no more)."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_bytes()
    except FileNotFoundError:
        return _started_elsewhere(pid)
    except ProcessLookupError:
        return None
    # The name in parentheses may hold anything, so fields are counted from behind the last one.
    fields = stat[stat.rindex(b")") + 2 :].decode("ascii").split()
    return None if fields[0] in _GONE else fields[19]


def _started_elsewhere(pid: int) -> str | None:
    """Where there is no /proc: the wall clock is the best there is."""
    try:
        process = psutil.Process(pid)
        return None if process.status() == psutil.STATUS_ZOMBIE else repr(process.create_time())
    except psutil.Error:
        return None


def _boot() -> str:
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
    except OSError:
        return repr(psutil.boot_time())


def _pid_space() -> str:
    """Process ids mean something only within their namespace (containers have their own)."""
    try:
        return str(Path("/proc/self/ns/pid").readlink())
    except OSError:
        return ""
