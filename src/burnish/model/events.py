"""Facts about a run, past tense, append-only. `seq` and `at` are given by the store."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from burnish.model.agent import CostBasis
from burnish.model.step import Step


@dataclass(frozen=True)
class RunStarted:
    kind: ClassVar[str] = "run_started"
    v: ClassVar[int] = 1
    task: str
    title: str
    profile: str
    contract: str
    base: str
    start: str
    limit: int
    limit_unit: str
    agents: dict[str, str]
    gate: str = ""
    base_tree: str = ""


@dataclass(frozen=True)
class RunResumed:
    kind: ClassVar[str] = "run_resumed"
    v: ClassVar[int] = 1
    finished_steps: int


@dataclass(frozen=True)
class RunReopened:
    """An ended run that somebody wants to go on: `forgot` are the steps that will be done again."""

    kind: ClassVar[str] = "run_reopened"
    v: ClassVar[int] = 1
    forgot: tuple[str, ...]
    by: str = ""


@dataclass(frozen=True)
class QuestionAsked:
    """The run ends here until a person answers; `number` counts the questions of the run, `role` asked."""

    kind: ClassVar[str] = "question_asked"
    v: ClassVar[int] = 1
    number: int
    role: str
    text: str


@dataclass(frozen=True)
class QuestionAnswered:
    kind: ClassVar[str] = "question_answered"
    v: ClassVar[int] = 1
    number: int
    question: str
    text: str
    by: str


@dataclass(frozen=True)
class RunInterrupted:
    kind: ClassVar[str] = "run_interrupted"
    v: ClassVar[int] = 1
    why: str


@dataclass(frozen=True)
class StepStarted:
    kind: ClassVar[str] = "step_started"
    v: ClassVar[int] = 1
    step: Step


@dataclass(frozen=True)
class StepFinished:
    """`result` is the encoded fact; `result_type` names its type."""

    kind: ClassVar[str] = "step_finished"
    v: ClassVar[int] = 1
    step: Step
    result_type: str
    result: Any


@dataclass(frozen=True)
class StepFailed:
    kind: ClassVar[str] = "step_failed"
    v: ClassVar[int] = 1
    step: Step
    failure: str
    message: str
    salvage: str = ""


@dataclass(frozen=True)
class Noticed:
    """Something a person should know; `key` makes it said once per run."""

    kind: ClassVar[str] = "notice"
    v: ClassVar[int] = 1
    key: str
    text: str


@dataclass(frozen=True)
class RunFinished:
    kind: ClassVar[str] = "run_finished"
    v: ClassVar[int] = 1
    outcome: str
    reason: str
    message: str
    verdict: str | None
    native: str
    final_verdict: str
    cycles: int
    fixes: int
    base: str
    commit: str | None
    branch: str | None
    receipt: str | None
    cost: float | None
    tokens: int
    exit_code: int
    note: str = ""
    # Whether agents told the cost, it is an estimate, or unknown; of older runs it was told.
    cost_basis: CostBasis | None = None
    # Of the receipt, so that the journal vouches for all of it; runs of an older Burnish have none.
    seal: str = ""
    # False when the result did not go where it was to go; `note` says why.
    landed_as_asked: bool = True


Event = (
    RunStarted
    | RunResumed
    | RunReopened
    | QuestionAsked
    | QuestionAnswered
    | RunInterrupted
    | StepStarted
    | StepFinished
    | StepFailed
    | Noticed
    | RunFinished
)


@dataclass(frozen=True)
class Recorded:
    """An event as the store keeps it."""

    run: str
    seq: int
    at: str
    event: Event
