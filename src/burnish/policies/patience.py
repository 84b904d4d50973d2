"""Stop when the same findings keep coming back."""

from __future__ import annotations

from dataclasses import dataclass

from burnish.errors import UsageError
from burnish.model.decision import Decision, Fix, Stop
from burnish.model.history import History
from burnish.model.outcome import Outcome
from burnish.model.reason import Reason
from burnish.model.review import Review
from burnish.ports import Policy


@dataclass(frozen=True)
class Patience:
    """Wraps another policy: `limit` fixes may leave the very same findings, then it is over."""

    inner: Policy
    limit: int

    def decide(self, history: History) -> Decision:
        decision = self.inner.decide(history)
        if isinstance(decision, Fix) and self._stuck(history):
            message = f"the same findings came back {self.limit + 1} times in a row"
            return Stop(Outcome.STOPPED, Reason.OUT_OF_PATIENCE, message)
        return decision

    def _stuck(self, history: History) -> bool:
        recent = history.reviews[-(self.limit + 1) :]
        return len(recent) > self.limit and len({_complaint(review) for review in recent}) == 1


def _complaint(review: Review) -> frozenset[str]:
    """What a review complains about, whatever the order; its summary when it lists nothing."""
    return frozenset(finding.fingerprint for finding in review.findings) or frozenset(
        {review.summary.casefold()}
    )


def make(inner: Policy, value: str) -> Policy:
    if not value.isdigit() or int(value) < 1:
        raise UsageError(f"patience takes a whole number from 1, found {value!r}")
    return Patience(inner, int(value))
