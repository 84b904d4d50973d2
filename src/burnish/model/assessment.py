"""What a review of seven dimensions found, from one analyser's answer up to the whole."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from burnish.model.agent import Usage
from burnish.model.dimension import Dimension
from burnish.model.review import Finding, Severity
from burnish.model.subject import NotReviewed

CRITICAL_FILE_DIMENSIONS = 3
MAX_HIGH = 5


@dataclass(frozen=True)
class Cleared:
    """A place to which an analyser followed everything that arrives, and found nothing wrong by `rule`.

    `also` are lines of the same file on which what arrives there was put together, and leads nowhere else.
    """

    file: str
    line: int
    rule: str
    end_line: int | None = None
    also: tuple[int, ...] = ()


@dataclass(frozen=True)
class Covers:
    """Rules of other tools (`tool:rule`, with `*`) that say no more than `rule` of this analyser does."""

    rule: str
    patterns: tuple[str, ...]


@dataclass(frozen=True)
class Analysis:
    """One analyser's answer about one tree. `failed` says why there is none, `raw` is what it printed.

    `unchanged` are the fingerprints of findings that were there before the change and are not told.
    `gave_way` are findings of this tool that are none any more: another followed the data and cleared them.
    """

    tool: str
    version: str = ""
    findings: tuple[Finding, ...] = ()
    not_reviewed: tuple[NotReviewed, ...] = ()
    files: int = 0
    failed: str = ""
    raw: str = ""
    duration_s: float = 0.0
    isolation: str = ""
    unchanged: tuple[str, ...] = ()
    cleared: tuple[Cleared, ...] = ()
    covers: tuple[Covers, ...] = ()
    gave_way: tuple[Finding, ...] = ()


@dataclass(frozen=True)
class DimensionReport:
    """One viewpoint. `agent` is who really looked; `failed` says why nobody could; `degraded` that only the
    embedded reviewer did although others were asked first.

    `passed_over` are agents asked before, with why their answers were not used; `violation` names one that
    edited what it reviewed, where no other agent reviewed it properly; `dropped` counts findings about files
    that are not part of the review.
    """

    dimension: Dimension
    findings: tuple[Finding, ...] = ()
    agent: str = "embedded"
    model: str = ""
    failed: str = ""
    degraded: str = ""
    raw: str = ""
    files: int = 0
    lines: int = 0
    started_at: str = ""
    finished_at: str = ""
    duration_s: float = 0.0
    not_assessed: tuple[str, ...] = ()
    usage: Usage = Usage()
    passed_over: tuple[str, ...] = ()
    violation: str = ""
    dropped: int = 0
    isolation: str = ""


@dataclass(frozen=True)
class CriticalFile:
    file: str
    finding_count: int
    dimensions: tuple[Dimension, ...]


@dataclass(frozen=True)
class PlanStep:
    action: str
    files: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    rationale: str = ""
    validation: str = ""


@dataclass(frozen=True)
class Dive:
    """A second, closer look at one finding. `failed` leaves it unanalysed; `degraded` says that it was made
    from code although agents were asked first, `passed_over` why their answers were not used."""

    finding_id: str
    iteration: int
    agent: str = "embedded"
    model: str = ""
    root_cause: str = ""
    details: str = ""
    scope: str = ""
    similar: tuple[str, ...] = ()
    affected: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    approach: str = ""
    priority: str = ""
    effort: str = ""
    risk: str = ""
    steps: tuple[PlanStep, ...] = ()
    rollback: str = ""
    breaking: bool = False
    severity: Severity | None = None
    reason: str = ""
    confidence: float = 0.0
    references: tuple[str, ...] = ()
    failed: str = ""
    at: str = ""
    duration_s: float = 0.0
    usage: Usage = Usage()
    degraded: str = ""
    passed_over: tuple[str, ...] = ()
    isolation: str = ""


@dataclass(frozen=True)
class Iteration:
    """One round of deep dives: what was looked at, and how the severities stood before and after."""

    number: int
    analysed: tuple[str, ...]
    before: dict[str, int]
    after: dict[str, int]
    at: str = ""
    resolved: int = 0
    escalated: int = 0


@dataclass(frozen=True)
class Assessment:
    """The whole: every dimension's report, the findings once each, and what was looked at more closely.

    `not_assessed` are classes of defects no tool judged, `not_reviewed` files nobody could read.
    """

    reports: tuple[DimensionReport, ...] = ()
    findings: tuple[Finding, ...] = ()
    critical_files: tuple[CriticalFile, ...] = ()
    dives: tuple[Dive, ...] = ()
    iterations: tuple[Iteration, ...] = ()
    not_assessed: tuple[str, ...] = ()
    not_reviewed: tuple[NotReviewed, ...] = ()
    analyses: tuple[Analysis, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def distribution(self) -> dict[str, int]:
        return distribution(self.findings)

    @property
    def gave_way(self) -> tuple[Finding, ...]:
        """What patterns found and the data flow cleared: told as notes, and blocking nothing."""
        return tuple(finding for analysis in self.analyses for finding in analysis.gave_way)


def distribution(findings: tuple[Finding, ...]) -> dict[str, int]:
    """How many findings of each severity; every severity is there."""
    count = Counter(finding.severity for finding in findings)
    return {severity.value: count[severity] for severity in Severity}
