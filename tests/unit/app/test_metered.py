"""Budgets while an agent works: the call is stopped when what was left is used, and what it spent counts."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from burnish.agents._in_memory import ScriptedAgent
from burnish.agents.fallback import FallbackAgent
from burnish.app.allowance import Allowance, AllowedAgent
from burnish.app.metered import MeteredAgent
from burnish.errors import AgentFailed, DayBudgetUsed
from burnish.model.agent import Reply, Request, Usage
from burnish.model.agent_events import AgentTrouble
from burnish.model.ceiling import Ceiling
from burnish.model.outcome import Outcome
from burnish.model.reason import Reason
from burnish.model.review import Review, Verdict
from burnish.model.step import Role, Step
from burnish.policies import budget
from burnish.store import spending
from burnish.store.database import Database, open_database
from burnish.workflows.ask import ask
from tests.loops import Drive, passing, profile_named

RUN = {"BURNISH_RUN": "r-1", "BURNISH_CYCLE": "2"}
REQUEST = Request(Role.FIX, "?", Path(), Path(), Path(), timeout_s=5.0, variables=RUN)


@dataclass
class Telling:
    """An agent that tells what it used as it goes, 100 tokens and ten cents each time."""

    turns: int
    name: str = "telling"
    cost: float | None = 0.1
    told: list[int] = field(default_factory=list)

    def check(self) -> None: ...

    def session(self) -> TellingSession:
        return TellingSession(self)


@dataclass
class TellingSession:
    agent: Telling
    request: Request | None = None

    async def spawn(self, request: Request) -> None:
        self.request = request

    async def wait(self, timeout_s: float) -> Reply | None:
        assert self.request is not None
        used = Usage()
        for turn in range(self.agent.turns):
            used += Usage(100, 0, self.agent.cost)
            self.agent.told.append(turn)
            if self.request.on_used is not None:
                self.request.on_used(used)
        return Reply("done", usage=used)

    async def send(self, text: str) -> None: ...

    async def close(self) -> None: ...


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    opened = open_database(tmp_path / "burnish.db")
    yield opened
    opened.close()


def spend(database: Database, cost: float) -> None:
    review = Review(Verdict.FAIL, "NO", usage=Usage(100, 0, cost))
    with database.write() as connection:
        spending.record(connection, "r-1", Step(Role.REVIEW, 1), review, "2026-11-15T03:00:00.000Z")


def test_a_call_is_stopped_when_the_run_has_used_what_was_left(database: Database) -> None:
    spend(database, 0.75)
    agent = Telling(9)
    metered = MeteredAgent(agent, database, "r-1", Ceiling(cost_usd=1.0))
    with pytest.raises(AgentFailed, match=r"budget of this run is used up \(spent \$0.30 of \$0.25") as found:
        asyncio.run(ask(metered, REQUEST))
    assert found.value.trouble is AgentTrouble.BUDGET
    assert found.value.usage.tokens == 300
    assert agent.told == [0, 1, 2]


def test_a_call_within_what_is_left_is_left_alone(database: Database) -> None:
    metered = MeteredAgent(Telling(3), database, "r-1", Ceiling(cost_usd=1.0, tokens=301))
    assert asyncio.run(ask(metered, REQUEST)).usage.tokens == 300


def test_a_call_whose_price_nobody_knows_is_stopped_at_once_where_only_dollars_are_limited(
    database: Database,
) -> None:
    agent = Telling(9, cost=None)
    with pytest.raises(
        AgentFailed, match=r"100 tokens were used of unknown price, so \$1.00 cannot"
    ) as found:
        asyncio.run(ask(MeteredAgent(agent, database, "r-1", Ceiling(cost_usd=1.0)), REQUEST))
    assert (found.value.trouble, agent.told) == (AgentTrouble.BUDGET, [0])
    assert '[prices."MODEL"]' in found.value.hint
    bounded = MeteredAgent(Telling(3, cost=None), database, "r-1", Ceiling(cost_usd=1.0, tokens=900))
    assert asyncio.run(ask(bounded, REQUEST)).usage.tokens == 300
    day = AllowedAgent(Telling(9, cost=None), Allowance(database, Ceiling(cost_usd=1.0)))
    with pytest.raises(DayBudgetUsed, match="cannot be kept") as stopped:
        asyncio.run(ask(day, REQUEST))
    assert "[prices." in stopped.value.hint


def test_nobody_further_is_asked_when_the_budget_is_the_reason(database: Database) -> None:
    second = ScriptedAgent(["done"])
    both = FallbackAgent("both", (Telling(9), second))
    with pytest.raises(AgentFailed) as found:
        asyncio.run(ask(MeteredAgent(both, database, "r-1", Ceiling(tokens=200)), REQUEST))
    assert found.value.trouble is AgentTrouble.BUDGET
    assert second.requests == []


def test_the_day_stops_a_call_resumably_and_what_it_spent_is_counted(database: Database) -> None:
    allowed = AllowedAgent(Telling(9), Allowance(database, Ceiling(tokens=250)))
    with pytest.raises(DayBudgetUsed, match="the budget of these 24 hours is used up"):
        asyncio.run(ask(allowed, REQUEST))
    assert spending.spent(database, ["r-1"]).tokens == 300
    with pytest.raises(DayBudgetUsed):
        allowed.allowance.check()


def test_a_loop_whose_agent_is_stopped_by_the_budget_ends_out_of_budget(tmp_path: Path) -> None:
    def stopped(request: Request) -> str:
        error = AgentFailed("stopped: the budget of this run is used up", usage=Usage(100))
        error.trouble = AgentTrouble.BUDGET
        raise error

    task = profile_named("task")
    drive = Drive(
        tmp_path, task, lambda request: passing(task), implement=stopped,
        wrap=lambda policy: budget.make(policy, "100000t"),
    )  # fmt: skip
    stop = drive.run().stop
    assert (stop.outcome, stop.reason) == (Outcome.STOPPED, Reason.OUT_OF_BUDGET)
    assert len(drive.asked(Role.IMPLEMENT)) == 1


def test_what_all_budgets_among_the_policies_allow_together() -> None:
    named = (("budget", "2.50"), ("patience", "2"), ("budget", "1.5"), ("budget", "900t"))
    assert budget.ceiling(named) == Ceiling(cost_usd=1.5, tokens=900)
    assert budget.ceiling((("patience", "2"),)).open
