"""What an agent says at the end of an iteration about how far its task is."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class ExitWord(StrEnum):
    ITERATION_DONE = "ITERATION_DONE"
    TASK_COMPLETE = "TASK_COMPLETE"
    TASK_STUCK = "TASK_STUCK"
    TASK_QUESTION = "TASK_QUESTION"


@dataclass(frozen=True)
class ExitSignal:
    """`reason` is why it is stuck, or what it asks a person."""

    word: ExitWord
    reason: str = ""
