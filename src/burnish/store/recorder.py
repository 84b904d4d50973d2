"""One transaction and the telling of it: what is told was recorded, and what is recorded is told."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import sqlalchemy as sa

from burnish.model.events import Event, Recorded
from burnish.ports import Clock, Listener
from burnish.store import loop_rows, records
from burnish.store.database import Database
from burnish.store.publishing import publish

T = TypeVar("T")
# What a transaction answers, and the events it adds to a run.
Written = tuple[T, str, Sequence[Event]]
Write = Callable[[sa.Connection, str], Written[T]]


def no_point(point: str) -> None:
    """Nobody is watching."""


@dataclass(frozen=True)
class Recorder:
    """The points where a crash would matter have names (`on_point`), so that tests can die at each."""

    database: Database
    clock: Clock
    listeners: tuple[Listener, ...] = ()
    on_point: Callable[[str], None] = no_point

    async def record(self, point: str, write: Write[T]) -> T:
        """Commit what `write` does together with its events, then tell the listeners.

        A cancellation in the middle is raised afterwards: it never leaves half of this done.
        """
        return await uncut(self._commit_and_tell(point, write))

    async def look(self, read: Callable[[sa.Connection], T]) -> T:
        return await asyncio.to_thread(self._look, read)

    async def _commit_and_tell(self, point: str, write: Write[T]) -> T:
        answer, recorded = await asyncio.to_thread(self._commit, point, write)
        publish(recorded, self.listeners)
        self.on_point(f"{point}:told")
        return answer

    def _commit(self, point: str, write: Write[T]) -> tuple[T, list[Recorded]]:
        self.on_point(f"{point}:before")
        at = self.clock.now()
        with self.database.write() as connection:
            answer, run_id, events = write(connection, at)
            recorded = [records.append(connection, run_id, event, at) for event in events]
            loop_rows.project(connection, recorded)
            self.on_point(f"{point}:written")
        self.on_point(f"{point}:committed")
        return answer, recorded

    def _look(self, read: Callable[[sa.Connection], T]) -> T:
        with self.database.read() as connection:
            return read(connection)


async def uncut(work: Coroutine[Any, Any, T]) -> T:
    """Let `work` come to its end even if we are cancelled meanwhile; the cancellation is raised after it."""
    job = asyncio.ensure_future(work)
    cut: asyncio.CancelledError | None = None
    while not job.done():
        try:
            await asyncio.wait({job})
        except asyncio.CancelledError as error:
            cut = error
    if cut is not None:
        raise cut from (None if job.cancelled() else job.exception())
    return job.result()
