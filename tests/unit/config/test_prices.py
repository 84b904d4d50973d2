"""Costs: told by the agent, estimated from a dated table, or unknown; sums say which."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnish import codec
from burnish.config.model_price import ModelPrice
from burnish.config.prices import LIST_PRICES, OwnPrice, PriceList, own_prices, price_of, prices
from burnish.model.agent import CostBasis, Usage, spent

estimate = LIST_PRICES.estimate
TOLD = Usage(100, 20, 0.5)
UNKNOWN = Usage(100, 20)
ESTIMATED = Usage(100, 20, 0.25, estimated=True)


def test_every_price_is_whole_dated_and_names_no_address() -> None:
    assert prices()
    for price in prices().values():
        assert 0 < price.cached <= price.input < price.output
        assert date(2024, 1, 1) < price.known_on
        assert price.vendor
        assert "://" not in price.source


def test_tokens_without_a_cost_are_priced_by_the_table_and_marked() -> None:
    found = estimate(Usage(1_000_000, 100_000, seconds=3.0), "gpt-5")
    assert found == Usage(1_000_000, 100_000, 2.25, 3.0, estimated=True)
    assert found.basis is CostBasis.ESTIMATED
    assert estimate(Usage(1_000_000, 0, cached_in=600_000), "gpt-5").cost_usd == pytest.approx(0.575)


def test_what_an_agent_told_is_not_estimated_and_nothing_costs_nothing() -> None:
    assert estimate(TOLD, "gpt-5") is TOLD
    assert estimate(Usage(seconds=4.0), "gpt-5").basis is CostBasis.UNKNOWN


@pytest.mark.parametrize(
    "model",
    ["", "scripted", "gpt-5.5", "gpt-6.1-sol", "gpt-6-luna", "gpt-5-pro", "gpt-50", "claude", "claude-opusx"],
)
def test_a_model_that_is_not_in_the_table_has_no_price(model: str) -> None:
    assert estimate(UNKNOWN, model) is UNKNOWN


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("claude-sonnet-4-5-20250929", "claude-sonnet-4-5"),
        ("anthropic/claude-sonnet-4-5", "claude-sonnet-4-5"),
        ("us.anthropic.claude-sonnet-4-5-20250929-v1:0", "claude-sonnet-4-5"),
        ("claude-3-5-haiku-latest", "claude-3-5-haiku"),
        ("gpt-5-2025-08-07", "gpt-5"),
        ("GPT-5-mini", "gpt-5-mini"),
    ],
)
def test_a_models_version_and_who_serves_it_do_not_matter(written: str, name: str) -> None:
    assert price_of(written) is prices()[name]


@pytest.mark.parametrize(
    ("written", "like"),
    [
        ("claude-opus-5-5", "claude-opus-4-5"),
        ("claude-opus-5-5[1m]", "claude-opus-4-5"),
        ("opus", "claude-opus-4-5"),
        ("claude-sonnet-6-20270101", "claude-sonnet-4-5"),
        ("haiku", "claude-haiku-4-5"),
    ],
)
def test_a_model_of_a_known_family_is_guessed_and_says_so(written: str, like: str) -> None:
    found = price_of(written)
    assert found is not None
    assert (found.model, found.guessed) == (like, True)
    assert not prices()[like].guessed
    assert estimate(UNKNOWN, written).basis is CostBasis.ESTIMATED


def test_the_users_own_price_goes_before_the_table() -> None:
    said = {
        "gpt-6.1-sol": ModelPrice(input=2, output=20),
        "claude-opus-5-5": ModelPrice(input=1, output=2, cached=0.5),
        "GPT-5": ModelPrice(input=7, output=7),
    }
    mine = PriceList(own_prices(said))
    assert mine.own[0] == OwnPrice("gpt-6.1-sol", 2, 20, cached=2)
    million = Usage(1_000_000, 1_000_000, cached_in=1_000_000)
    costs = [
        mine.estimate(million, model).cost_usd for model in (*said, "openai/gpt-5-2025-08-07", "gpt-5-mini")
    ]
    assert costs == [22, 2.5, 14, 14, pytest.approx(2.025)]
    assert mine.estimate(million, "gpt-6.1-sol").basis is CostBasis.ESTIMATED
    assert mine.estimate(million, "gpt-6.1-solo") is million


def test_a_sum_says_what_it_stands_on() -> None:
    assert (TOLD + TOLD).basis is CostBasis.REPORTED
    assert (TOLD + ESTIMATED).basis is CostBasis.ESTIMATED
    assert (UNKNOWN + UNKNOWN).basis is CostBasis.UNKNOWN
    assert (TOLD + UNKNOWN).partly
    assert not (TOLD + Usage(seconds=2.0)).partly


def test_it_is_shown_with_its_basis() -> None:
    assert [one.cost for one in (TOLD, ESTIMATED, UNKNOWN, Usage())] == [
        "$0.50 (reported)", "~$0.25 (estimated)", "cost unknown", "",
    ]  # fmt: skip
    assert (TOLD + UNKNOWN).cost == "at least $0.50 (reported)"
    assert (ESTIMATED + UNKNOWN).cost == "at least ~$0.25 (estimated)"
    assert spent(120, 0.5, estimated=False, unpriced=True).cost == "at least $0.50 (reported)"
    assert spent(120, None, estimated=False, unpriced=True).cost == "cost unknown"


USAGES = st.builds(
    Usage,
    st.integers(0, 10**6),
    st.integers(0, 10**6),
    st.none() | st.integers(0, 100).map(float),
    st.just(0.0),
    st.just(0),
    st.booleans(),
)


@given(USAGES, USAGES, USAGES)
def test_adding_up_in_another_order_says_the_same(one: Usage, two: Usage, three: Usage) -> None:
    assert (one + two) + three == one + (two + three)
    assert one + two == two + one


def test_what_older_versions_stored_is_read_as_told() -> None:
    old = {"tokens_in": 5, "tokens_out": 2, "cost_usd": 0.5, "seconds": 1.0}
    assert codec.validate(Usage, old).basis is CostBasis.REPORTED
    assert codec.validate(Usage, old | {"cost_usd": None}).basis is CostBasis.UNKNOWN
