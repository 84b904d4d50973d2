"""Stop when fixes leave trees that were reviewed before."""

from __future__ import annotations

from dataclasses import dataclass

from burnish.model.decision import Assess, Decision, Stop
from burnish.model.history import History
from burnish.model.outcome import Outcome
from burnish.model.reason import Reason
from burnish.policies._signals import changed_nothing, reviewed_in, stalled_in_a_row
from burnish.policies._values import whole_number
from burnish.ports import Policy


@dataclass(frozen=True)
class NoProgress:
    """Wraps another policy: `limit` fixes in a row that leave a tree reviewed before end it."""

    inner: Policy
    limit: int = 1

    def decide(self, history: History) -> Decision:
        decision = self.inner.decide(history)
        cycle = reviewed_in(history)
        if not isinstance(decision, Assess) or cycle is None or stalled_in_a_row(history) < self.limit:
            return decision
        did = "changed nothing since" if changed_nothing(history) else "brought back the tree of"
        message = f"the last fix {did} cycle {cycle}, so the review would see what it saw before"
        return Stop(Outcome.STOPPED, Reason.NO_PROGRESS, message)


def make(inner: Policy, value: str) -> Policy:
    return NoProgress(inner, whole_number("no-progress", value or "1"))
