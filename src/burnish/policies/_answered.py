"""Go on where a person was needed, once the question is answered; an answer is never a pass."""

from __future__ import annotations

from dataclasses import dataclass

from burnish.model.change import Change
from burnish.model.decision import Assess, Decision, Fix, Implement, Stop
from burnish.model.history import History
from burnish.model.question import WAITING
from burnish.ports import Policy


@dataclass(frozen=True)
class Answered:
    """Wraps the profile's own policy: whoever asked goes on, and after a review to discuss the fixer does.

    What a person answered is worth one more fix and its review, also where the limit was reached.
    """

    inner: Policy
    can_fix: bool

    def decide(self, history: History) -> Decision:
        decision = self.inner.decide(history)
        if not isinstance(decision, Stop) or decision.reason not in WAITING or not history.answered:
            return decision
        if isinstance(history.last, Change):
            # Before the first review a fix is one of a review made elsewhere, with which the run began.
            return Fix() if history.reviews else Implement()
        return Fix() if self.can_fix else Assess()
