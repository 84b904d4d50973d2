"""Stop when a fix leaves a tree that was reviewed before."""

from __future__ import annotations

from dataclasses import dataclass

from burnish.errors import UsageError
from burnish.model.decision import Assess, Decision, Stop
from burnish.model.history import History
from burnish.model.outcome import Outcome
from burnish.model.reason import Reason
from burnish.ports import Policy


@dataclass(frozen=True)
class NoProgress:
    """Wraps another policy: no tree is reviewed twice."""

    inner: Policy

    def decide(self, history: History) -> Decision:
        decision = self.inner.decide(history)
        if isinstance(decision, Assess) and history.tree in {review.tree for review in history.reviews}:
            message = "the last fix left a tree that was reviewed already"
            return Stop(Outcome.STOPPED, Reason.NO_PROGRESS, message)
        return decision


def make(inner: Policy, value: str) -> Policy:
    if value:
        raise UsageError(f"no-progress takes no value, found {value!r}")
    return NoProgress(inner)
