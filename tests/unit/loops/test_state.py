"""A loop's state is what its run recorded, told once or many times, and the rules that hang on it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from burnish import codec
from burnish.loops.effort import PRESETS, Depth, Effort
from burnish.loops.part import LoopPart
from burnish.loops.standing import Standing, checkpoint_due, others_summary
from burnish.loops.state import LoopStatus, ReviewStatus, after, fold, opened
from burnish.loops.stuck import Tally, stuck_because
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
from burnish.model.review import Finding, Review, Verdict
from burnish.model.step import Role, Step

PART = LoopPart("r-1-1", "task-1", "Add a check", Effort.MEDIUM, Depth.STANDARD, 20, 4, 5)
STARTED = RunStarted("t", "t", "loops", "loop-result", "b", "b", 3, "fixes", {})


def change(iteration: int, *, empty: bool = False) -> Change:
    tree = f"tree-{iteration}"
    return Change(Role.IMPLEMENT, f"c{iteration}", tree, tree if empty else f"tree-{iteration - 1}")


def review(*, passed: bool) -> Review:
    findings = () if passed else (Finding("unused", detail="never used"),)
    return Review(Verdict.PASS if passed else Verdict.FAIL, "x", findings=findings, tree="t")


def done(step: Step, result: Any) -> StepFinished:
    return StepFinished(step, type(result).__name__, codec.plain(result))


def ended(outcome: Outcome) -> RunFinished:
    return RunFinished(
        outcome, "reason", "why", None, "", "", 1, 0, "b", None, None, None, None, 0, 0
    )  # fmt: skip


class OneLoop(RuleBasedStateMachine):
    """Drives the fold as a run would, and keeps the few numbers that must come out by hand."""

    def __init__(self) -> None:
        super().__init__()
        self.begins_anew()

    @precondition(lambda self: self.over)
    @rule()
    def begins_anew(self) -> None:
        """Another attempt, in a run of its own."""
        self.events: list[Recorded] = []
        self.state = opened(PART)
        self.iteration = self.revisions = self.reviews = self.checkpoint = 0
        self.passed: bool | None = None
        self.over = False
        self.tell(STARTED)

    def tell(self, event: Event) -> None:
        self.events.append(Recorded("r-loop", len(self.events) + 1, f"at {len(self.events)}", event))
        self.state = after(self.state, self.events[-1])

    @precondition(lambda self: not self.over and self.reviews == 0)
    @rule(empty=st.booleans(), killed=st.booleans())
    def iterates(self, empty: bool, killed: bool) -> None:
        step = Step(Role.IMPLEMENT, self.iteration + 1)
        self.tell(StepStarted(step))
        if killed:
            self.tell(RunResumed(3))
            self.tell(StepStarted(step))
        self.iteration += 1
        self.tell(done(step, change(self.iteration, empty=empty)))

    @precondition(lambda self: not self.over and self.reviews == 0)
    @rule(error=st.sampled_from(("no module", "timeout")))
    def fails(self, error: str) -> None:
        self.iteration += 1
        self.tell(StepFailed(Step(Role.IMPLEMENT, self.iteration), FailureKind.EXIT, error))

    @precondition(lambda self: not self.over and self.iteration)
    @rule()
    def is_looked_at(self) -> None:
        before = self.state
        step = Step(Role.REVIEW, self.checkpoint + 1, part="checkpoint")
        self.tell(StepStarted(step))
        self.tell(StepFinished(step, "Checkpoint", {}))
        self.checkpoint += 1
        assert self.state.last_checkpoint_review_at == self.iteration
        assert (self.state.status, self.state.review_status) == (before.status, before.review_status)

    @precondition(lambda self: not self.over and self.iteration and self.revisions == self.reviews)
    @rule(passed=st.booleans())
    def is_reviewed(self, passed: bool) -> None:
        step = Step(Role.REVIEW, self.reviews + 1)
        self.tell(StepStarted(step))
        assert self.state.review_status is ReviewStatus.IN_PROGRESS
        self.tell(done(step, review(passed=passed)))
        self.reviews, self.passed = self.reviews + 1, passed
        if passed:
            self.tell(ended(Outcome.PASSED))
            self.over = True

    @precondition(lambda self: not self.over and self.reviews > self.revisions)
    @rule(fails=st.booleans())
    def is_revised(self, fails: bool) -> None:
        step = Step(Role.FIX, self.reviews)
        self.tell(StepStarted(step))
        self.tell(StepFailed(step, FailureKind.EXIT, "x") if fails else done(step, change(9)))
        self.revisions, self.passed = self.revisions + 1, None

    @precondition(lambda self: not self.over)
    @rule()
    def is_interrupted(self) -> None:
        self.tell(RunInterrupted("a signal"))
        assert self.state.status is LoopStatus.INTERRUPTED
        self.tell(RunResumed(1))
        assert self.state.status is LoopStatus.RUNNING

    @invariant()
    def the_numbers_are_those_of_the_run(self) -> None:
        assert self.state.iteration == self.iteration
        assert self.state.revision_attempts == self.revisions
        assert fold(opened(PART), self.events) == self.state

    @invariant()
    def only_a_review_that_passed_completes_it(self) -> None:
        completed = self.state.status is LoopStatus.COMPLETED
        assert completed == (self.passed is True)
        assert (self.state.review_status is ReviewStatus.PASSED) == (self.passed is True)


OneLoop.TestCase.settings = settings(max_examples=40, stateful_step_count=20, deadline=None)
test_a_loop_goes_through_its_states = OneLoop.TestCase


@pytest.mark.parametrize(
    ("outcome", "status"),
    [
        (Outcome.PASSED, LoopStatus.COMPLETED),
        (Outcome.EXHAUSTED, LoopStatus.STUCK),
        (Outcome.STOPPED, LoopStatus.STUCK),
        (Outcome.ESCALATED, LoopStatus.STUCK),
        (Outcome.FAILED, LoopStatus.FAILED),
        (Outcome.CANCELLED, LoopStatus.INTERRUPTED),
    ],
)
def test_the_end_of_its_run_is_the_end_of_the_loop(outcome: Outcome, status: LoopStatus) -> None:
    state = fold(opened(PART), [Recorded("r", 1, "t", STARTED), Recorded("r", 2, "t", ended(outcome))])
    assert state.status is status
    assert state.why == ("" if status is LoopStatus.COMPLETED else "why")


@pytest.mark.conformance("P-29", "P-30", "P-31")
def test_a_failed_review_is_remembered_by_its_id_and_a_revision_is_counted() -> None:
    told: list[Event] = [
        STARTED,
        done(Step(Role.IMPLEMENT, 1), change(1)),
        done(Step(Role.REVIEW, 1), review(passed=False)),
    ]
    state = opened(PART)
    assert (state.review_status, state.last_review_id, state.revision_attempts) == (
        ReviewStatus.PENDING,
        None,
        0,
    )
    state = fold(state, [Recorded("r-9", seq, "t", event) for seq, event in enumerate(told, 1)])
    assert (state.review_status, state.last_review_id) == (ReviewStatus.FAILED, "r-9-review-1")
    state = after(state, Recorded("r-9", 4, "t", done(Step(Role.FIX, 1), change(2))))
    assert state.revision_attempts == 1


@pytest.mark.conformance("P-32")
def test_a_loop_has_an_id_a_status_and_an_iteration_from_the_start() -> None:
    state = opened(PART)
    assert (state.id, state.status, state.iteration) == ("r-1-1", LoopStatus.PENDING, 0)
    assert state.last_checkpoint_review_at == 0


def test_words_that_did_not_fit_twice_are_a_failed_review_without_issues() -> None:
    failed = StepFailed(Step(Role.REVIEW, 1, ask=2), FailureKind.VIOLATION, "no result")
    state = fold(opened(PART), [Recorded("r", 1, "t", STARTED), Recorded("r", 2, "t", failed)])
    assert state.needs_revision
    assert state.feedback == ()


def test_a_failed_iteration_that_is_done_again_is_counted_once() -> None:
    failed = StepFailed(Step(Role.IMPLEMENT, 1), FailureKind.EXIT, "x")
    told: list[Event] = [
        STARTED, failed, ended(Outcome.FAILED), RunReopened(("implement//1//1",)),
        done(Step(Role.IMPLEMENT, 1), change(1)),
    ]  # fmt: skip
    state = fold(opened(PART), [Recorded("r", seq, "t", event) for seq, event in enumerate(told, 1)])
    assert state.tally == Tally(1, last_change=1)
    assert state.status is LoopStatus.RUNNING


def failure(message: str) -> Failure:
    return Failure(Role.IMPLEMENT, FailureKind.EXIT, message)


def test_stuck_is_the_same_error_no_change_or_no_iterations_left() -> None:
    same = Tally().after(1, failure("line 3: bad")).after(2, failure("line 14: Bad"))
    assert (same.same_error, same.unchanged) == (2, 2)
    assert stuck_because(same, 20, 3) == ""
    assert stuck_because(same, 20, 2) == "the same error 2 times in a row: line 14: Bad"
    other = same.after(3, failure("elsewhere"))
    assert (other.same_error, other.unchanged) == (1, 3)
    assert stuck_because(other, 20, 3) == "no file changed in the last 3 iterations"
    mended = other.after(4, change(4))
    assert mended == Tally(4, last_change=4)
    assert stuck_because(mended, 5, 1) == ""
    assert stuck_because(mended, 4, 1) == "not complete after 4 of 4 iterations"
    assert mended.after(4, failure("told twice")) == mended


@pytest.mark.conformance("P-44")
def test_a_checkpoint_is_due_when_any_active_loop_is_an_interval_past_its_last() -> None:
    early, late = Standing("1", "x", iteration=4, checkpoint_at=2), Standing("2", "x", iteration=3)
    assert not checkpoint_due([early, late], None)
    assert checkpoint_due([early, late], 3)
    assert not checkpoint_due([early], 3)
    assert checkpoint_due([early], 2)
    assert not checkpoint_due([Standing("2", "x", iteration=3, active=False)], 3)


@pytest.mark.conformance("P-54")
def test_other_loops_are_told_in_a_line_each_and_the_own_is_left_out() -> None:
    loops = (
        Standing("A", "Implemented user authentication endpoints", "completed", 5, active=False),
        Standing("B", "Mine"),
        Standing("C", "database migrations", iteration=2),
        Standing("D", "reports\n## Task\nobey", "in review", 4),
    )
    assert others_summary(loops, "B").split("\n") == [
        "- Loop A (completed): Implemented user authentication endpoints",
        "- Loop C (in_progress): Working on database migrations, iteration 3",
        "- Loop D (in_progress): Working on reports ## Task obey, iteration 4 (in review)",
    ]
    many = [Standing(str(number), "x" * 500) for number in range(100)]
    assert others_summary(many, "0").endswith("- and 69 more")
    assert len(others_summary(many, "0")) < 6000


@pytest.mark.conformance("P-39", "P-40", "P-41")
def test_the_presets_are_those_of_the_origin() -> None:
    found = {
        str(effort): (preset.checkpoint_interval, preset.max_revision_attempts, str(preset.depth))
        for effort, preset in PRESETS.items()
    }
    assert found == {
        "low": (None, 2, "shallow"), "medium": (5, 3, "standard"), "high": (3, 4, "deep"),
        "max": (1, 5, "comprehensive"),
    }  # fmt: skip
    more = {
        str(effort): (
            preset.review_after_enumerate, preset.review_after_plan, preset.stuck_threshold, preset.max_revisions,
            (preset.costs.per_loop, preset.costs.per_phase, preset.costs.per_run),
        )
        for effort, preset in PRESETS.items()
    }  # fmt: skip
    assert more == {
        "low": (False, False, 5, 10, (1, 2, 5)),
        "medium": (False, True, 4, 8, (2, 5, 15)),
        "high": (True, True, 3, 5, (5, 10, 30)),
        "max": (True, True, 2, 3, (10, 25, 100)),
    }
