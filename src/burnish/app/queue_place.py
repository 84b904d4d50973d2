"""The queue of the repository a command was called in, and the tasks people name there."""

from __future__ import annotations

import getpass
import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from burnish.app.place import Place, find_place
from burnish.config.load import Flag, Loaded
from burnish.errors import UsageError
from burnish.model.queue import QueueTask, TaskView
from burnish.store.database import Database, open_database
from burnish.store.queue import Queue

_NUMBER = re.compile(r"#?([0-9]{1,9})")
SLUG_CHARS = 40


@dataclass(frozen=True)
class QueuePlace:
    place: Place
    database: Database
    queue: Queue

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.database.close()

    async def settled_at(self) -> str:
        """The commit whose settings hold for the queue: none of a task's own making, even if checked out."""
        repository = self.place.repository
        default = await repository.default_branch()
        return await repository.resolve(default) if default else repository.head

    async def settings(self, flags: Mapping[str, Flag] | None = None) -> Loaded:
        return await self.place.settings(await self.settled_at(), flags)

    def named(self, wanted: str) -> TaskView | None:
        """A task by its number (`29`, `#29`), its id, or a run that was an attempt at it."""
        if number := number_of(wanted):
            return self.queue.find(number)
        for view in self.queue.all():
            if view.task.id == wanted:
                return view
        found = self.queue.of_run(wanted if wanted.startswith("r-") else f"r-{wanted}")
        return self.queue.find(found.number) if found else None

    def task(self, wanted: str) -> TaskView:
        found = self.named(wanted)
        if found is None:
            raise UsageError(
                f"expected the number of a task, such as 29, found {wanted!r}.",
                hint="burnish status lists them",
            )
        return found


async def open_queue() -> QueuePlace:
    place = await find_place()
    database = open_database(place.database)
    return QueuePlace(place, database, Queue(database))


def number_of(wanted: str) -> int | None:
    found = _NUMBER.fullmatch(wanted.strip())
    return int(found[1]) if found else None


def task_name(at: str, prompt: str) -> str:
    """`20261115-add-user-authentication`: the day, and the first words of the prompt."""
    words = re.sub(r"[^a-z0-9]+", "-", prompt.lower()).strip("-")
    slug = words[:SLUG_CHARS].rstrip("-")
    if len(words) > SLUG_CHARS and "-" in slug and words[SLUG_CHARS] != "-":
        slug = slug.rpartition("-")[0]
    return f"{at[:10].replace('-', '')}-{slug or 'task'}"


def whoami() -> str:
    """Who is at the keyboard, as the machine knows them."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return "somebody"


def label(task: QueueTask) -> str:
    return f"#{task.number}"
