"""A limit in dollars that cannot be kept is refused before anything is started, with what to do about it."""

from __future__ import annotations

import pytest

from burnish.agents._choose import choose
from burnish.agents._setup import AgentSetup
from burnish.app.priced import Limits, price_notices
from burnish.config.prices import OwnPrice
from burnish.errors import UsageError
from burnish.model.ceiling import Ceiling
from burnish.model.step import Role
from burnish.ports import Agent

FIVE = Ceiling(cost_usd=5.0)
SOL = OwnPrice("gpt-6.1-sol", 2.0, 20.0, 0.2)


def agent(spec: str) -> Agent:
    return choose(spec, AgentSetup({}))


def told(limits: Limits, *agents: tuple[Role, str]) -> str:
    return "\n".join(
        text for _, text in price_notices(limits, [(role, agent(spec)) for role, spec in agents])
    )


def test_dollars_with_a_model_of_unknown_price_are_refused_with_the_table_to_fill_in() -> None:
    with pytest.raises(UsageError, match=r"\$5.00 cannot be kept: the price of gpt-6.1-sol") as found:
        told(Limits((FIVE,)), (Role.IMPLEMENT, "codex"), (Role.FIX, "codex"))
    assert '[prices."gpt-6.1-sol"] and [prices."gpt-6-luna"]' in found.value.hint
    assert "--max-tokens" in found.value.hint


@pytest.mark.parametrize(
    ("spec", "role", "model"),
    [
        ("codex", Role.FIX, "gpt-6-luna"),
        ("codex:strong", Role.FIX, "gpt-6.1-sol"),
        ("codex:my-model", Role.REVIEW, "my-model"),
        ("fallback:claude|codex", Role.REVIEW, "gpt-6.1-sol"),
        ("retry:2:codex", Role.REVIEW, "gpt-6.1-sol"),
    ],
)
def test_the_model_is_the_one_that_would_be_asked(spec: str, role: Role, model: str) -> None:
    with pytest.raises(UsageError, match=f"the price of {model} "):
        told(Limits((Ceiling(), FIVE)), (role, spec))


def test_a_model_that_a_setting_names_counts_where_the_agent_names_none() -> None:
    chosen = (("implement", "gpt-5"),)
    assert told(Limits((FIVE,), chosen), (Role.IMPLEMENT, "codex")) == ""
    with pytest.raises(UsageError):
        told(Limits((FIVE,), chosen), (Role.IMPLEMENT, "codex:fast"))


def test_a_price_of_ones_own_or_a_limit_of_tokens_lets_it_run() -> None:
    assert told(Limits((FIVE,), prices=(SOL,)), (Role.IMPLEMENT, "codex")) == ""
    both = Ceiling(cost_usd=5.0, tokens=10_000)
    assert "that in tokens does" in told(Limits((both,)), (Role.IMPLEMENT, "codex"))
    with pytest.raises(UsageError):
        told(Limits((both, FIVE)), (Role.IMPLEMENT, "codex"))


def test_a_guessed_price_is_told_and_nothing_is_said_without_a_limit_in_dollars() -> None:
    said = told(Limits((FIVE,)), (Role.IMPLEMENT, "claude"))
    assert "the price of opus is not known" in said
    assert "it is taken for that of claude-opus-4-5" in said
    assert told(Limits((Ceiling(tokens=9),)), (Role.IMPLEMENT, "codex")) == ""
    assert told(Limits((FIVE,)), (Role.IMPLEMENT, "./a-command")) == ""
