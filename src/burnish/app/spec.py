"""What a run was asked to do, whole: stored with the run, so that resuming needs nothing else."""

from __future__ import annotations

from dataclasses import dataclass, field

from burnish.app.build_plan import BuildPlan
from burnish.app.slots_plan import SlotsPlan
from burnish.app.spec_plan import SpecPlan
from burnish.config.prices import OwnPrice
from burnish.loops.part import LoopPart
from burnish.model.agent_session import FixerSession
from burnish.model.ceiling import Ceiling
from burnish.model.dimension import Dimension
from burnish.model.landing import Land
from burnish.model.mode import GivenReview, Mode
from burnish.model.profile import Limit
from burnish.model.review import Finding, Severity
from burnish.model.subject import Subject
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
    """How children are confined. `run_unsandboxed`: a person let a change's tests run without a sandbox."""

    mode: str = "auto"
    network: bool = True
    home_paths: tuple[str, ...] = ()
    pass_env: tuple[str, ...] = ()
    run_unsandboxed: bool = False


@dataclass(frozen=True)
class ReviewSpec:
    """What a run of `burnish review` or `burnish fix` was asked besides: all of it stored with the run.

    `agents` is the chain asked for each dimension; `given` are findings to fix instead of reviewing first.
    """

    subject: Subject
    session: str
    review_id: str
    dimensions: tuple[Dimension, ...] = tuple(Dimension)
    max_iterations: int = 3
    everything: bool = False
    fix: bool = False
    unsafe: bool = False
    batch_size: int = 5
    agents: tuple[str, ...] = ()
    sarif: tuple[str, ...] = ()
    test_command: str = ""
    test_origin: str = ""
    tests: bool = True
    min_severity: Severity = Severity.LOW
    wanted: tuple[str, ...] = ()
    given: tuple[Finding, ...] = ()
    options: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class RunSpec:
    """`models` has a model or tier for each role that has one of its own; `session`: it is that of a spec."""

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
    compat: bool = False
    diff_cap: int = 50_000
    confinement: Confinement = Confinement()
    strict: bool = False
    sign: str = ""
    notices: tuple[tuple[str, str], ...] = ()
    prompts: tuple[tuple[str, str], ...] = ()
    models: tuple[tuple[str, str], ...] = ()
    review: ReviewSpec | None = None
    mode: Mode = Mode.LOOP
    given: GivenReview | None = None
    branch: str = ""
    move: str = ""
    phase: str = ""
    day: Ceiling = field(default_factory=Ceiling)
    cycles_before: int = 0
    record: str = ""
    prices: tuple[OwnPrice, ...] = ()
    session: SpecPlan | None = None
    fixer_session: FixerSession = FixerSession.FRESH
    loop: LoopPart | None = None
    build: BuildPlan | None = None
    slots: SlotsPlan | None = None
    options: tuple[tuple[str, str], ...] = ()
