"""Stop before more is spent than allowed: dollars, tokens, or seconds of agents' time."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from burnish.errors import UsageError
from burnish.model.agent import Usage
from burnish.model.agent_events import AgentTrouble
from burnish.model.ceiling import Ceiling
from burnish.model.change import Failure
from burnish.model.decision import Decision, Stop
from burnish.model.history import History
from burnish.model.outcome import Outcome
from burnish.model.reason import Reason
from burnish.ports import Policy

_VALUE = re.compile(r"([0-9]{1,15}(?:\.[0-9]{1,9})?)([ts]?)", re.A)
_MOST = 1e14
NAME = "budget"


@dataclass(frozen=True)
class Budget:
    """Wraps another policy: nothing new is started once what is known to be spent reaches a limit."""

    inner: Policy
    cost_usd: float | None = None
    tokens: int | None = None
    seconds: float | None = None

    def decide(self, history: History) -> Decision:
        last = history.facts[-1] if history.facts else None
        if isinstance(last, Failure) and last.trouble == AgentTrouble.BUDGET:
            return Stop(Outcome.STOPPED, Reason.OUT_OF_BUDGET, last.message)
        decision = self.inner.decide(history)
        if isinstance(decision, Stop):
            return decision
        ceiling = Ceiling(self.cost_usd, self.tokens, self.seconds)
        reached = ceiling.reached(history.usage) or ceiling.uncounted(history.usage)
        return Stop(Outcome.STOPPED, Reason.OUT_OF_BUDGET, reached) if reached else decision


@dataclass(frozen=True)
class SpentBefore:
    """Wraps policies of a run that was opened again: what its forgotten steps spent stays spent."""

    inner: Policy
    before: Usage

    def decide(self, history: History) -> Decision:
        return self.inner.decide(replace(history, before=self.before))


def make(inner: Policy, value: str) -> Policy:
    """`2.50` is dollars, `200000t` is tokens, `3600s` is seconds of agents' time; `2.50,200000t` are both."""
    found = _limits(value)
    return Budget(inner, found.cost_usd, found.tokens, found.seconds)


def _limits(value: str) -> Ceiling:
    found = Ceiling()
    for part in value.split(","):
        found = found.lower(_limit(part))
    return found


def _limit(value: str) -> Ceiling:
    found = _VALUE.fullmatch(value)
    number = float(found[1]) if found else 0.0
    if not found or not 0 < number < math.inf or (found[2] == "t" and number < 1):
        raise UsageError(f"budget takes 2.50 (dollars), 200000t (tokens) or 3600s (seconds), found {value!r}")
    match found[2]:
        case "t":
            return Ceiling(tokens=int(number))
        case "s":
            return Ceiling(seconds=number)
    return Ceiling(cost_usd=number)


def ceiling(named: Iterable[tuple[str, str]]) -> Ceiling:
    """What all budgets among policies, by name and value, allow together."""
    found = Ceiling()
    for name, value in named:
        found = found.lower(_limits(value)) if name == NAME else found
    return found


def values(ceiling: Ceiling) -> tuple[str, ...]:
    """A ceiling as the value that `make` takes, if it has one: all in one, for they need each other."""
    found = []
    if ceiling.cost_usd is not None:
        found.append(f"{min(max(ceiling.cost_usd, 1e-9), _MOST):.9f}")
    if ceiling.tokens is not None:
        found.append(f"{min(max(ceiling.tokens, 1), int(_MOST))}t")
    if ceiling.seconds is not None:
        found.append(f"{min(max(ceiling.seconds, 1e-9), _MOST):.9f}s")
    return (",".join(found),) if found else ()
