"""An agent's session beyond its step: whether it is kept, and which earlier one is gone on with."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path


class FixerSession(StrEnum):
    """What a fixer knows of the cycles before: nothing but its prompt, or what it did and said there."""

    FRESH = "fresh"
    RESUME = "resume"


@dataclass(frozen=True)
class SessionUse:
    """Folders of ours: `keep` is where the session of this call goes, `goes_on` has the one to go on with."""

    keep: Path
    goes_on: Path | None = None
