"""How a loop stands, as a pure fold of what its run recorded."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import StrEnum

from burnish import codec
from burnish.loops.part import LoopPart
from burnish.loops.stuck import Tally
from burnish.model.change import Change, Failure, FailureKind
from burnish.model.events import (
    Event,
    Recorded,
    RunFinished,
    RunInterrupted,
    RunReopened,
    RunResumed,
    RunStarted,
    StepFailed,
    StepFinished,
    StepStarted,
)
from burnish.model.outcome import Outcome
from burnish.model.review import Finding, Review
from burnish.model.step import Role, Step

# The part of a step that is a checkpoint review, which can never pass the loop.
CHECKPOINT = "checkpoint"


class LoopStatus(StrEnum):
    PENDING = "pending"
    RUNNING = "running"
    NEEDS_REVISION = "needs_revision"
    STUCK = "stuck"
    COMPLETED = "completed"
    FAILED = "failed"
    INTERRUPTED = "interrupted"


class ReviewStatus(StrEnum):
    PENDING = "pending"
    IN_PROGRESS = "in_progress"
    PASSED = "passed"
    FAILED = "failed"


@dataclass(frozen=True)
class LoopState:
    """`feedback` is what the last review found; `phase` what the loop is at; `why` how it ended.

    `revision_attempts` is for its task, a failed one included.
    """

    id: str
    task_id: str = ""
    title: str = ""
    max_iterations: int = 0
    status: LoopStatus = LoopStatus.PENDING
    tally: Tally = field(default_factory=Tally)
    review_status: ReviewStatus = ReviewStatus.PENDING
    last_review_id: str | None = None
    revision_attempts: int = 0
    last_checkpoint_review_at: int = 0
    feedback: tuple[Finding, ...] = ()
    phase: str = ""
    why: str = ""
    last_activity_at: str = ""

    @property
    def iteration(self) -> int:
        return self.tally.iteration

    @property
    def needs_revision(self) -> bool:
        return self.status is LoopStatus.NEEDS_REVISION

    @property
    def active(self) -> bool:
        return self.status in (LoopStatus.RUNNING, LoopStatus.NEEDS_REVISION)


_PHASES = {Role.IMPLEMENT: "build", Role.REVIEW: "review", Role.FIX: "revise", Role.GATE: "gate"}
_ENDS = {
    Outcome.PASSED: LoopStatus.COMPLETED,
    Outcome.UNREVIEWED: LoopStatus.COMPLETED,
    Outcome.FAILED: LoopStatus.FAILED,
    Outcome.CANCELLED: LoopStatus.INTERRUPTED,
    Outcome.EXHAUSTED: LoopStatus.STUCK,
    Outcome.STOPPED: LoopStatus.STUCK,
    Outcome.ESCALATED: LoopStatus.STUCK,
}


def opened(part: LoopPart) -> LoopState:
    """A loop before anything happened."""
    return LoopState(part.loop_id, part.task_id, part.title, part.max_iterations)


def fold(state: LoopState, events: Iterable[Recorded]) -> LoopState:
    for recorded in events:
        state = after(state, recorded)
    return state


def after(state: LoopState, recorded: Recorded) -> LoopState:
    """The state when one more event of the loop's run was recorded."""
    state = replace(state, last_activity_at=recorded.at)
    return _moved(state, recorded.run, recorded.event)


def review_id(run: str, step: Step) -> str:
    """By which a review of a loop is known in the tables."""
    part = f"-{step.part}" if step.part else ""
    return f"{run}-review-{step.cycle}{part}"


def _moved(state: LoopState, run: str, event: Event) -> LoopState:
    match event:
        case RunStarted() | RunResumed():
            return replace(state, status=LoopStatus.RUNNING, why="")
        case RunReopened(forgot):
            again = any(key.startswith(f"{Role.IMPLEMENT}/") for key in forgot)
            tally = state.tally.without_last() if again else state.tally
            return replace(state, status=LoopStatus.RUNNING, why="", tally=tally)
        case StepStarted(step):
            return _begun(state, step)
        case StepFinished(step, "Change", result) if step.role in (Role.IMPLEMENT, Role.FIX):
            return _wrote(state, step, codec.validate(Change, result))
        case StepFailed(step, failure, message):
            return _failed(state, run, step, Failure(step.role, FailureKind(failure), message))
        case StepFinished(step, "Review", result) if step.part != CHECKPOINT:
            return _reviewed(state, run, step, codec.validate(Review, result))
        case RunInterrupted(why):
            return replace(state, status=LoopStatus.INTERRUPTED, why=why)
        case RunFinished():
            status = _ENDS[Outcome(event.outcome)]
            return replace(state, status=status, why="" if status is LoopStatus.COMPLETED else event.message)
        case _:
            return state


def _begun(state: LoopState, step: Step) -> LoopState:
    if step.part == CHECKPOINT:
        return replace(state, last_checkpoint_review_at=state.iteration)
    state = replace(state, phase=_PHASES.get(step.role, state.phase))
    match step.role:
        case Role.REVIEW:
            return replace(state, status=LoopStatus.RUNNING, review_status=ReviewStatus.IN_PROGRESS)
        case Role.IMPLEMENT | Role.FIX:
            return replace(state, status=LoopStatus.RUNNING, review_status=ReviewStatus.PENDING)
        case _:
            return state


def _wrote(state: LoopState, step: Step, change: Change) -> LoopState:
    if step.role is Role.FIX:
        return replace(state, revision_attempts=max(state.revision_attempts, step.cycle))
    return replace(state, tally=state.tally.after(step.cycle, change))


def _reviewed(state: LoopState, run: str, step: Step, review: Review) -> LoopState:
    state = replace(state, last_review_id=review_id(run, step), feedback=review.findings)
    if review.passed:
        return replace(state, review_status=ReviewStatus.PASSED, feedback=())
    return replace(state, review_status=ReviewStatus.FAILED, status=LoopStatus.NEEDS_REVISION)


def _failed(state: LoopState, run: str, step: Step, failure: Failure) -> LoopState:
    """A failed revision counts as an attempt, words that do not fit as a failed review without issues."""
    match step.role:
        case Role.IMPLEMENT:
            return replace(state, tally=state.tally.after(step.cycle, failure))
        case Role.FIX:
            return replace(state, revision_attempts=max(state.revision_attempts, step.cycle))
        case Role.REVIEW if step.part != CHECKPOINT:
            again = failure.kind is FailureKind.VIOLATION and step.ask > 1
            status = LoopStatus.NEEDS_REVISION if again else state.status
            return replace(state, review_status=ReviewStatus.FAILED, status=status, feedback=())
        case _:
            return state
