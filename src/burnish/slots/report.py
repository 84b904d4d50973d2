"""How slots and their iterations ended, and what follows from that."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


class Fate(StrEnum):
    """What became of a slot. Unreviewed is work that nobody was asked to review, or could.

    One that asks waits for a person, and goes on where it was when that one has answered.
    """

    PASSED = "passed"
    UNREVIEWED = "unreviewed"
    FAILED = "failed"
    IDLE = "idle"
    ASKS = "asks"


@dataclass(frozen=True)
class SlotReport:
    """`landed` is the commit on the branch that everything comes together on; `branch` where the work is."""

    iteration: int
    slot: int
    fate: Fate
    item: str = ""
    title: str = ""
    run: str = ""
    landed: str = ""
    branch: str = ""
    why: str = ""
    reviews: int = 0
    fixes: int = 0
    stop: str = ""
    retry_s: float | None = None


class Next(StrEnum):
    """What follows an iteration."""

    GO_ON = "go_on"
    WAIT = "wait"
    EMPTY = "empty"
    STOPPED = "stopped"
    FAILED = "failed"
    ASKS = "asks"


def after(slots: Sequence[SlotReport], left: int | None) -> tuple[Next, float]:
    """What follows, and the seconds to wait before it. `left` is how many tasks are still open, where known.

    A slot that asks a person is not over, so neither is its iteration. A failed slot fails its iteration, and
    that ends the session unless every failed agent named a delay. An agent's stop marker ends it too.
    """
    if any(slot.fate is Fate.ASKS for slot in slots):
        return Next.ASKS, 0.0
    failed = [slot for slot in slots if slot.fate is Fate.FAILED]
    delays = [slot.retry_s for slot in failed if slot.retry_s is not None]
    if failed:
        return (Next.WAIT, max(delays)) if len(delays) == len(failed) else (Next.FAILED, 0.0)
    if any(slot.stop for slot in slots):
        return (Next.STOPPED if left else Next.EMPTY), 0.0
    return (Next.GO_ON if slots and left != 0 else Next.EMPTY), 0.0


@dataclass(frozen=True)
class SlotsReport:
    """A session as it stands when its command ends."""

    run: str
    branch: str
    slots: tuple[SlotReport, ...]
    iteration: int
    most: int | None
    left: int | None
    message: str
    exit_code: int
    outcome: str = ""
    hints: tuple[str, ...] = ()
