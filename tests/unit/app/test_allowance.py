"""The budget of 24 hours: asked for before each question, and when it can go on."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest

from burnish.agents._in_memory import ScriptedAgent
from burnish.app.allowance import Allowance, AllowedAgent
from burnish.app.ceilings import day_ceiling, run_budget, task_used_up
from burnish.config.schema import Budget
from burnish.errors import DayBudgetUsed
from burnish.model.agent import Request, Usage
from burnish.model.ceiling import Ceiling
from burnish.model.review import Review, Verdict
from burnish.model.step import Role, Step
from burnish.store import spending
from burnish.store.database import Database, open_database
from burnish.workflows.ask import ask

REQUEST = Request(Role.REVIEW, "?", Path(), Path(), Path(), timeout_s=5.0)


@dataclass
class SetClock:
    at: str

    def now(self) -> str:
        return self.at

    def monotonic(self) -> float:
        return 0.0


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    opened = open_database(tmp_path / "burnish.db")
    yield opened
    opened.close()


def spend(database: Database, at: str, cost: float, seconds: float = 0.0) -> None:
    review = Review(Verdict.FAIL, "NO", usage=Usage(100, 0, cost, seconds))
    with database.write() as connection:
        spending.record(connection, "r-1", Step(Role.REVIEW, 1), review, at)


def local(text: str) -> str:
    return datetime.fromisoformat(text).replace(tzinfo=UTC).astimezone().strftime("%Y-%m-%d %H:%M")


def test_an_agent_is_asked_while_the_day_has_something_left_and_then_no_more(database: Database) -> None:
    clock = SetClock("2026-11-15T20:00:00.000Z")
    agent = ScriptedAgent(["one", "two"])
    allowed = AllowedAgent(agent, Allowance(database, Ceiling(cost_usd=2.0), clock))
    spend(database, "2026-11-15T03:00:00.000Z", 1.0)
    assert asyncio.run(ask(allowed, REQUEST)).text == "one"
    spend(database, "2026-11-15T04:30:00.000Z", 1.0)
    with pytest.raises(DayBudgetUsed, match=r"used up \(spent \$2.00 of \$2.00\)"):
        asyncio.run(ask(allowed, REQUEST))
    assert len(agent.requests) == 1
    # A day after the oldest of it there is something left again.
    clock.at = "2026-11-16T03:00:00.001Z"
    assert asyncio.run(ask(allowed, REQUEST)).text == "two"


def test_it_says_when_enough_is_a_day_old(database: Database) -> None:
    for hour, cost in ((3, 0.1), (5, 1.5), (9, 1.0)):
        spend(database, f"2026-11-15T{hour:02}:00:00.000Z", cost)
    allowance = Allowance(database, Ceiling(cost_usd=2.0), SetClock("2026-11-15T20:00:00.000Z"))
    # The first row alone is not enough: without the second it is.
    with pytest.raises(DayBudgetUsed, match=f"it can go on at {local('2026-11-16T05:00:00')}"):
        allowance.check()
    assert allowance.left() == Ceiling(cost_usd=0.0)


def test_a_clock_that_was_ahead_does_not_forbid_everything(database: Database) -> None:
    spend(database, "2027-11-15T03:00:00.000Z", 50.0)
    Allowance(database, Ceiling(cost_usd=2.0), SetClock("2026-11-15T20:00:00.000Z")).check()
    spend(database, "2026-11-15T22:00:00.000Z", 50.0)
    with pytest.raises(DayBudgetUsed):
        Allowance(database, Ceiling(cost_usd=2.0), SetClock("2026-11-15T20:00:00.000Z")).check()


def test_without_a_limit_nothing_is_looked_up(database: Database) -> None:
    database.close()
    Allowance(database, Ceiling(), SetClock("not even a time")).check()


def test_settings_become_ceilings_and_a_task_leaves_its_runs_what_is_left() -> None:
    budget = Budget(run_cost_usd=3.0, task_cost_usd=5.0, task_minutes=10.0, day_tokens=1000)
    assert day_ceiling(budget) == Ceiling(tokens=1000)
    assert run_budget(budget) == Ceiling(3.0, None, 600.0)
    assert run_budget(budget, Usage(cost_usd=4.0, seconds=60.0)) == Ceiling(1.0, None, 540.0)
    assert task_used_up(budget, Usage(cost_usd=4.0)) == ""
    assert task_used_up(budget, Usage(cost_usd=5.0)) == (
        "the budget of this task is used up (spent $5.00 of $5.00)"
    )
