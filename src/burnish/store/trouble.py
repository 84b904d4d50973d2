"""What a database complains about, in our sentences."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

import sqlalchemy as sa

from burnish.errors import StoreError

# By primary SQLite result code: what is wrong with {label}, and what to do about it.
_SENTENCES = {
    "SQLITE_BUSY": (
        "{label} stayed locked by another process for {wait:g} s",
        "wait for the other process or stop it, then try again",
    ),
    "SQLITE_FULL": (
        "no space left on the disk of {label}",
        "free some space, then resume: every recorded step is kept",
    ),
    "SQLITE_READONLY": (
        "{label} cannot be written: it or its folder is read-only",
        "make the folder writable, or point Burnish to another state folder",
    ),
    "SQLITE_CANTOPEN": (
        "{label} cannot be opened or created",
        "check that its folder exists and may be written, or point Burnish to another state folder",
    ),
    "SQLITE_NOTADB": (
        "{label} is not a database",
        "move that file away (branches and artifacts are kept elsewhere), or restore it from a backup",
    ),
    "SQLITE_CORRUPT": (
        "{label} is damaged",
        "move that file away (branches and artifacts are kept elsewhere), or restore it from a backup",
    ),
    "SQLITE_IOERR": (
        "the disk of {label} failed or is full",
        "check the disk and its free space, then resume: every recorded step is kept",
    ),
}
_SENTENCES["SQLITE_LOCKED"] = _SENTENCES["SQLITE_BUSY"]
_SENTENCES["SQLITE_PROTOCOL"] = _SENTENCES["SQLITE_BUSY"]
_SENTENCES["SQLITE_PERM"] = _SENTENCES["SQLITE_READONLY"]


@contextmanager
def speaking(label: str, wait_s: float) -> Iterator[None]:
    """Turn what the driver raises because of the world outside into a StoreError; bugs stay what they are."""
    try:
        yield
    except (sa.exc.DBAPIError, sqlite3.Error) as error:
        # Statements outside a transaction go to the driver directly and raise its own errors.
        said = error.orig if isinstance(error, sa.exc.DBAPIError) else error
        code = str(getattr(said, "sqlite_errorname", ""))
        name = "_".join(code.split("_")[:2])
        if name in _SENTENCES:
            message, hint = _SENTENCES[name]
            raise StoreError(message.format(label=label, wait=wait_s), hint=hint) from error
        if isinstance(error, sa.exc.OperationalError) and not code:
            why = str(said).strip().splitlines()
            raise StoreError(
                f"{label} did not do what was asked: {why[0] if why else 'no reason given'}",
                hint="check that the database is running and can be reached",
            ) from error
        raise
