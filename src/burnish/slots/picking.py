"""Which piece of work a slot gets: never one that another slot has, and never two slots the same."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from burnish.slots.beads import BEAD_ID
from burnish.slots.work_item import ItemStatus, WorkItem

_LAST = 10**9
_EXPLICIT = re.compile(
    r"(?:updated issue:|bd update)[ \t]{1,9}([A-Za-z0-9][A-Za-z0-9._-]{0,199})", re.I | re.A
)


def pickable(
    items: Sequence[WorkItem], held: Collection[str] = (), done: Collection[str] = ()
) -> tuple[WorkItem, ...]:
    """Open items in the order in which they are picked: by priority, then as the source lists them.

    `held` are in the hands of a slot; `done` have passed, although the source may not know it yet. An item
    that waits for one that is neither closed nor done is left out; what the source does not know blocks none.
    """
    remaining = {item.id for item in items if item.status.remains} - set(done)
    found = [
        item
        for item in items
        if item.status is ItemStatus.OPEN
        and item.id not in held
        and item.id not in done
        and not any(other in remaining for other in item.waits_for)
    ]
    return tuple(sorted(found, key=lambda item: _LAST if item.priority is None else item.priority))


def waiting(items: Sequence[WorkItem], done: Collection[str] = ()) -> tuple[WorkItem, ...]:
    """Open items, whether or not they can be picked now."""
    return tuple(item for item in items if item.status is ItemStatus.OPEN and item.id not in done)


def picked_id(said: str, known: Collection[str]) -> str:
    """The item that an agent says it picked, of those that `known` allows; empty when that is not clear.

    What it says explicitly goes first; else the one id that its words have; several are none.
    """
    explicit = {found.rstrip("._-") for found in _EXPLICIT.findall(said)} & set(known)
    if explicit:
        return explicit.pop() if len(explicit) == 1 else ""
    named = set(BEAD_ID.findall(said)) & set(known)
    return named.pop() if len(named) == 1 else ""
