"""What was recorded about the runs of a repository."""

from __future__ import annotations

from dataclasses import dataclass
from types import TracebackType
from typing import Self

from burnish.app.place import Place, find_place
from burnish.app.stale import with_staleness
from burnish.model.events import Recorded
from burnish.model.run_view import RunView
from burnish.store import queries
from burnish.store.database import Database, open_database
from burnish.store.leases import this_process
from burnish.store.queue import Queue


@dataclass(frozen=True)
class Archive:
    place: Place
    database: Database

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.database.close()

    def runs(self, limit: int | None = None) -> tuple[RunView, ...]:
        return queries.list_runs(self.database, this_process(), limit)

    def tasks(self) -> dict[str, int]:
        """The number of the task that a run is an attempt at, by run."""
        return Queue(self.database).numbers_by_run()

    def run(self, wanted: str) -> RunView:
        return queries.find_run(self.database, wanted, this_process())

    async def looked_at(self, *views: RunView) -> tuple[RunView, ...]:
        """The same runs with what only a look at the repository tells: whether a pass is stale."""
        return await with_staleness(self.place, views)

    def events(self, run_id: str, after_seq: int = 0) -> tuple[Recorded, ...]:
        return queries.run_events(self.database, run_id, after_seq)


async def open_archive() -> Archive:
    place = await find_place()
    return Archive(place, open_database(place.database))
