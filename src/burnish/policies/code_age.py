"""Stop when a review only complains about lines that the change did not touch."""

from __future__ import annotations

from dataclasses import dataclass

from burnish.model.decision import Decision, Fix, Stop
from burnish.model.history import History
from burnish.model.outcome import Outcome
from burnish.model.reason import Reason
from burnish.policies._signals import AGE_CYCLE, only_untouched
from burnish.policies._values import whole_number
from burnish.ports import Policy


@dataclass(frozen=True)
class CodeAge:
    """Wraps another policy: from review `cycle` on, findings about older code alone bring no further fix."""

    inner: Policy
    cycle: int = AGE_CYCLE

    def decide(self, history: History) -> Decision:
        decision = self.inner.decide(history)
        review, cycle = history.review, len(history.reviews)
        if not isinstance(decision, Fix) or review is None or cycle < self.cycle:
            return decision
        if not only_untouched(review):
            return decision
        message = f"all that cycle {cycle} found is about lines that the change did not touch"
        return Stop(Outcome.STOPPED, Reason.UNTOUCHED_CODE, message)


def make(inner: Policy, value: str) -> Policy:
    return CodeAge(inner, whole_number("code-age", value or str(AGE_CYCLE)))
