"""What a front end asks for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from burnish.config.load import Flag
from burnish.loops.part import LoopPart
from burnish.model.agent import Usage
from burnish.model.briefing import Briefing
from burnish.model.dimension import Dimension
from burnish.model.mode import GivenReview, Mode
from burnish.model.queue import TaskType
from burnish.model.review import Finding, Severity


@dataclass(frozen=True)
class RunRequest:
    """`flags` are settings given by name (`limits.cycles`), stronger than every file.

    `record` is a folder for recordings of what agents do.
    """

    prompt: str
    flags: Mapping[str, Flag]
    base: str | None = None
    policies: tuple[str, ...] = ()
    strict: bool = False
    sign: str = ""
    errand: Errand | None = None
    record: str = ""


@dataclass(frozen=True)
class Errand:
    """What the queue and the spec runner decide for a run besides: `start` is a commit, `branch` a name.

    `move` is an existing branch that the result goes on with; `id` stands in commit subjects; `parent` is the
    run of the session it belongs to; `settings_at` is the commit whose settings hold, where it is not the
    base; `cycles_before` is how many cycles were counted before this run's first; `loop` is which loop of a
    build it is.
    """

    run_id: str
    start: str
    label: str = ""
    id: str = ""
    mode: Mode = Mode.LOOP
    branch: str = ""
    move: str = ""
    given: GivenReview | None = None
    briefing: Briefing = field(default_factory=Briefing)
    phase: str = ""
    task_type: TaskType = TaskType.IMPLEMENT
    earlier: Usage = field(default_factory=Usage)
    parent: str = ""
    settings_at: str = ""
    cycles_before: int = 0
    loop: LoopPart | None = None


@dataclass(frozen=True)
class ReviewRequest:
    """A review, with or without its fixes. `agents` are asked in this order before the embedded reviewer."""

    words: tuple[str, ...]
    flags: Mapping[str, Flag]
    places: Mapping[str, str | bool | None]
    dimensions: tuple[Dimension, ...] = tuple(Dimension)
    max_iterations: int = 3
    everything: bool = False
    fix: bool = False
    unsafe: bool = False
    batch_size: int = 5
    agents: tuple[str, ...] = ()
    sarif: tuple[str, ...] = ()
    tests: bool = True
    min_severity: Severity = Severity.LOW
    sign: str = ""
    fixer: str = ""
    session: str = ""
    wanted: tuple[str, ...] = ()
    given: tuple[Finding, ...] = ()
    warnings: tuple[str, ...] = ()
