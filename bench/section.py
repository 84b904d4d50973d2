"""What a section of the benchmark is: something measured, as tables, goals and sentences for one page."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Setting:
    """`runs` are those of each contender in all rounds together; `folder` is the section's own.

    `quick` shows that everything runs, and measures nothing worth keeping. `split` is the half of labelled
    cases, and `final` that this is the one time that the held half is opened.
    """

    rounds: int
    quick: bool
    folder: Path
    runs: int = 100
    split: str = "dev"
    final: bool = False


@dataclass(frozen=True)
class Goal:
    """`measured` stands beside what was wanted, whichever way it turned out."""

    what: str
    wanted: str
    measured: str
    met: bool


@dataclass
class Page:
    """What a section found, as lines of Markdown, and its goals."""

    lines: list[str] = field(default_factory=list)
    goals: list[Goal] = field(default_factory=list)

    def say(self, text: str) -> None:
        self.lines += [text, ""]

    def table(self, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        self.lines += [_row(columns), _row(["---"] * len(columns)), *(_row(row) for row in rows), ""]

    def goal(self, what: str, wanted: str, measured: str, *, met: bool) -> None:
        self.goals.append(Goal(what, wanted, measured, met))


Section = Callable[[Setting, Page], None]


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def spread(values: Sequence[float], unit: str = "", digits: int = 2) -> str:
    """The median, and from where to where it went."""
    middle = statistics.median(values)
    return f"{middle:.{digits}f}{unit} ({min(values):.{digits}f} to {max(values):.{digits}f})"
