"""Stop when, some reviews on, only findings below a severity are left: not worth another fix, and no pass."""

from __future__ import annotations

from dataclasses import dataclass

from burnish.errors import UsageError
from burnish.model.decision import Decision, Fix, Stop
from burnish.model.history import History
from burnish.model.outcome import Outcome
from burnish.model.reason import Reason
from burnish.model.review import Severity
from burnish.policies._signals import RATCHET_CYCLE, RATCHET_SEVERITY, only_lesser
from burnish.policies._values import whole_number
from burnish.ports import Policy


@dataclass(frozen=True)
class Ratchet:
    """Wraps another policy: from review `cycle` on, findings below `least` alone bring no further fix."""

    inner: Policy
    least: Severity = RATCHET_SEVERITY
    cycle: int = RATCHET_CYCLE

    def decide(self, history: History) -> Decision:
        decision = self.inner.decide(history)
        review, cycle = history.review, len(history.reviews)
        if not isinstance(decision, Fix) or review is None or cycle < self.cycle:
            return decision
        if not only_lesser(review, self.least):
            return decision
        message = f"cycle {cycle} found nothing of severity {self.least} or above; the review did not pass"
        return Stop(Outcome.STOPPED, Reason.LESSER_FINDINGS, message)


def make(inner: Policy, value: str) -> Policy:
    """`high@3`: from the third review on, only high and critical findings are worth a fix."""
    severity, _, cycle = (value or RATCHET_SEVERITY).partition("@")
    if severity not in [str(known) for known in Severity]:
        known = ", ".join(Severity)
        raise UsageError(f"ratchet takes a severity such as high@3, found {value!r}; known: {known}")
    return Ratchet(inner, Severity(severity), whole_number("ratchet", cycle or str(RATCHET_CYCLE)))
