"""The fields of the JSON format; docs/reference/schemas/review.schema.json is made from these classes."""

from __future__ import annotations

from dataclasses import dataclass

from burnish.model.assessment import CriticalFile, PlanStep
from burnish.model.dimension import Dimension
from burnish.model.fixing import FixResult
from burnish.model.ledger import LedgerState
from burnish.model.review import FlowStep, Severity, SuspectLine
from burnish.model.subject import FileStatus, NotReviewed, ReviewMode

VERSION = 1


@dataclass(frozen=True)
class Decision:
    """Who decided last what becomes of a finding, and why."""

    state: LedgerState
    by: str
    at: str
    why: str


@dataclass(frozen=True)
class FindingPage:
    """One finding. `number` is its number in the ledger, without the F; `flow` is the way of untrusted input,
    source first; `suspects` are lines that failing tests ran and passing ones ran less; `same_rules` are
    rules of other tools that say the same, `also` fingerprints that they knew it by; `is_new` is null where
    nothing was compared; `blocks` tells whether it keeps the review from passing, `doubtful` whether it is
    under the confidence asked for."""

    id: str
    number: int | None
    title: str
    severity: Severity
    dimension: str
    category: str
    file: str
    line: int | None
    end_line: int | None
    snippet: str
    detail: str
    impact: str
    suggestion: str
    rule: str
    tools: tuple[str, ...]
    confidence: float | None
    cwe: str
    owasp: str
    references: tuple[str, ...]
    flow: tuple[FlowStep, ...]
    suspects: tuple[SuspectLine, ...]
    fingerprint: str
    also: tuple[str, ...]
    same_rules: tuple[str, ...]
    is_new: bool | None
    fixable: bool
    state: LedgerState
    blocks: bool
    doubtful: bool
    decision: Decision | None


@dataclass(frozen=True)
class SummaryPage:
    """`critical` to `low` and `total` count what is neither doubtful nor dismissed; `older` was there before
    the change and `below_min_severity` is less severe than asked for: neither is in `findings`."""

    critical: int
    high: int
    medium: int
    low: int
    total: int
    doubtful: int
    dismissed: int
    older: int
    below_min_severity: int
    dimensions_reviewed: int
    dimensions: int
    iterations: int
    max_iterations: int


@dataclass(frozen=True)
class VerdictPage:
    """How it ended; `blockers` are ids."""

    outcome: str
    message: str
    fail_on: Severity
    min_confidence: float
    min_severity: Severity
    blockers: tuple[str, ...]


@dataclass(frozen=True)
class FilePage:
    path: str
    status: FileStatus
    old_path: str
    lines: int


@dataclass(frozen=True)
class SubjectPage:
    """What was looked at; `base_tree` is empty where there was nothing to compare with."""

    mode: ReviewMode
    title: str
    tree: str
    base_tree: str
    base: str
    head: str
    patterns: tuple[str, ...]
    insertions: int
    deletions: int
    files: tuple[FilePage, ...]


@dataclass(frozen=True)
class DimensionPage:
    """`agent` is who really looked; `failed` says why nobody could, `degraded` why only we did; `passed_over`
    are agents asked before, `violation` names one that wrote where it may only read, `dropped` findings that
    were not taken."""

    dimension: Dimension
    agent: str
    model: str
    failed: str
    degraded: str
    passed_over: tuple[str, ...]
    violation: str
    dropped: int
    isolation: str
    findings: int
    files: int
    lines: int
    duration_s: float
    tokens: int
    cost_usd: float | None


@dataclass(frozen=True)
class ToolPage:
    """One analyser; `findings` counts what it told, `older` what it left out."""

    tool: str
    version: str
    failed: str
    isolation: str
    findings: int
    older: int
    files: int
    duration_s: float


@dataclass(frozen=True)
class GaveWayPage:
    """What a pattern found at a place where another analyser followed the data and found it sound."""

    rule: str
    title: str
    severity: Severity
    file: str
    line: int | None
    fingerprint: str


@dataclass(frozen=True)
class DivePage:
    """A closer look at one finding; `failed` leaves it unanalysed, `degraded` says why code made it."""

    finding_id: str
    iteration: int
    agent: str
    model: str
    failed: str
    degraded: str
    passed_over: tuple[str, ...]
    isolation: str
    root_cause: str
    details: str
    scope: str
    similar: tuple[str, ...]
    affected: tuple[str, ...]
    tests: tuple[str, ...]
    approach: str
    priority: str
    effort: str
    risk: str
    steps: tuple[PlanStep, ...]
    rollback: str
    breaking: bool
    severity: Severity | None
    reason: str
    confidence: float
    references: tuple[str, ...]


@dataclass(frozen=True)
class FixPage:
    """What came of one finding; `verified_by` is what the word fixed rests on."""

    finding_id: str
    title: str
    result: FixResult
    attempts: int
    commit: str
    fixer: str
    verified_by: str
    error: str
    files: tuple[str, ...]


@dataclass(frozen=True)
class ReviewPage:
    """A review. `version` grows when a field changes its meaning or goes away; new fields may come at any
    time. `folder` holds the review's own files, `receipt` is its evidence."""

    version: int
    tool: str
    tool_version: str
    run: str
    review_id: str
    session: str
    verdict: VerdictPage
    summary: SummaryPage
    subject: SubjectPage
    findings: tuple[FindingPage, ...]
    critical_files: tuple[CriticalFile, ...]
    dimensions: tuple[DimensionPage, ...]
    tools: tuple[ToolPage, ...]
    dives: tuple[DivePage, ...]
    not_assessed: tuple[str, ...]
    not_reviewed: tuple[NotReviewed, ...]
    gave_way: tuple[GaveWayPage, ...]
    warnings: tuple[str, ...]
    fixes: tuple[FixPage, ...]
    landed: str
    receipt: str
    folder: str
