"""What a slot, a loop or a task is doing at this moment, in a word."""

from __future__ import annotations

from enum import StrEnum


class Badge(StrEnum):
    """`WAIT` is for a limit to end, for the others of its group, or for a person."""

    QUEUED = "QUEUED"
    SPAWN = "SPAWN"
    GATE = "GATE"
    REVIEW = "REVIEW"
    FIX = "FIX"
    MERGE = "MERGE"
    WAIT = "WAIT"
    DONE = "DONE"
    FAILED = "FAILED"
    STUCK = "STUCK"
    SKIPPED = "SKIPPED"
    IDLE = "IDLE"

    @property
    def at_work(self) -> bool:
        return self in (Badge.SPAWN, Badge.GATE, Badge.REVIEW, Badge.FIX, Badge.MERGE)

    @property
    def over(self) -> bool:
        """Whether nothing more comes of it by itself."""
        return self in (Badge.DONE, Badge.FAILED, Badge.STUCK, Badge.SKIPPED, Badge.IDLE)
