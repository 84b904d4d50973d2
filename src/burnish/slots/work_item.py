"""A piece of work that a slot can pick, wherever it is written down: a bead, a task, a checklist item."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class ItemStatus(StrEnum):
    """As beads has them; the other sources are put into these words."""

    OPEN = "open"
    IN_PROGRESS = "in_progress"
    BLOCKED = "blocked"
    CLOSED = "closed"
    DEFERRED = "deferred"

    @property
    def remains(self) -> bool:
        return self is not ItemStatus.CLOSED


@dataclass(frozen=True)
class WorkItem:
    """`priority` 0 is the most urgent; `waits_for` are ids of items that must be closed before it."""

    id: str
    title: str
    status: ItemStatus = ItemStatus.OPEN
    priority: int | None = None
    assignee: str = ""
    text: str = ""
    waits_for: tuple[str, ...] = ()

    @property
    def prompt(self) -> str:
        """What whoever does it is told; the first line is what commits and tables call it."""
        return "\n\n".join(part for part in (self.title.strip(), self.text.strip()) if part)
