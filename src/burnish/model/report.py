"""A review as it is told: everything a renderer needs, and nothing that has to be looked up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from burnish.model.assessment import Assessment
from burnish.model.fixing import FindingFix
from burnish.model.ledger import LedgerEntry
from burnish.model.review import Finding, Severity
from burnish.model.subject import Subject


def entry_of(finding: Finding, entries: Mapping[str, LedgerEntry]) -> LedgerEntry | None:
    return next((entries[mark] for mark in finding.fingerprints if mark in entries), None)


@dataclass(frozen=True)
class Blocking:
    """What keeps a review from passing."""

    fail_on: Severity = Severity.HIGH
    min_confidence: float = 0.0

    def is_sure(self, finding: Finding) -> bool:
        return finding.confidence is None or finding.confidence >= self.min_confidence

    def blocks(self, finding: Finding, entry: LedgerEntry | None) -> bool:
        if not finding.severity.at_least(self.fail_on) or (entry and entry.state.dismissed):
            return False
        return self.is_sure(finding)


@dataclass(frozen=True)
class ReviewReport:
    """`entries` is the ledger by fingerprint; `fixes` what was done, `landed` where that is."""

    run: str
    review_id: str
    session: str
    subject: Subject
    assessment: Assessment
    blocking: Blocking = Blocking()
    min_severity: Severity = Severity.LOW
    entries: Mapping[str, LedgerEntry] = field(default_factory=dict)
    outcome: str = ""
    message: str = ""
    receipt: str = ""
    fixes: tuple[FindingFix, ...] = ()
    landed: str = ""
    max_iterations: int = 3
    folder: str = ""

    def entry(self, finding: Finding) -> LedgerEntry | None:
        return entry_of(finding, self.entries)

    def is_dismissed(self, finding: Finding) -> bool:
        entry = self.entry(finding)
        return bool(entry and entry.state.dismissed)

    @property
    def shown(self) -> tuple[Finding, ...]:
        """What is told, dismissed findings included."""
        return tuple(f for f in self.assessment.findings if f.severity.at_least(self.min_severity))

    @property
    def open(self) -> tuple[Finding, ...]:
        return tuple(f for f in self.shown if not self.is_dismissed(f))

    @property
    def blockers(self) -> tuple[Finding, ...]:
        return tuple(f for f in self.assessment.findings if self.blocking.blocks(f, self.entry(f)))

    @property
    def doubtful(self) -> tuple[Finding, ...]:
        """Open, but under the confidence asked for: they never block and are counted apart."""
        return tuple(f for f in self.open if not self.blocking.is_sure(f))

    @property
    def unchanged(self) -> int:
        """Older findings that were not told."""
        return sum(len(analysis.unchanged) for analysis in self.assessment.analyses)
