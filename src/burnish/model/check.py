"""One thing that was looked at because it could stop a run."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Check:
    """`stops` means a run cannot go on; a check with only a remedy is advice.

    `review_works`: what it stops is `run` and `work`, which need an agent; a review goes without.
    """

    name: str
    found: str
    remedy: str = ""
    stops: bool = False
    review_works: bool = False

    @property
    def mark(self) -> str:
        return "✗" if self.stops else "!" if self.remedy else "✓"
