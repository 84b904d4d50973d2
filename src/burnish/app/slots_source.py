"""Where the work of slots comes from: beads, our own queue, or a checklist."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from burnish.app.place import Place
from burnish.app.slots_plan import BEADS, CHECKLIST, TASKS, SlotsPlan
from burnish.app.slots_tracker import Beads
from burnish.app.spec_plan import text_of
from burnish.errors import UsageError
from burnish.model.queue import TaskState, TaskType, TaskView
from burnish.sanitise import clean_line
from burnish.slots.work_item import ItemStatus, WorkItem
from burnish.specs.checklist import read_items
from burnish.store.database import Database
from burnish.store.queries import run_ids
from burnish.store.queue import Claim, Queue

MOST_BYTES = 4 * 1024 * 1024
_STATES = {
    TaskState.PENDING: ItemStatus.OPEN,
    TaskState.INTERRUPTED: ItemStatus.OPEN,
    TaskState.IN_PROGRESS: ItemStatus.IN_PROGRESS,
    TaskState.COMPLETED: ItemStatus.CLOSED,
}
_DONE_HERE = (TaskType.TASK, TaskType.IMPLEMENT)


class WorkSource(Protocol):
    async def items(self) -> tuple[WorkItem, ...]: ...
    async def claim(self, item: WorkItem) -> str | None:
        """Take it: the id that its run shall have (empty: any), or None when somebody else has it."""
        ...

    async def settle(self, item: WorkItem, branch: str) -> str:
        """Its run has ended, its work is on `branch` (empty: nowhere). What went wrong in telling so."""
        ...


@dataclass(frozen=True)
class BeadSource:
    """Nobody is told who has a bead: one session at a time has the tracker of a repository."""

    beads: Beads
    close: bool = False

    async def items(self) -> tuple[WorkItem, ...]:
        return await self.beads.items()

    async def claim(self, item: WorkItem) -> str | None:
        return ""

    async def settle(self, item: WorkItem, branch: str) -> str:
        return await self.beads.close(item.id, f"on {branch}") if self.close and branch else ""


@dataclass(frozen=True)
class ListSource:
    """What was read when the session began."""

    read: tuple[WorkItem, ...]

    async def items(self) -> tuple[WorkItem, ...]:
        return self.read

    async def claim(self, item: WorkItem) -> str | None:
        return ""

    async def settle(self, item: WorkItem, branch: str) -> str:
        return ""


@dataclass
class QueueSource:
    """Tasks of `burnish add` that write code; `status` shows them as it does for `burnish work`."""

    place: Place
    queue: Queue
    _claims: dict[str, Claim] = field(default_factory=dict)

    async def items(self) -> tuple[WorkItem, ...]:
        begun = run_ids(self.queue.database)
        views = [view for view in self.queue.all() if view.task.task_type in _DONE_HERE]
        return tuple(_of_task(view, begun) for view in views)

    async def claim(self, item: WorkItem) -> str | None:
        if item.id in self._claims:
            return self._claims[item.id].run_id
        known = run_ids(self.queue.database)

        def taken(name: str) -> bool:
            return name in known or self.place.run_folder(name).exists()

        numbers = frozenset({int(item.id.removeprefix("#"))})
        claim = await asyncio.to_thread(self.queue.claim, numbers, taken)
        if claim is None:
            return None
        self._claims[item.id] = claim
        return claim.run_id

    async def settle(self, item: WorkItem, branch: str) -> str:
        claim = self._claims.pop(item.id, None)
        if claim is not None:
            self.queue.give_up(claim, branch=branch)
        return ""


def source_of(place: Place, database: Database, plan: SlotsPlan) -> WorkSource:
    if plan.source == BEADS:
        return BeadSource(Beads(place), plan.close_beads)
    if plan.source == TASKS:
        return QueueSource(place, Queue(database))
    return ListSource(plan.items)


def checked_source(wanted: str, place: Place) -> str:
    """`beads`, `tasks` or `checklist:FILE`; without a word beads where they are, else tasks."""
    if not wanted:
        return BEADS if Beads(place).there else TASKS
    kind, _, path = wanted.partition(":")
    if wanted in (BEADS, TASKS) or (kind == CHECKLIST and path):
        return wanted
    raise UsageError(
        f"expected --source beads, tasks or checklist:FILE, found {clean_line(wanted)!r}.",
        hint="for example: --source checklist:TODO.md",
    )


def checklist_items(root: Path, path: Path) -> tuple[WorkItem, ...]:
    """Items that are not ticked, in the order of the file; `after: #2` waits for the second."""
    name = clean_line(str(path))
    found = read_items(text_of(root, path, f"the checklist {name}", MOST_BYTES), name)
    return tuple(
        WorkItem(
            id=f"item-{number}",
            title=" ".join(item.text.split("\n")[0].split()),
            status=ItemStatus.CLOSED if item.done else ItemStatus.OPEN,
            text="\n".join(item.text.split("\n")[1:]).strip(),
            waits_for=tuple(f"item-{other}" for other in item.after),
        )
        for number, item in enumerate(found, 1)
    )


def _of_task(view: TaskView, begun: frozenset[str]) -> WorkItem:
    first, _, rest = view.task.prompt.strip().partition("\n")
    status = _STATES.get(view.state, ItemStatus.BLOCKED)
    # Somebody began it in another way, or it goes on with the work of another task: `burnish work` does that.
    if status is ItemStatus.OPEN and (view.task.run_id in begun or view.task.based_on is not None):
        status = ItemStatus.BLOCKED
    return WorkItem(
        id=f"#{view.number}",
        title=first,
        status=status,
        text=rest.strip(),
        waits_for=tuple(f"#{number}" for number in view.task.depends_on),
    )
