"""Whether a budget in dollars can be kept with these agents: told before anything is started."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from burnish.agents._choose import choose
from burnish.agents._cli_runner import CliAgent
from burnish.agents._setup import AgentSetup
from burnish.agents.fallback import FallbackAgent
from burnish.agents.retry import RetryAgent
from burnish.app.ceilings import day_ceiling, run_budget
from burnish.app.choices import NONE, Agents, models_of
from burnish.app.spec import RunSpec
from burnish.config.prices import OwnPrice, Price, PriceList, own_prices
from burnish.config.schema import Settings
from burnish.errors import UsageError
from burnish.model.agent import Model
from burnish.model.ceiling import Ceiling, dollars
from burnish.model.step import Role
from burnish.policies import budget
from burnish.ports import Agent

Notices = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Limits:
    """What a run, and a day, may spend; the model chosen for a role, and the user's own prices."""

    ceilings: tuple[Ceiling, ...]
    models: tuple[tuple[str, str], ...] = ()
    prices: tuple[OwnPrice, ...] = ()

    @classmethod
    def of(cls, spec: RunSpec) -> Limits:
        return cls((budget.ceiling(spec.policies), spec.day), spec.models, spec.prices)

    @classmethod
    def set_by(cls, settings: Settings) -> Limits:
        """Where there is no run yet."""
        ceilings = (run_budget(settings.budget), day_ceiling(settings.budget))
        return cls(ceilings, models_of(settings), own_prices(settings.prices))


def check_prices(settings: Settings, agents: Agents, environ: Mapping[str, str]) -> None:
    """Before there is a run: raises UsageError where a limit of the settings could not be kept in one."""
    setup = AgentSetup(environ)
    named = ((Role.IMPLEMENT, agents.implementer), (Role.REVIEW, agents.reviewer), (Role.FIX, agents.fixer))
    asked = ((role, choose(command, setup)) for role, command in named if command and command != NONE)
    price_notices(Limits.set_by(settings), asked)


def price_notices(limits: Limits, agents: Iterable[tuple[Role, Agent | None]]) -> Notices:
    """What to say of models without a price of their own; raises UsageError where nothing would stop one."""
    in_dollars = [one for one in limits.ceilings if one.cost_usd is not None]
    if not in_dollars:
        return ()
    prices, models = PriceList(limits.prices), dict(limits.models)
    found = {
        model: name
        for role, agent in agents
        if agent is not None
        for model, name in _models(role, agent, models)
    }
    known = {model: prices.of(model) for model in found}
    unstopped = [one.cost_usd for one in in_dollars if one.cost_usd is not None and one.tokens is None]
    unknown = [model for model, price in known.items() if price is None]
    if unknown and unstopped:
        raise _cannot_keep({model: found[model] for model in unknown}, min(unstopped))
    return tuple(
        (f"price/{model}", _notice(model, price))
        for model, price in known.items()
        if price is None or price.guessed
    )


def _cannot_keep(unknown: Mapping[str, str], limit_usd: float) -> UsageError:
    named = " and ".join(f"{model} (asked by {agent})" for model, agent in unknown.items())
    tables = " and ".join(f'[prices."{model}"]' for model in unknown)
    return UsageError(
        f"a limit of {dollars(limit_usd)} cannot be kept: the price of {named} is not known.",
        hint=f"give {tables} input and output, in dollars per million tokens, in your own burnish.toml or "
        "(committed) in the repository's; or limit tokens as well: --max-tokens",
    )


def _notice(model: str, price: Price | None) -> str:
    if price is None:
        return (
            f"the price of {model} is not known: the limit in dollars does not count it, that in tokens does"
        )
    return (
        f"the price of {model} is not known: until it tells its cost, at the end of a step, it is taken "
        f"for that of {price.model}"
    )


def _models(role: Role, agent: Agent, chosen: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Each model that may be asked in a role, with the agent's name. What a command asks nobody knows."""
    if isinstance(agent, FallbackAgent):
        for part in agent.agents:
            yield from _models(role, part, chosen)
    elif isinstance(agent, RetryAgent):
        yield from _models(role, agent.inner, chosen)
    elif isinstance(agent, CliAgent):
        wanted = Model.of(role, chosen.get(role, ""))
        tier = agent.tier or wanted.tier
        own = "" if agent.tier else wanted.name
        yield agent.model or own or agent.adapter.models[tier], agent.name
