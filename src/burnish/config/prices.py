"""What tokens cost where an agent tells only these: a dated table, as data in prices.toml."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date
from functools import cache

from burnish.model.agent import Usage

_MILLION = 1_000_000
# Behind a model's name: the date of its version, in the ways that vendors and their resellers write it.
_VERSION = re.compile(r"(?:[-@](?:\d{8}|\d{4}-\d{2}-\d{2}|latest)|-v\d(?::\d)?){0,2}$", re.ASCII)
# Before it: who serves it.
_SERVED_BY = re.compile(r"^.*/|^(?:[a-z]{2,4}\.)?anthropic\.", re.ASCII)


@dataclass(frozen=True)
class Price:
    """Dollars per million tokens; `cached` is the price of input from a cache, `known_on` tells its age."""

    vendor: str
    model: str
    input: float
    cached: float
    output: float
    known_on: date
    source: str

    def of(self, usage: Usage) -> float:
        cached = min(usage.cached_in, usage.tokens_in)
        fresh = usage.tokens_in - cached
        return (fresh * self.input + cached * self.cached + usage.tokens_out * self.output) / _MILLION


@cache
def prices() -> dict[str, Price]:
    """By the model's name."""
    # Here, because most runs never ask: agents that tell their cost, or no tokens.
    import tomllib
    from importlib.resources import files

    table = tomllib.loads(files("burnish.config").joinpath("prices.toml").read_text("utf8"))
    found = {}
    for row in table["price"]:
        for model in row["models"]:
            found[model] = Price(
                row["vendor"], model, row["input"], row["cached"], row["output"], row["date"], row["source"]
            )
    return found


def price_of(model: str) -> Price | None:
    """Of a model by its whole name: one that only begins like another one may cost something else."""
    name = _SERVED_BY.sub("", model.strip().lower(), count=1)
    return prices().get(name) or prices().get(_VERSION.sub("", name, count=1))


def estimate(usage: Usage, model: str) -> Usage:
    """With what the table says it cost, marked as an estimate; as it was where the agent told it, or nobody
    knows the model's price."""
    if usage.cost_usd is not None or not usage.tokens:
        return usage
    price = price_of(model)
    return usage if price is None else replace(usage, cost_usd=price.of(usage), estimated=True)
