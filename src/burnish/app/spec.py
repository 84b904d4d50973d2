"""What a run was asked to do, whole: stored with the run, so that resuming needs nothing else."""

from __future__ import annotations

from dataclasses import dataclass

from burnish.model.landing import Land
from burnish.model.profile import Limit
from burnish.model.review import Severity
from burnish.model.task import Task


@dataclass(frozen=True)
class TimeLimits:
    """How long each part may take, in seconds."""

    implement_s: float
    review_s: float
    fix_s: float
    gate_s: float
    stall_s: float | None = None


@dataclass(frozen=True)
class Confinement:
    """How children are confined."""

    mode: str = "auto"
    network: bool = True
    home_paths: tuple[str, ...] = ()
    pass_env: tuple[str, ...] = ()


@dataclass(frozen=True)
class RunSpec:
    task: Task
    profile: str
    contract: str
    limit: Limit
    times: TimeLimits
    implementer: str | None = None
    reviewer: str | None = None
    fixer: str | None = None
    gate: str = ""
    protect: tuple[str, ...] = ()
    allow_test_edits: bool = False
    land: Land = Land.BRANCH
    branch_prefix: str = "burnish/"
    policies: tuple[tuple[str, str], ...] = ()
    fail_on: Severity = Severity.HIGH
    min_confidence: float = 0.0
    diff_cap: int = 50_000
    confinement: Confinement = Confinement()
    strict: bool = False
    sign: str = ""
    notices: tuple[tuple[str, str], ...] = ()
    prompts: tuple[tuple[str, str], ...] = ()
