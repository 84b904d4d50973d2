"""How findings are fixed: batches, plans, groups, stages, and what came of each finding."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Protocol, runtime_checkable

from burnish.model.agent import Usage
from burnish.model.change import Dropped
from burnish.model.gate import GateResult
from burnish.model.review import Finding


@dataclass(frozen=True)
class Batch:
    """Findings that are planned together: the same file and dimension, at most the batch size."""

    number: int
    findings: tuple[Finding, ...]
    file: str
    dimension: str


class Complexity(StrEnum):
    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


class Risk(StrEnum):
    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"
    CRITICAL = "critical"


@dataclass(frozen=True)
class FixGroup:
    """Findings that are fixed one after another in one workspace."""

    id: str
    name: str
    findings: tuple[str, ...]
    files: tuple[str, ...] = ()
    approach: str = ""
    rationale: str = ""
    complexity: Complexity = Complexity.LOW
    minutes: int = 5
    test_pattern: str = ""
    rollback: str = ""
    risk: Risk = Risk.LOW
    concerns: tuple[str, ...] = ()
    mitigation: str = ""


class StageMode(StrEnum):
    PARALLEL = "parallel"
    SERIAL = "serial"


@dataclass(frozen=True)
class FixStage:
    number: int
    groups: tuple[str, ...]
    mode: StageMode = StageMode.PARALLEL
    depends_on: tuple[int, ...] = ()
    rationale: str = ""


@dataclass(frozen=True)
class PartialPlan:
    """One planner's answer for one batch. `failed` says why there is none."""

    batch: int
    groups: tuple[FixGroup, ...] = ()
    stages: tuple[FixStage, ...] = ()
    agent: str = "embedded"
    failed: str = ""
    degraded: bool = False
    usage: Usage = Usage()


@dataclass(frozen=True)
class FixPlan:
    """All batches' plans as one. Failed batches have no groups; degraded ones were planned from code only."""

    groups: tuple[FixGroup, ...] = ()
    stages: tuple[FixStage, ...] = ()
    failed_batches: tuple[int, ...] = ()
    degraded_batches: tuple[int, ...] = ()


@dataclass(frozen=True)
class Draft:
    """What a fixer left in its workspace, not checked yet. `crash` says why an agent left nothing usable.

    `spent` is counted with the attempt it belongs to.
    """

    tree: str
    fixer: str
    said: str = ""
    files: tuple[str, ...] = ()
    deleted: tuple[str, ...] = ()
    crash: str = ""
    salvage: str = ""
    isolation: str = ""
    dropped: tuple[Dropped, ...] = ()
    spent: Usage = Usage()


class FixResult(StrEnum):
    """What came of one finding. Only `fixed` has a commit."""

    FIXED = "fixed"
    FAILED = "failed"
    NOT_FIXABLE = "not-fixable"
    ALREADY_GONE = "already-gone"


@dataclass(frozen=True)
class FindingFix:
    """One attempt at a finding, or what all of them came to.

    `verified_by` says what the word fixed rests on: the gate's command, or weaker checks. `before` and `tree`
    are the trees around its commit, `files` what it changed. `crashed` is an agent that did not do its part.
    """

    finding_id: str
    result: FixResult
    attempts: int = 0
    commit: str = ""
    tree: str = ""
    fixer: str = ""
    verified_by: str = ""
    error: str = ""
    started_at: str = ""
    finished_at: str = ""
    usage: Usage = Usage()
    before: str = ""
    files: tuple[str, ...] = ()
    message: str = ""
    said: str = ""
    gate: GateResult | None = None
    crashed: bool = False

    @property
    def fixed(self) -> bool:
        return self.result is FixResult.FIXED


@dataclass(frozen=True)
class GroupResult:
    """A group at its end; `rolled_back` says why none of its fixes are kept."""

    group: str
    fixes: tuple[FindingFix, ...] = ()
    failed: str = ""
    rolled_back: str = ""
    started_at: str = ""
    finished_at: str = ""

    @property
    def kept(self) -> tuple[FindingFix, ...]:
        """The fixes that have a commit on the line."""
        return () if self.rolled_back else tuple(fix for fix in self.fixes if fix.fixed)


@dataclass(frozen=True)
class StageResult:
    """A stage's groups put on the run's line one after another. `gate` judged exactly this tree."""

    number: int
    commit: str
    tree: str
    groups: tuple[GroupResult, ...] = ()
    gate: GateResult | None = None


@runtime_checkable
class ExplainsItself(Protocol):
    """A fixer that can say why it leaves a finding alone."""

    def why_not(self, finding: Finding, workspace: Path) -> str: ...
