"""How much of the loop a run goes through."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Mode(StrEnum):
    """LOOP is the whole loop; the others are the parts that tasks of the manual flow are made of."""

    LOOP = "loop"
    IMPLEMENT = "implement"
    REVIEW = "review"
    IMPROVE = "improve"
    PLAN = "plan"
    EXPLORE = "explore"

    @property
    def reports(self) -> bool:
        """Whether the result is words, not code."""
        return self in (Mode.PLAN, Mode.EXPLORE)


@dataclass(frozen=True)
class GivenReview:
    """A review made elsewhere that a run begins by addressing; `cycle` is its number there."""

    text: str
    cycle: int = 1
    task: str = ""
