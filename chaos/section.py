"""What a section of chaos is: something to inject, counted, and what survived."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Tally:
    """Counts while a section runs. `survive(what)` and `fall(what, why)` each count one injection."""

    injected: int = 0
    survived: int = 0
    fallen: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def survive(self, what: str = "") -> None:
        self.injected += 1
        self.survived += 1

    def fall(self, what: str, why: str) -> None:
        self.injected += 1
        self.fallen.append(f"{what}: {why}")

    def note(self, text: str) -> None:
        """Something a reader of the table should know, such as what cannot be detected or was skipped."""
        self.notes.append(text)


@dataclass(frozen=True)
class Setting:
    """`short` is the subset for `make test`; `folder` is a scratch folder of the section's own."""

    seed: int
    short: bool
    folder: Path


Section = Callable[[Setting, Tally], None]
