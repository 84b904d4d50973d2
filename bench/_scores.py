"""How a tool did on labelled pairs, in counts and in the ratios that are made of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import fmean


@dataclass(frozen=True)
class Score:
    """Weak sides that were reported and missed, look-alikes that were reported and left alone."""

    found: int = 0
    missed: int = 0
    alarms: int = 0
    quiet: int = 0

    @property
    def precision(self) -> float | None:
        """None where nothing was reported: there is nothing to be right or wrong about."""
        return _ratio(self.found, self.found + self.alarms)

    @property
    def recall(self) -> float | None:
        return _ratio(self.found, self.found + self.missed)

    @property
    def alarm_rate(self) -> float | None:
        return _ratio(self.alarms, self.alarms + self.quiet)

    @property
    def youden(self) -> float | None:
        if self.recall is None or self.alarm_rate is None:
            return None
        return self.recall - self.alarm_rate

    def __add__(self, other: Score) -> Score:
        return Score(
            self.found + other.found,
            self.missed + other.missed,
            self.alarms + other.alarms,
            self.quiet + other.quiet,
        )


@dataclass(frozen=True)
class Ratios:
    precision: float | None
    recall: float | None
    alarm_rate: float | None
    youden: float | None


def counted(verdicts: Iterable[tuple[bool, bool]]) -> Score:
    """Of (is weak, was reported)."""
    total = Score()
    for weak, reported in verdicts:
        total += Score(
            weak and reported, weak and not reported, not weak and reported, not weak and not reported
        )
    return total


def micro(scores: Mapping[str, Score]) -> Ratios:
    """All pairs in one pot."""
    total = sum(scores.values(), Score())
    return Ratios(total.precision, total.recall, total.alarm_rate, total.youden)


def macro(scores: Mapping[str, Score]) -> Ratios:
    """The mean over classes; of precision over those classes in which something was reported."""
    each = list(scores.values())
    return Ratios(
        _mean(one.precision for one in each),
        _mean(one.recall for one in each),
        _mean(one.alarm_rate for one in each),
        _mean(one.youden for one in each),
    )


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if known else None


def _ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None
