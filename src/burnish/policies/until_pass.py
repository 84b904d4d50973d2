"""Review and fix until a review passes or the profile's limit is reached."""

from __future__ import annotations

from dataclasses import dataclass

from burnish.model.change import Change, Failure, FailureKind
from burnish.model.decision import Assess, Decision, Fix, Stop
from burnish.model.history import History, Skipped
from burnish.model.outcome import Outcome
from burnish.model.profile import Limit, LimitUnit, OnViolation, Profile
from burnish.model.reason import Reason
from burnish.model.review import Review, Verdict
from burnish.model.signal import ExitSignal, ExitWord
from burnish.model.step import Role

_FAILED = {
    Role.IMPLEMENT: Reason.IMPLEMENTER_FAILED,
    Role.REVIEW: Reason.REVIEWER_FAILED,
    Role.FIX: Reason.FIXER_FAILED,
}
_TIMED_OUT = {
    Role.IMPLEMENT: Reason.IMPLEMENTER_TIMEOUT,
    Role.REVIEW: Reason.REVIEWER_TIMEOUT,
    Role.FIX: Reason.FIXER_TIMEOUT,
}

MOST_CHARS = 500
_NOTHING = "nothing was changed, so there is nothing to review"


@dataclass(frozen=True)
class UntilPass:
    profile: Profile
    limit: Limit
    can_fix: bool = True
    # A module review looks at what is there, whether or not it changed.
    needs_change: bool = True

    def decide(self, history: History) -> Decision:
        match history.last:
            case Skipped(why):
                return Stop(Outcome.UNREVIEWED, Reason.REVIEW_SKIPPED, f"review skipped: {why}")
            case Failure() as failure:
                return self._after_failure(failure)
            case Review() as review:
                return self._after_review(review, history)
            case Change(signal=ExitSignal(ExitWord.TASK_STUCK, why)):
                return Stop(Outcome.STOPPED, Reason.TASK_STUCK, why)
            case Change(signal=ExitSignal(ExitWord.TASK_QUESTION, question)):
                return Stop(Outcome.ESCALATED, Reason.QUESTION_ASKED, question)
            case Change() if self.needs_change and history.empty:
                return Stop(Outcome.STOPPED, Reason.EMPTY_CHANGE, _NOTHING)
            case _:
                return Assess()

    def _after_review(self, review: Review, history: History) -> Decision:
        if review.passed and review.tree == history.tree:
            return Stop(Outcome.PASSED, Reason.REVIEW_PASSED, _said(review))
        if review.verdict is Verdict.DISCUSS:
            return Stop(Outcome.ESCALATED, Reason.NEEDS_DISCUSSION, _asked(review))
        if not self.can_fix:
            return Stop(Outcome.STOPPED, Reason.NO_FIXER, "the review did not pass and there is no fixer")
        if self.limit.unit is LimitUnit.REVIEWS and len(history.reviews) >= self.limit.n:
            message = f"Max review cycles ({self.limit.n}) reached without approval"
            return Stop(Outcome.EXHAUSTED, Reason.CYCLES_EXHAUSTED, message)
        if self.limit.unit is LimitUnit.FIXES and history.fixes >= self.limit.n:
            message = f"{_unresolved(review)} unresolved after {self.limit.n} fix attempt(s)"
            return Stop(Outcome.EXHAUSTED, Reason.FIXES_EXHAUSTED, message)
        return Fix()

    def _after_failure(self, failure: Failure) -> Decision:
        if failure.kind is FailureKind.VIOLATION and failure.role is Role.REVIEW:
            assert self.profile.on_violation is OnViolation.FAIL_RUN, (
                "a revising profile turns this into a review"
            )
            return Stop(Outcome.FAILED, Reason.CONTRACT_VIOLATION, failure.message)
        outcome = self.profile.rule(failure.role, failure.kind).outcome
        if outcome is None and failure.role is Role.FIX:
            return Assess()
        reasons = _TIMED_OUT if failure.kind is FailureKind.TIMEOUT else _FAILED
        return Stop(outcome or Outcome.FAILED, reasons[failure.role], failure.message)


def _asked(review: Review) -> str:
    """A summary is the first line; the question may stand in a later one."""
    lines = (line.strip() for line in review.text.splitlines())
    question = "" if "?" in review.summary else next((line for line in lines if line.endswith("?")), "")
    return " ".join(filter(None, (review.summary, question[:MOST_CHARS]))) or "the review asks for a person"


def _unresolved(review: Review) -> str:
    """Where the reviewer's own word is not why it did not pass, a person needs to know what is."""
    why = review.overruled or review.unclear
    return f"{review.native} ({why})" if why else review.native


def _said(review: Review) -> str:
    """A pass whose reviewer was not shown all of the change says so wherever it is told."""
    partial = "partial: not all of the change fit into the reviewer's prompt" if review.partial else ""
    return "; ".join(part for part in (partial, review.summary) if part)
