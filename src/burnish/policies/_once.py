"""One review, and then stop: what a review without a fix pipeline does."""

from __future__ import annotations

from dataclasses import dataclass

from burnish.model.change import Failure
from burnish.model.decision import Assess, Decision, Stop
from burnish.model.history import History
from burnish.model.outcome import Outcome
from burnish.model.reason import Reason
from burnish.model.review import Review


@dataclass(frozen=True)
class Once:
    def decide(self, history: History) -> Decision:
        match history.last:
            case Review() as review if review.passed and review.tree == history.tree:
                return Stop(Outcome.PASSED, Reason.REVIEW_PASSED, review.summary)
            case Review() as review:
                return Stop(Outcome.FAILED, Reason.BLOCKING_FINDINGS, review.overruled or review.summary)
            case Failure() as failure:
                return Stop(Outcome.FAILED, Reason.REVIEWER_FAILED, failure.message)
            case _:
                return Assess()
