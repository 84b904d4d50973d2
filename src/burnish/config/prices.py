"""What tokens cost where an agent tells only these: a dated table (prices.toml), and the user's own."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from functools import cache
from typing import TYPE_CHECKING

from burnish.model.agent import Usage

if TYPE_CHECKING:
    from burnish.config.model_price import ModelPrice

_MILLION = 1_000_000
# Behind a model's name: the date of its version, in the ways that vendors and their resellers write it.
_VERSION = re.compile(r"(?:[-@](?:\d{8}|\d{4}-\d{2}-\d{2}|latest)|-v\d(?::\d)?){0,2}$", re.ASCII)
# Before it: who serves it.
_SERVED_BY = re.compile(r"^.*/|^(?:[a-z]{2,4}\.)?anthropic\.", re.ASCII)
# Behind it, in the way of claude: how much context it has.
_CONTEXT = re.compile(r"\[\w{1,10}\]$", re.ASCII)


@dataclass(frozen=True)
class Price:
    """Dollars per million tokens; `cached` is the price of input from a cache, `known_on` tells its age.

    `guessed`: it is the price of this model, put in for one of the same family.
    """

    vendor: str
    model: str
    input: float
    cached: float
    output: float
    known_on: date | None
    source: str
    guessed: bool = False

    def of(self, usage: Usage) -> float:
        cached = min(usage.cached_in, usage.tokens_in)
        fresh = usage.tokens_in - cached
        return (fresh * self.input + cached * self.cached + usage.tokens_out * self.output) / _MILLION


@dataclass(frozen=True)
class Family:
    """Models of one make whose price has gone by the make: `names` alone, or what begins with `prefix`."""

    prefix: str
    names: tuple[str, ...]
    like: str


@cache
def _table() -> tuple[dict[str, Price], tuple[Family, ...]]:
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
    return found, tuple(Family(row["prefix"], tuple(row["names"]), row["like"]) for row in table["family"])


def prices() -> dict[str, Price]:
    """By the model's name."""
    return _table()[0]


def price_of(model: str) -> Price | None:
    """Of a model by its whole name, else of its family; one that only begins like another has no price."""
    name = _plain(model)
    bare = _VERSION.sub("", name, count=1)
    found = prices().get(name) or prices().get(bare)
    return found or next((_guessed(one) for one in _table()[1] if _is_of(one, bare)), None)


def _plain(model: str) -> str:
    return _CONTEXT.sub("", _SERVED_BY.sub("", model.strip().lower(), count=1), count=1)


def _is_of(family: Family, name: str) -> bool:
    return name in family.names or name.startswith(family.prefix)


def _guessed(family: Family) -> Price:
    return replace(prices()[family.like], guessed=True)


@dataclass(frozen=True)
class OwnPrice:
    """What a user says that a model costs, in dollars per million tokens."""

    model: str
    input: float
    output: float
    cached: float


@dataclass(frozen=True)
class PriceList:
    """The table, and before it what the user says: `own` is by model, whole or without its version."""

    own: tuple[OwnPrice, ...] = ()

    def of(self, model: str) -> Price | None:
        name = _plain(model)
        for wanted in (model.strip(), name, _VERSION.sub("", name, count=1)):
            for one in self.own:
                if wanted and wanted in (one.model, one.model.lower()):
                    return Price("", one.model, one.input, one.cached, one.output, None, "your configuration")
        return price_of(model)

    def estimate(self, usage: Usage, model: str) -> Usage:
        """With what its price says it cost, marked as an estimate; as it was where the agent told it, or
        nobody knows the model's price."""
        if usage.cost_usd is not None or not usage.tokens:
            return usage
        price = self.of(model)
        return usage if price is None else replace(usage, cost_usd=price.of(usage), estimated=True)


LIST_PRICES = PriceList()


def own_prices(said: Mapping[str, ModelPrice]) -> tuple[OwnPrice, ...]:
    """From settings. Where the price from a cache is not said, it is taken as no cheaper."""
    return tuple(
        OwnPrice(model, one.input, one.output, one.input if one.cached is None else one.cached)
        for model, one in said.items()
    )
