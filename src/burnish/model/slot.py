"""What an agent of a slot is told about its place and its work; stored with the slot's run."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Bead:
    """What a reviewer is told about the task under review; `text` is all of it, title and description."""

    id: str
    title: str
    status: str = "open"
    priority: int | None = None
    text: str = ""


@dataclass(frozen=True)
class SlotPart:
    """`developer` and `reviewer` are the user's own words for the two; empty: the built-in ones.

    `bead` is what was picked for the slot; None where its agent picks one of `beads` itself, but none of
    `taken`, which other slots have. `log` names the file of its implementer.
    """

    iteration: int
    slot: int
    parallel: int = 1
    bead: Bead | None = None
    beads: tuple[Bead, ...] = ()
    taken: tuple[str, ...] = ()
    developer: str = ""
    reviewer: str = ""
    log: str = ""
