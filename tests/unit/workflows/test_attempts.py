"""Asked again after a failure: the history knows what every ask spent, the journal has each apart."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from burnish.model.agent import Usage
from burnish.model.change import Change, Failure, FailureKind
from burnish.model.history import History
from burnish.model.step import Role, Step
from burnish.model.task import Task
from burnish.registry import load
from burnish.store.memory import MemoryRun
from burnish.workflows.attempts import attempt

TASK = Task("Do it", "c0", "t0", "c0", "t0")
PROFILE = load("profiles", "spec")()


def test_what_failed_asks_spent_is_carried_into_the_fact_that_the_history_keeps() -> None:
    run = MemoryRun()
    step = Step(Role.FIX, 1)
    assert PROFILE.rule(Role.FIX, FailureKind.TIMEOUT).retries == 1

    async def work(history: History, step: Step, why: str) -> Change | Failure:
        if step.ask == 1:
            return Failure(Role.FIX, FailureKind.TIMEOUT, "late", usage=Usage(5, 5, 1.0, 60.0))
        return Change(Role.FIX, "c1", "t1", "t0", usage=Usage(1, 1, 0.25, 2.0))

    result, last = asyncio.run(attempt(run, step, PROFILE, work, History(TASK)))
    assert isinstance(result, Change)
    assert last == replace(step, ask=2)
    assert History(TASK).add(result).usage == Usage(6, 6, 1.25, 62.0)
    assert run.results[last.key].usage == Usage(1, 1, 0.25, 2.0)

    # Resumed: nothing is done again, and the sum is the same.
    again, _ = asyncio.run(attempt(run, step, PROFILE, work, History(TASK)))
    assert again == result


def test_when_every_ask_fails_the_last_failure_carries_them_all() -> None:
    async def work(history: History, step: Step, why: str) -> Change | Failure:
        return Failure(Role.FIX, FailureKind.TIMEOUT, "late", usage=Usage(cost_usd=1.0))

    result, _ = asyncio.run(attempt(MemoryRun(), Step(Role.FIX, 1), PROFILE, work, History(TASK)))
    assert isinstance(result, Failure)
    assert result.usage.cost_usd == 2.0
