"""Stop before more is spent than allowed."""

from __future__ import annotations

from dataclasses import dataclass

from burnish.errors import UsageError
from burnish.model.decision import Decision, Stop
from burnish.model.history import History
from burnish.model.outcome import Outcome
from burnish.model.reason import Reason
from burnish.ports import Policy


@dataclass(frozen=True)
class Budget:
    """Wraps another policy: nothing new is started once the known cost or the tokens reach their limit."""

    inner: Policy
    cost_usd: float | None = None
    tokens: int | None = None

    def decide(self, history: History) -> Decision:
        decision = self.inner.decide(history)
        if isinstance(decision, Stop):
            return decision
        spent = history.usage
        if self.cost_usd is not None and (spent.cost_usd or 0.0) >= self.cost_usd:
            message = f"spent ${spent.cost_usd:.2f} of ${self.cost_usd:.2f}"
            return Stop(Outcome.STOPPED, Reason.OUT_OF_BUDGET, message)
        if self.tokens is not None and spent.tokens >= self.tokens:
            return Stop(Outcome.STOPPED, Reason.OUT_OF_BUDGET, f"used {spent.tokens} of {self.tokens} tokens")
        return decision


def make(inner: Policy, value: str) -> Policy:
    """`2.50` is dollars, `200000t` is tokens."""
    try:
        number = float(value.removesuffix("t"))
    except ValueError:
        number = 0.0
    if not 0 < number < float("inf"):
        raise UsageError(f"budget takes dollars such as 2.50 or tokens such as 200000t, found {value!r}")
    return Budget(inner, tokens=int(number)) if value.endswith("t") else Budget(inner, cost_usd=number)
