"""What may be forgotten: ended runs that are old, or that there is no room for. A plan, then the deed."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import sqlalchemy as sa

from burnish.errors import StoreError
from burnish.model.run_view import RunState
from burnish.store.database import Database
from burnish.store.loop_schema import EVERY_TABLE
from burnish.store.queue_schema import queue_tasks
from burnish.store.schema import events, leases, runs

DEFAULT_DAYS = 30

Folders = Callable[[str], Sequence[Path]]


@dataclass(frozen=True)
class Keep:
    """Runs are kept for `days` after their end; `max_bytes` limits what all runs' folders take together."""

    days: float = DEFAULT_DAYS
    max_bytes: int | None = None


@dataclass(frozen=True)
class Removal:
    run: str
    why: str
    size_bytes: int
    folders: tuple[Path, ...]


@dataclass(frozen=True)
class _Kept:
    run: str
    ended: str | None
    size_bytes: int
    folders: tuple[Path, ...]


def plan(database: Database, keep: Keep, now: str, folders: Folders) -> tuple[Removal, ...]:
    """What would go, oldest first; never a run that could go on. `folders` tells where a run's files are."""
    found = _found(database, folders)
    limit = _time(now) - timedelta(days=keep.days)
    old = [run for run in found if run.ended is not None and _time(run.ended) < limit]
    removals = [
        Removal(run.run, f"ended more than {keep.days:g} days ago", run.size_bytes, run.folders)
        for run in old
    ]
    if keep.max_bytes is not None:
        rest = [run for run in found if run not in old]
        removals += _over(rest, keep.max_bytes)
    return tuple(removals)


def execute(database: Database, removals: Sequence[Removal]) -> None:
    """Files first, then rows: when this is cut short, the row still names the run for the next time."""
    for removal in removals:
        if not _ended(database, removal.run):
            continue
        for folder in removal.folders:
            _remove(folder)
        _forget(database, removal.run)


def _found(database: Database, folders: Folders) -> list[_Kept]:
    # Of a task's run that was cleaned before, the row is left: it says how the task ended.
    told = sa.exists().where(events.c.run_id == runs.c.id)
    needed = sa.exists().where(queue_tasks.c.run_id == runs.c.id)
    wanted = (
        sa.select(runs.c.id, runs.c.state, runs.c.finished_at)
        .where(sa.or_(told, sa.not_(needed)))
        .order_by(sa.func.coalesce(runs.c.finished_at, runs.c.created_at), runs.c.id)
    )
    with database.read() as connection:
        rows = connection.execute(wanted).all()
    found = []
    for run, state, finished_at in rows:
        places = tuple(folders(run))
        ended = finished_at if state == RunState.FINISHED else None
        found.append(_Kept(run, ended, sum(map(_size, places)), places))
    return found


def _over(found: Sequence[_Kept], max_bytes: int) -> list[Removal]:
    """The oldest ended runs, until what stays fits; those that could go on count but stay."""
    total = sum(run.size_bytes for run in found)
    removals = []
    for run in found:
        if total <= max_bytes:
            break
        if run.ended is not None:
            total -= run.size_bytes
            why = f"all runs together take more than {max_bytes} bytes"
            removals.append(Removal(run.run, why, run.size_bytes, run.folders))
    return removals


def _ended(database: Database, run_id: str) -> bool:
    """Asked again at the deed: a plan may be old."""
    with database.read() as connection:
        state = connection.execute(sa.select(runs.c.state).where(runs.c.id == run_id)).scalar_one_or_none()
        held = connection.execute(sa.select(leases.c.pid).where(leases.c.run_id == run_id)).first()
    return state == RunState.FINISHED and held is None


def _forget(database: Database, run_id: str) -> None:
    with database.write() as connection:
        for table in reversed(EVERY_TABLE):
            if "run_id" in table.c and table is not queue_tasks:
                connection.execute(table.delete().where(table.c.run_id == run_id))
        needed = sa.exists().where(queue_tasks.c.run_id == run_id)
        connection.execute(runs.delete().where(runs.c.id == run_id, sa.not_(needed)))


def _remove(folder: Path) -> None:
    try:
        if folder.is_symlink():
            folder.unlink()
        elif folder.exists():
            shutil.rmtree(folder)
    except OSError as error:
        raise StoreError(
            f"{error.filename or folder} cannot be removed: {os.strerror(error.errno or 0)}",
            hint="remove it by hand, then clean again",
        ) from error


def _size(folder: Path) -> int:
    """Bytes of the files below; a file that vanishes meanwhile counts nothing."""
    total = 0
    for place, _, names in os.walk(folder):
        for name in names:
            try:
                total += Path(place, name).lstat().st_size
            except FileNotFoundError:
                continue
    return total


def _time(text: str) -> datetime:
    found = datetime.fromisoformat(text)
    return found if found.tzinfo else found.replace(tzinfo=UTC)
