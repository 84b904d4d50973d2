"""Stop when findings come back that had gone: each fix undoes the one before, or the reviewer wavers."""

from __future__ import annotations

from dataclasses import dataclass

from burnish.model.decision import Decision, Fix, Stop
from burnish.model.history import History
from burnish.model.outcome import Outcome
from burnish.model.reason import Reason
from burnish.policies._signals import returned
from burnish.policies._values import whole_number
from burnish.ports import Policy


@dataclass(frozen=True)
class Returning:
    """Wraps another policy: `limit` findings that are back after they had gone end it."""

    inner: Policy
    limit: int = 1

    def decide(self, history: History) -> Decision:
        decision = self.inner.decide(history)
        if isinstance(decision, Fix) and len(returned(history)) >= self.limit:
            count = len(returned(history))
            message = f"{count} finding(s) of cycle {len(history.reviews)} had gone and came back"
            return Stop(Outcome.STOPPED, Reason.RETURNING_FINDINGS, message)
        return decision


def make(inner: Policy, value: str) -> Policy:
    return Returning(inner, whole_number("returning", value or "1"))
