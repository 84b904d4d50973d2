"""A run in memory behaves as the one in the database does."""

from __future__ import annotations

import asyncio

import pytest

from burnish.model.change import Change
from burnish.model.events import Noticed, StepFailed, StepFinished, StepStarted
from burnish.model.step import Role
from burnish.ports import Run
from burnish.store.memory import MemoryRun
from tests.unit.store.journals import FIX, NEW, REVIEW, Bench, Worker


async def _story(run: Run, worker: Worker) -> list[object]:
    """The same things done to any run; gives what they came to."""
    change = Change(Role.FIX, "f", "t", "0")
    with pytest.raises(OSError, match="went away"):
        await run.do(FIX, worker.crash)
    await run.intend(FIX, change)
    await run.note("key", "text")
    await run.note("key", "other text")
    return [
        await run.do(REVIEW, worker.review),
        await run.do(REVIEW, worker.review),
        await run.do(FIX, worker.fail),
        await run.intended(FIX),
        await run.intended(REVIEW),
    ]


def test_memory_and_database_give_the_same_results_and_events(bench: Bench) -> None:
    memory, remembered, stored = MemoryRun("r-memory"), Worker(), Worker()

    async def scenario() -> tuple[list[object], list[object], str]:
        durable = await bench.journal().start(NEW)
        return await _story(memory, remembered), await _story(durable, stored), durable.id

    in_memory, in_database, run_id = asyncio.run(scenario())
    assert in_memory == in_database
    assert remembered.calls == stored.calls == ["crash", "review", "fail"]
    assert memory.events == bench.events(run_id)[1:]
    kinds = [StepStarted, Noticed, StepStarted, StepFinished, StepStarted, StepFailed]
    assert [type(event) for event in memory.events] == kinds


def test_listeners_of_a_run_in_memory_hear_everything_in_order() -> None:
    heard: list[int] = []
    run = MemoryRun(listeners=(lambda entry: heard.append(entry.seq),))
    asyncio.run(_story(run, Worker()))
    assert heard == [entry.seq for entry in run.recorded] == [1, 2, 3, 4, 5, 6]
