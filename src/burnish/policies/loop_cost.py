"""Stop a loop of a build that has cost more than its effort allows, as far as costs are known."""

from __future__ import annotations

from dataclasses import dataclass

from burnish.errors import UsageError
from burnish.model.ceiling import dollars
from burnish.model.decision import Decision, Stop
from burnish.model.history import History
from burnish.model.outcome import Outcome
from burnish.model.reason import Reason
from burnish.ports import Policy


@dataclass(frozen=True)
class LoopCost:
    """Wraps another policy. Exactly the limit is not too much; a cost that nobody knows does not count."""

    inner: Policy
    limit_usd: float

    def decide(self, history: History) -> Decision:
        decision, used = self.inner.decide(history), history.usage.cost_usd
        if isinstance(decision, Stop) or used is None or used <= self.limit_usd:
            return decision
        message = f"the loop has cost {dollars(used)}, more than the {dollars(self.limit_usd)} of its effort"
        return Stop(Outcome.STOPPED, Reason.OUT_OF_BUDGET, message)


def make(inner: Policy, value: str) -> Policy:
    try:
        limit = float(value)
    except ValueError:
        limit = -1.0
    if not 0 < limit < 1e9:
        raise UsageError(f"loop-cost takes dollars such as 2.50, found {value!r}")
    return LoopCost(inner, limit)
