"""One database: SQLite in the state folder, or Postgres by its address; opened, migrated, read, written."""

from __future__ import annotations

import errno
import fcntl
import os
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from burnish.errors import StoreError
from burnish.store import migrations
from burnish.store.clock import SystemClock
from burnish.store.trouble import speaking

BUSY_TIMEOUT_S = 60.0
_WRITES = "burnish_writes"


class Database:
    """`read()` and `write()` each give one transaction; a writer of SQLite waits for the lock first."""

    def __init__(self, engine: sa.Engine, label: str, busy_timeout_s: float) -> None:
        self.engine = engine
        self.label = label
        self.busy_timeout_s = busy_timeout_s
        self._writer = engine.execution_options(**{_WRITES: True})
        # Threads of one process queue here; SQLite's own waiting is for other processes, and is not fair.
        self._turn: AbstractContextManager[Any] = threading.Lock() if self.embedded else nullcontext()

    @property
    def embedded(self) -> bool:
        return self.engine.dialect.name == "sqlite"

    @contextmanager
    def read(self) -> Iterator[sa.Connection]:
        """A consistent view that waits for nobody."""
        with speaking(self.label, self.busy_timeout_s), self.engine.connect() as connection:
            yield connection

    @contextmanager
    def write(self) -> Iterator[sa.Connection]:
        """All or nothing; an exception inside leaves no trace."""
        with speaking(self.label, self.busy_timeout_s), self._turn, self._writer.begin() as connection:
            yield connection

    def close(self) -> None:
        self.engine.dispose()


def open_database(where: str | Path, *, busy_timeout_s: float = BUSY_TIMEOUT_S) -> Database:
    """Open and bring up to date. `where` is a file, or an address such as `postgresql+psycopg://...`."""
    path = _file_of(where)
    if path is None:
        return _open_server(str(where), busy_timeout_s)
    _make_folder(path.parent)
    database = Database(_embedded_engine(path, busy_timeout_s), f"the database {path}", busy_timeout_s)
    try:
        if _out_of_date(database):
            with _alone(path, busy_timeout_s):
                _write_ahead(database)
                _upgrade(database)
    except BaseException:
        database.close()
        raise
    return database


def _file_of(where: str | Path) -> Path | None:
    if isinstance(where, Path) or "://" not in where:
        return Path(where).absolute()
    return Path(where.removeprefix("sqlite:///")).absolute() if where.startswith("sqlite:///") else None


def _open_server(address: str, busy_timeout_s: float) -> Database:
    try:
        url = sa.make_url(address)
        engine = sa.create_engine(url, pool_pre_ping=True)
    except sa.exc.ArgumentError as error:
        # What cannot be read may have a password anywhere in it, so it is not shown.
        raise StoreError(
            "the address of the database cannot be read", hint="expected postgresql+psycopg://user@host/name"
        ) from error
    except ModuleNotFoundError as error:
        raise StoreError(
            f"a database at such an address needs the Python package {error.name!r}, which is not installed",
            hint=f"install it: pip install {error.name}",
        ) from error
    shown = url.render_as_string(hide_password=True)
    database = Database(engine, f"the database {shown}", busy_timeout_s)
    _upgrade(database)
    return database


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(
            f"the state folder {folder} cannot be created: {os.strerror(error.errno or 0)}",
            hint="point Burnish to a folder it may write to",
        ) from error


def _embedded_engine(path: Path, busy_timeout_s: float) -> sa.Engine:
    def connect() -> sqlite3.Connection:
        # Opened by us, because a path in an address must be text, and a path need not be.
        return sqlite3.connect(path, timeout=busy_timeout_s, check_same_thread=False)

    engine = sa.create_engine("sqlite://", creator=connect, poolclass=sa.QueuePool)

    @sa.event.listens_for(engine, "connect")
    def prepare(connection: Any, record: Any) -> None:
        # The driver must not begin transactions on its own: a deferred one cannot wait for another writer.
        connection.isolation_level = None
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")

    @sa.event.listens_for(engine, "begin")
    def begin(connection: sa.Connection) -> None:
        writes = connection.get_execution_options().get(_WRITES, False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


def _out_of_date(database: Database) -> bool:
    with database.read() as connection:
        if migrations.version(connection, database.label) < migrations.NEWEST:
            return True
        mode: str = connection.exec_driver_sql("PRAGMA journal_mode").scalar_one()
        return mode != "wal"


def _write_ahead(database: Database) -> None:
    """Stays in the file, and cannot be set inside a transaction."""
    with speaking(database.label, database.busy_timeout_s):
        connection = database.engine.raw_connection()
        try:
            connection.cursor().execute("PRAGMA journal_mode = WAL")
        finally:
            connection.close()


def _upgrade(database: Database) -> None:
    now = SystemClock().now()
    more = True
    while more:
        with database.write() as connection:
            more = migrations.apply_next(connection, database.label, now)


@contextmanager
def _alone(path: Path, wait_s: float) -> Iterator[None]:
    """Changing a SQLite file to write-ahead mode does not wait for others, so first openers queue here."""
    try:
        lock = os.open(path.with_name(path.name + ".lock"), os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise StoreError(
            f"the database {path} cannot be prepared: {os.strerror(error.errno or 0)}",
            hint="make its folder writable, or point Burnish to another state folder",
        ) from error
    try:
        deadline = time.monotonic() + wait_s
        while not _locked(lock):
            if time.monotonic() >= deadline:
                raise StoreError(
                    f"the database {path} is being prepared by another process for more than {wait_s:g} s",
                    hint="wait for the other process or stop it, then try again",
                )
            time.sleep(0.02)
        yield
    finally:
        os.close(lock)


def _locked(lock: int) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in (errno.EWOULDBLOCK, errno.EINTR):
            return False
        raise
    return True
