"""Fix what a review found also where nothing of it blocks, once; then as the policy inside decides."""

from __future__ import annotations

from dataclasses import dataclass

from burnish.model.change import Change
from burnish.model.decision import Decision, Fix, Stop
from burnish.model.history import History
from burnish.model.outcome import Outcome
from burnish.model.reason import Reason
from burnish.model.review import Review
from burnish.model.step import Role
from burnish.ports import Policy


@dataclass(frozen=True)
class FixOnce:
    """Somebody asked for fixes, so a pass with smaller findings beside it is not the end yet."""

    inner: Policy

    def decide(self, history: History) -> Decision:
        review = history.review
        if review is None or not review.passed or review.tree != history.tree:
            return self.inner.decide(history)
        match history.last:
            case Review(lesser=lesser) if lesser and not history.fixes:
                return Fix()
            case Change(role=Role.FIX):
                # Nothing was changed: what was reviewed is still what there is.
                return Stop(Outcome.PASSED, Reason.REVIEW_PASSED, review.summary)
            case _:
                return self.inner.decide(history)
