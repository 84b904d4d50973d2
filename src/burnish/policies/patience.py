"""Stop when the same findings keep coming back."""

from __future__ import annotations

from dataclasses import dataclass

from burnish.model.decision import Decision, Fix, Stop
from burnish.model.history import History
from burnish.model.outcome import Outcome
from burnish.model.reason import Reason
from burnish.policies._signals import same_in_a_row
from burnish.policies._values import whole_number
from burnish.ports import Policy


@dataclass(frozen=True)
class Patience:
    """Wraps another policy: `limit` fixes may leave the very same findings, then it is over."""

    inner: Policy
    limit: int

    def decide(self, history: History) -> Decision:
        decision = self.inner.decide(history)
        if isinstance(decision, Fix) and same_in_a_row(history) > self.limit:
            message = f"the same findings came back {self.limit + 1} times in a row"
            return Stop(Outcome.STOPPED, Reason.OUT_OF_PATIENCE, message)
        return decision


def make(inner: Policy, value: str) -> Policy:
    return Patience(inner, whole_number("patience", value))
