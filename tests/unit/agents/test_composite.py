"""Agents made of agents: `retry` repeats a limited one, `fallback` asks the next; who answered is told."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnish.agents._choose import choose
from burnish.agents._in_memory import ScriptedAgent
from burnish.agents._setup import AgentSetup
from burnish.agents.fallback import FallbackAgent
from burnish.agents.retry import FIRST_PAUSE_S, LONGEST_PAUSE_S, RetryAgent
from burnish.errors import (
    AgentError,
    AgentFailed,
    AgentLimited,
    AgentMissing,
    AgentTimedOut,
    AgentUnfit,
    BurnishError,
    UsageError,
)
from burnish.model.agent import Reply, Request
from burnish.model.agent_events import AgentTrouble
from burnish.model.step import Role
from burnish.model.trouble import Trouble, asked_to_wait_s, trouble_of
from burnish.workflows.ask import ask
from tests.repairs import WatchedAgent

REQUEST = Request(Role.REVIEW, "?", Path(), Path(), Path(), timeout_s=600.0)
SETUP = AgentSetup(environ={"PATH": "/usr/bin:/bin"})


class Pauses:
    def __init__(self) -> None:
        self.taken: list[float] = []

    async def __call__(self, pause_s: float) -> None:
        self.taken.append(pause_s)


def retrying(*replies: Reply | str | AgentError, times: int = 3) -> tuple[RetryAgent, ScriptedAgent, Pauses]:
    inner, pauses = ScriptedAgent(replies, name="inner"), Pauses()
    return RetryAgent("retry", inner, times, sleep=pauses, chance=lambda: 1.0), inner, pauses


def test_a_limited_agent_is_asked_again_after_pauses_that_grow() -> None:
    agent, inner, pauses = retrying(AgentLimited("429"), AgentFailed("HTTP 429 Too Many Requests"), "yes")
    reply = asyncio.run(ask(agent, REQUEST))
    assert (reply.text, reply.agent, len(inner.requests)) == ("yes", "inner", 3)
    assert pauses.taken == [FIRST_PAUSE_S, 2 * FIRST_PAUSE_S]


@pytest.mark.parametrize("error", [AgentFailed("a bug"), AgentTimedOut("late"), AgentMissing("gone")])
def test_only_limits_are_repeated(error: AgentError) -> None:
    agent, inner, pauses = retrying(error, "yes")
    with pytest.raises(type(error)):
        asyncio.run(ask(agent, REQUEST))
    assert (len(inner.requests), pauses.taken) == (1, [])


def test_the_last_limit_is_told_when_asking_again_did_not_help() -> None:
    agent, inner, _ = retrying(*[AgentLimited("quota")] * 5, times=3)
    with pytest.raises(AgentLimited, match="quota"):
        asyncio.run(ask(agent, REQUEST))
    assert len(inner.requests) == 3


@pytest.mark.parametrize(
    "error", [AgentLimited("later", retry_after_s=50.0), AgentFailed("rate limit: try again in 50 s")]
)
def test_the_pause_an_agent_asks_for_is_kept(error: AgentError) -> None:
    agent, _, pauses = retrying(error, "yes")
    asyncio.run(ask(agent, REQUEST))
    assert pauses.taken == [50.0 + FIRST_PAUSE_S]


def test_a_pause_longer_than_the_time_left_is_not_begun() -> None:
    agent, inner, pauses = retrying(AgentLimited("later", retry_after_s=700.0), "yes")
    with pytest.raises(AgentLimited):
        asyncio.run(ask(agent, REQUEST))
    assert (len(inner.requests), pauses.taken) == (1, [])


@given(st.integers(1, 20), st.floats(0, 1))
def test_pauses_are_spread_over_the_upper_half_and_have_an_end(asked: int, chance: float) -> None:
    agent = RetryAgent("retry", ScriptedAgent(()), 20, chance=lambda: chance)
    most = min(FIRST_PAUSE_S * 2 ** (asked - 1), LONGEST_PAUSE_S)
    assert most / 2 <= agent.pause_s(asked, AgentLimited("x")) <= most


def test_every_session_of_an_inner_agent_is_closed() -> None:
    def answer(request: Request) -> str:
        if len(inner.lives) == 1:
            raise AgentLimited("429")
        return "yes"

    inner = WatchedAgent(answer)
    agent = RetryAgent("retry", FallbackAgent("fallback", (inner, ScriptedAgent(()))), 2, sleep=Pauses())
    assert asyncio.run(ask(replace(agent, inner=inner), REQUEST)).text == "yes"
    assert [(life[0], life[-1]) for life in inner.lives] == [("spawn", "close")] * 2


@pytest.mark.conformance("C-32")
def test_the_next_agent_answers_where_one_fails_and_the_reply_says_who() -> None:
    agents = tuple(
        ScriptedAgent([reply], name=name)
        for name, reply in (("a", AgentFailed("broken")), ("b", AgentTimedOut("late")), ("c", "yes"))
    )
    reply = asyncio.run(ask(FallbackAgent("fallback", agents), REQUEST))
    assert (reply.text, reply.agent) == ("yes", "c")
    assert [len(agent.requests) for agent in agents] == [1, 1, 1]


@pytest.mark.parametrize(
    ("errors", "kind"),
    [
        ((AgentLimited("1", retry_after_s=9.0), AgentLimited("2", retry_after_s=4.0)), AgentLimited),
        ((AgentLimited("1"), AgentFailed("2")), AgentFailed),
        ((AgentFailed("1"), AgentTimedOut("2")), AgentTimedOut),
    ],
)
def test_when_nobody_answers_each_is_named_with_its_reason(
    errors: tuple[AgentError, ...], kind: type[AgentError]
) -> None:
    agents = tuple(ScriptedAgent([error], name=f"agent{at}") for at, error in enumerate(errors, 1))
    with pytest.raises(BurnishError, match="none of 2 agents answered: agent1: 1; agent2: 2") as caught:
        asyncio.run(ask(FallbackAgent("fallback", agents), REQUEST))
    assert type(caught.value) is kind
    if isinstance(caught.value, AgentLimited):
        assert caught.value.retry_after_s == 4.0


@pytest.mark.parametrize(
    ("kinds", "told"),
    [
        (("overloaded", "overloaded"), "overloaded"),
        (("quota", "overloaded"), "quota"),
        (("overloaded", "quota", "rate_limit"), "rate_limit"),
    ],
)
def test_a_chain_that_is_limited_says_what_is_soonest_over(kinds: tuple[str, ...], told: str) -> None:
    """An overloaded service is not waited for, whether one agent says so or a chain of them."""
    errors = []
    for kind in kinds:
        errors.append(AgentLimited(kind))
        errors[-1].trouble = AgentTrouble(kind)
    agent = FallbackAgent("fallback", tuple(ScriptedAgent([error], name="a") for error in errors))
    with pytest.raises(AgentLimited) as found:
        asyncio.run(ask(agent, REQUEST))
    assert found.value.trouble == told


def test_they_are_found_by_their_names_and_hold_one_another() -> None:
    agent = choose("retry:4:fallback:sh -c 'a|b'|cat -", SETUP)
    assert isinstance(agent, RetryAgent) and isinstance(agent.inner, FallbackAgent)
    assert agent.times == 4
    assert [inner.name for inner in agent.inner.agents] == ["sh -c 'a|b'", "cat -"]


@pytest.mark.parametrize(
    "spec", ["retry:cat", "retry:0:cat", "retry:x:cat", "retry:3:", "fallback:cat", "fallback:cat||sh",
             "fallback:cat|", "fallback:cat|sh -c 'x"],
)  # fmt: skip
def test_what_cannot_be_read_is_refused_in_a_sentence(spec: str) -> None:
    with pytest.raises(UsageError, match=r"expected (retry|fallback):"):
        choose(spec, SETUP)


def test_one_agent_that_is_there_is_enough() -> None:
    choose("fallback:no-such-program-x|cat", SETUP).check()
    with pytest.raises(AgentMissing):
        choose("fallback:no-such-program-x|no-such-program-y", SETUP).check()


@pytest.mark.parametrize(
    ("words", "trouble"),
    [
        ("x ended with status 1: API Error: 429 rate_limit_error", Trouble.LIMIT),
        ("HTTP/1.1 429", Trouble.LIMIT),
        ("You exceeded your current quota", Trouble.LIMIT),
        ("status code 503", Trouble.SERVER),
        ("502 Bad Gateway", Trouble.SERVER),
        ("connect ETIMEDOUT 10.0.0.1:443", Trouble.CONNECTION),
        ("Connection timed out", Trouble.CONNECTION),
        ("x ended with status 1: AssertionError at line 500 of 429 lines", None),
        ("", None),
    ],
)
@pytest.mark.conformance("C-91")
def test_the_last_words_of_an_agent_tell_the_trouble(words: str, trouble: Trouble | None) -> None:
    assert trouble_of(words) is trouble


@pytest.mark.parametrize(
    ("words", "seconds"),
    [("Retry-After: 20", 20.0), ("try again in 1.5 min", 90.0), ("retry in 250ms", 0.25), ("later", None)],
)
def test_how_long_to_wait_is_read(words: str, seconds: float | None) -> None:
    assert asked_to_wait_s(words) == seconds


def test_who_was_passed_over_and_why_comes_with_the_answer() -> None:
    broken, limited = ScriptedAgent([AgentFailed("no connection: ECONNREFUSED")], name="broken"), quota()
    agent = FallbackAgent("chain", (limited, broken, ScriptedAgent(["yes"], name="last")))
    reply = asyncio.run(ask(agent, REQUEST))
    assert reply.agent == "last"
    assert reply.passed_over == (
        "limited: quota (has used up its quota)",
        "broken: no connection (no connection: ECONNREFUSED)",
    )


def test_one_that_is_not_made_for_it_changes_nothing_about_what_could_help() -> None:
    """A chain that is limited but for its stand-in can be asked again when the limit is over."""
    unfit = ScriptedAgent([AgentUnfit("cannot judge it")], name="embedded")
    with pytest.raises(AgentLimited) as told:
        asyncio.run(ask(FallbackAgent("chain", (quota(), unfit)), REQUEST))
    assert told.value.retry_after_s == 60
    assert "embedded: cannot judge it" in told.value.message


def test_a_stand_in_alone_is_not_enough_to_begin() -> None:
    stand_in = ScriptedAgent([], name="embedded")
    gone = choose("no-such-program-anywhere", SETUP)
    with pytest.raises(AgentMissing):
        FallbackAgent("chain", (gone, stand_in)).check()
    FallbackAgent("chain", (ScriptedAgent([], name="there"), stand_in)).check()


def test_a_chain_with_embedded_can_be_looked_at_outside_of_a_run_and_asked_only_in_one() -> None:
    agent = choose("fallback:true|embedded", SETUP)
    agent.check()
    with pytest.raises(AgentUnfit, match="only stand in"):
        choose("embedded", SETUP).session()
    with pytest.raises(UsageError, match="alone"):
        choose("embedded:fast", SETUP)


def quota() -> ScriptedAgent:
    error = AgentLimited("limited has used up its quota", retry_after_s=60)
    error.trouble = AgentTrouble.QUOTA
    return ScriptedAgent([error], name="limited")
