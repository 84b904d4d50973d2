"""What a session of slots was asked to do, whole: stored with its run, so that nothing else is needed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from burnish.config.slot_settings import Picks
from burnish.slots.work_item import WorkItem

BEADS, TASKS, CHECKLIST = "beads", "tasks", "checklist"


@dataclass(frozen=True)
class SlotsPlan:
    """`iterations` None goes on until nothing is left. `items` are those of a checklist, as it was read.

    `branch` is where what passed comes together: `onto`, a branch of the user's, or one of the session's own.
    `base` is the commit it began with, whose settings hold for all of it; `developer` and `reviewer` are the
    user's words for the two. `flags` are settings given with the command, by key. `before` is what earlier
    sessions have landed, as it was picked then; `in_base` are the ids of those whose work the base has.
    """

    source: str
    base: str
    branch: str
    onto: str = ""
    parallel: int = 1
    iterations: int | None = 50
    review: bool = False
    picks: Picks = Picks.BURNISH
    pause_ms: int = 0
    close_beads: bool = False
    items: tuple[WorkItem, ...] = ()
    developer: str = ""
    reviewer: str = ""
    flags: Mapping[str, Any] = field(default_factory=dict)
    before: tuple[WorkItem, ...] = ()
    in_base: tuple[str, ...] = ()
