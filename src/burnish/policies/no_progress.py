"""Stop when a fix leaves a tree that was reviewed before."""

from __future__ import annotations

from dataclasses import dataclass

from burnish.errors import UsageError
from burnish.model.decision import Assess, Decision, Stop
from burnish.model.history import History
from burnish.model.outcome import Outcome
from burnish.model.reason import Reason
from burnish.policies._signals import changed_nothing, reviewed_in
from burnish.ports import Policy


@dataclass(frozen=True)
class NoProgress:
    """Wraps another policy: no tree is reviewed twice."""

    inner: Policy

    def decide(self, history: History) -> Decision:
        decision = self.inner.decide(history)
        cycle = reviewed_in(history)
        if not isinstance(decision, Assess) or cycle is None:
            return decision
        message = f"the last fix left a tree that was reviewed already, in cycle {cycle}"
        if changed_nothing(history):
            message = f"the fix of cycle {cycle} changed nothing, so the review would see the same again"
        return Stop(Outcome.STOPPED, Reason.NO_PROGRESS, message)


def make(inner: Policy, value: str) -> Policy:
    if value:
        raise UsageError(f"no-progress takes no value, found {value!r}")
    return NoProgress(inner)
