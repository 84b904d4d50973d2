"""Where ways part and come together again."""

from __future__ import annotations

from burnish.analysers.taint.memory.frame import Frame
from burnish.analysers.taint.memory.heap import Changes


def leave(at: Frame, branches: list[Changes], start: int) -> None:
    if at.live:
        branches.append(at.heap.since(start))


def meet(at: Frame, branches: list[Changes], start: int) -> None:
    """This way and those: the state after any of them, or nothing behind here is reached."""
    leave(at, branches, start)
    at.heap.undo(start)
    at.live = bool(branches)
    if branches:
        at.heap.join(branches)
