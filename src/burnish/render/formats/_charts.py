"""The bars of the HTML report: numbers to places between 0 and 100."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from burnish.model.dimension import Dimension
from burnish.model.review import Finding, Severity
from burnish.sanitise import clean_line

# Only for the order of hot spots: one critical finding outweighs any number of smells a file usually has.
WEIGHTS = {Severity.CRITICAL: 100, Severity.HIGH: 10, Severity.MEDIUM: 3, Severity.LOW: 1}
HOT_SPOTS = 10


@dataclass(frozen=True)
class Piece:
    severity: str
    count: int
    x: str
    width: str


@dataclass(frozen=True)
class Bar:
    """One row of a chart; `said` is the same in words, for whoever cannot see it."""

    label: str
    total: int
    pieces: tuple[Piece, ...]
    said: str


def by_dimension(findings: Iterable[Finding], dimensions: Iterable[Dimension]) -> tuple[Bar, ...]:
    counts: dict[str, Counter[Severity]] = {dimension.value: Counter() for dimension in dimensions}
    for finding in findings:
        counts.setdefault(finding.dimension or "other", Counter())[finding.severity] += 1
    return _bars(counts)


def hot_spots(findings: Iterable[Finding]) -> tuple[Bar, ...]:
    """The files with the worst findings."""
    counts: dict[str, Counter[Severity]] = {}
    for finding in findings:
        if finding.file:
            counts.setdefault(finding.file, Counter())[finding.severity] += 1
    worst = sorted(counts, key=lambda file: (-_weight(counts[file]), file))[:HOT_SPOTS]
    return _bars({file: counts[file] for file in worst})


def _weight(count: Counter[Severity]) -> int:
    return sum(WEIGHTS[severity] * number for severity, number in count.items())


def _bars(counts: dict[str, Counter[Severity]]) -> tuple[Bar, ...]:
    longest = max((count.total() for count in counts.values()), default=0) or 1
    return tuple(_bar(clean_line(label), count, longest) for label, count in counts.items())


def _bar(label: str, count: Counter[Severity], longest: int) -> Bar:
    pieces, at = [], 0.0
    for severity in Severity:
        if count[severity]:
            width = 100 * count[severity] / longest
            pieces.append(Piece(severity.value, count[severity], f"{at:.2f}", f"{width:.2f}"))
            at += width
    said = ", ".join(f"{piece.count} {piece.severity}" for piece in pieces) or "no findings"
    return Bar(label, count.total(), tuple(pieces), f"{label}: {said}")
