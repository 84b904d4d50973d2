"""A policy's answer."""

from __future__ import annotations

from dataclasses import dataclass

from burnish.model.outcome import Outcome
from burnish.model.reason import Reason


@dataclass(frozen=True)
class Assess:
    """Have the change reviewed."""


@dataclass(frozen=True)
class Fix:
    """Have the findings of the last review fixed."""


@dataclass(frozen=True)
class Implement:
    """Have whoever implements go on: its question was answered."""


@dataclass(frozen=True)
class Stop:
    """End the loop."""

    outcome: Outcome
    reason: Reason
    message: str = ""


Decision = Assess | Fix | Implement | Stop
