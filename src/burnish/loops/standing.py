"""How far each loop is, as the others see it: when all are to be looked at, and what a reviewer is told."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from burnish.sanitise import clean_line

TITLE_CHARS = 100
MOST_LOOPS = 30


@dataclass(frozen=True)
class Standing:
    """`doing` is what it does now, or how it ended once it is not `active` any more.

    `checkpoint_at` is the iteration of its last checkpoint review.
    """

    loop: str
    title: str
    doing: str = ""
    iteration: int = 0
    active: bool = True
    checkpoint_at: int = 0


def checkpoint_due(loops: Iterable[Standing], interval: int | None) -> bool:
    """Whether any loop at work is so many iterations past its last checkpoint review."""
    if not interval:
        return False
    return any(one.active and one.iteration - one.checkpoint_at >= interval for one in loops)


def others_summary(loops: Iterable[Standing], excluded: str) -> str:
    """A line for each loop but one: enough to see obvious conflicts by."""
    lines = [_line(one) for one in loops if one.loop != excluded]
    more = len(lines) - MOST_LOOPS
    return "\n".join([*lines[:MOST_LOOPS], f"- and {more} more"] if more > 0 else lines)


def _line(one: Standing) -> str:
    title = _short(one.title)
    if not one.active:
        return f"- Loop {_short(one.loop)} ({_short(one.doing) or 'completed'}): {title}"
    doing = _short(one.doing)
    # What is told between two iterations is the one under way; what is said of it, it has finished.
    told = f"Working on {title}, iteration {one.iteration if doing else one.iteration + 1}"
    return f"- Loop {_short(one.loop)} (in_progress): {told}{f' ({doing})' if doing else ''}"


def _short(text: str) -> str:
    line = clean_line(text)
    return line if len(line) <= TITLE_CHARS else line[: TITLE_CHARS - 1].rstrip() + "…"
