"""A step: one remembered action in a run, and the key it is remembered by."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Role(StrEnum):
    """Who acts in a step: the three roles an agent can take, and the two parts Burnish plays itself."""

    IMPLEMENT = "implement"
    REVIEW = "review"
    FIX = "fix"
    GATE = "gate"
    LAND = "land"


@dataclass(frozen=True)
class Step:
    """Panels (`part`), phases and re-asks (`ask`) have their place in the key, so none needs a migration."""

    role: Role
    cycle: int = 0
    phase: str = ""
    part: str = ""
    ask: int = 1

    @property
    def key(self) -> str:
        return f"{self.role}/{self.phase}/{self.cycle}/{self.part}/{self.ask}"
