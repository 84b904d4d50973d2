"""What a night may cost, before it begins: from what steps of each role used here until now."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from burnish.app.allowance import Allowance
from burnish.config.durations import in_words
from burnish.model.ceiling import Ceiling
from burnish.model.step import Role
from burnish.store.spending import Typical, typical

_ROLES = (Role.IMPLEMENT, Role.REVIEW, Role.FIX)
UNKNOWN = "nothing is known yet of what a task uses here: no agent has finished a step in this repository"


@dataclass(frozen=True)
class Amount:
    """`cost_usd` is None while no agent has told it; `partly`: only some roles have told theirs.

    `priced`: some of it is from the table of prices.
    """

    cost_usd: float | None
    tokens: float
    seconds: float
    partly: bool = False
    priced: bool = False


@dataclass(frozen=True)
class Estimate:
    """`steps` is how many finished steps of each role it is drawn from."""

    tasks: int
    expected: Amount
    most: Amount
    steps: Mapping[str, int]

    @property
    def known(self) -> bool:
        return bool(self.steps)


def estimate(known: Mapping[str, Typical], tasks: int, reviews: int) -> Estimate:
    """At most one implementation, `reviews` reviews and a fix between each; usually what runs took so far."""
    most = {Role.IMPLEMENT: 1.0, Role.REVIEW: float(reviews), Role.FIX: float(max(reviews - 1, 0))}
    used = {role: known[role] for role in _ROLES if role in known}
    expected = {role: min(used[role].per_run, most[role]) for role in used}
    return Estimate(
        tasks,
        _amount(used, {role: number * tasks for role, number in expected.items()}),
        _amount(used, {role: number * tasks for role, number in most.items()}),
        {str(role): found.steps for role, found in used.items()},
    )


def _amount(used: Mapping[Role, Typical], times: Mapping[Role, float]) -> Amount:
    costs = {role: found.cost_usd for role, found in used.items()}
    told = [times[role] * cost for role, cost in costs.items() if cost is not None]
    return Amount(
        sum(told) if told else None,
        sum(times[role] * found.tokens for role, found in used.items()),
        sum(times[role] * found.seconds for role, found in used.items()),
        partly=len(told) < len(used),
        priced=any(found.estimated for found in used.values()),
    )


def lines(found: Estimate, left: Ceiling, jobs: int = 1) -> tuple[str, ...]:
    """For people; `left` is what the budget of 24 hours still has."""
    tasks = "1 task" if found.tasks == 1 else f"{found.tasks} tasks"
    if not found.known:
        return (f"estimate for {tasks}: {UNKNOWN}", *_budget(found, left))
    parts = [
        f"agents' time about {in_words(found.expected.seconds)} (at most {in_words(found.most.seconds)})"
    ]
    if jobs > 1:
        parts.append(f"{jobs} at once: about {in_words(found.expected.seconds / jobs)}")
    if found.most.tokens:
        parts.append(f"about {_tokens(found.expected.tokens)} tokens (at most {_tokens(found.most.tokens)})")
    if found.most.cost_usd is None:
        parts.append("cost not known: no agent here tells it")
    else:
        more = ", and what some agents do not tell" if found.most.partly else ""
        more += ", at list prices" if found.most.priced else ""
        parts.append(f"about ${found.expected.cost_usd:.2f} (at most ${found.most.cost_usd:.2f}{more})")
    drawn = ", ".join(f"{number} {role}" for role, number in found.steps.items())
    return (
        f"estimate for {tasks}: {'; '.join(parts)}",
        f"drawn from steps finished here: {drawn}",
        *_budget(found, left),
    )


def _budget(found: Estimate, left: Ceiling) -> tuple[str, ...]:
    """Each limit of the day against the most and the expected."""
    if left.open:
        return ()
    if not found.known:
        return (f"the budget of these 24 hours has {_what(left)} left",)
    wanted = {"most": found.most, "expected": found.expected}
    over = {name: _beyond(amount, left) for name, amount in wanted.items()}
    says = "is enough for all of it"
    if over["expected"]:
        says = "will probably be used up before the end; the rest waits"
    elif over["most"]:
        says = "may be used up before the end; the rest waits"
    return (f"the budget of these 24 hours has {_what(left)} left, which {says}",)


def _beyond(amount: Amount, left: Ceiling) -> bool:
    return (
        (left.cost_usd is not None and (amount.cost_usd or 0.0) > left.cost_usd)
        or (left.tokens is not None and amount.tokens > left.tokens)
        or (left.seconds is not None and amount.seconds > left.seconds)
    )


def _what(left: Ceiling) -> str:
    parts = []
    if left.cost_usd is not None:
        parts.append(f"${left.cost_usd:.2f}")
    if left.tokens is not None:
        parts.append(f"{_tokens(left.tokens)} tokens")
    if left.seconds is not None:
        parts.append(f"{in_words(left.seconds)} of agents' time")
    return " and ".join(parts)


def _tokens(number: float) -> str:
    for limit, unit in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if number >= limit:
            return f"{number / limit:.1f}{unit}"
    return f"{number:.0f}"


def estimate_lines(allowance: Allowance, tasks: int, reviews: int, jobs: int = 1) -> tuple[str, ...]:
    """The estimate for so many tasks of this repository, as text."""
    left = Ceiling() if allowance.ceiling.open else allowance.left()
    return lines(estimate(typical(allowance.database), tasks, reviews), left, jobs)
