"""An ended run that goes on: what failed last is done again, and nothing else."""

from __future__ import annotations

import asyncio

import pytest

from burnish.errors import UsageError
from burnish.model.change import Change, Failure, FailureKind
from burnish.model.decision import Stop
from burnish.model.events import RunReopened
from burnish.model.landing import Land, Landing
from burnish.model.outcome import Outcome
from burnish.model.reason import Reason
from burnish.model.run_view import RunState
from burnish.model.step import Role, Step
from burnish.store import queries
from burnish.store.journal import Journal
from burnish.store.leases import this_process
from tests.unit.store.journals import FIX, IMPLEMENT, NEW, REVIEW, Bench, Worker

FAILED = Stop(Outcome.FAILED, Reason.FIXER_FAILED, "it fell")


class Fixer:
    def __init__(self) -> None:
        self.calls = 0

    async def fail(self) -> Change | Failure:
        self.calls += 1
        return Failure(Role.FIX, FailureKind.EXIT, "it fell")

    async def land(self) -> Landing:
        self.calls += 1
        return Landing(Land.NONE, "c" * 40)


async def _ended(bench: Bench, worker: Worker, fixer: Fixer, *asks: int, stop: Stop = FAILED) -> str:
    run = await Journal(bench.database).start(NEW)
    await run.do(IMPLEMENT, worker.change)
    await run.do(REVIEW, worker.review)
    for ask in asks:
        await run.do(Step(Role.FIX, 1, ask=ask), fixer.fail)
    await run.do(Step(Role.LAND), fixer.land)
    await run.end(stop, 1)
    return run.id


def test_the_failed_step_with_all_its_asks_and_the_landing_are_forgotten(bench: Bench) -> None:
    worker, fixer = Worker(), Fixer()

    async def scenario() -> str:
        name = await _ended(bench, worker, fixer, 1, 2)
        await Journal(bench.database).reopen(name, "ada")
        run = await Journal(bench.database).resume(name)
        await run.do(IMPLEMENT, worker.change)
        await run.do(REVIEW, worker.review)
        await run.do(FIX, fixer.fail)
        await run.end(Stop(Outcome.STOPPED, Reason.NO_PROGRESS), 4)
        return name

    name = asyncio.run(scenario())
    assert (len(worker.calls), fixer.calls) == (2, 4)
    [event] = [
        entry.event
        for entry in queries.run_events(bench.database, name)
        if isinstance(entry.event, RunReopened)
    ]
    assert (sorted(event.forgot), event.by) == (["fix//1//1", "fix//1//2", "land//0//1"], "ada")
    view = queries.find_run(bench.database, name, this_process())
    assert (view.outcome, view.reason, view.fixes) == ("stopped", "no_progress", 1)


def test_a_reopened_run_has_not_ended_and_can_be_resumed(bench: Bench) -> None:
    async def scenario() -> str:
        name = await _ended(bench, Worker(), Fixer(), 1)
        await Journal(bench.database).reopen(name, "ada", spec='{"more":1}')
        return name

    view = queries.find_run(bench.database, asyncio.run(scenario()), this_process())
    assert (view.state, view.outcome, view.spec) == (RunState.INTERRUPTED, None, '{"more":1}')


def test_a_failure_that_was_made_up_for_stays_in_the_past(bench: Bench) -> None:
    worker, fixer = Worker(), Fixer()

    async def scenario() -> str:
        run = await Journal(bench.database).start(NEW)
        await run.do(FIX, fixer.fail)
        await run.do(Step(Role.FIX, 1, ask=2), worker.change)
        await run.do(Step(Role.REVIEW, 2), worker.review)
        await run.end(Stop(Outcome.EXHAUSTED, Reason.CYCLES_EXHAUSTED), 0)
        await Journal(bench.database).reopen(run.id, "ada")
        return run.id

    name = asyncio.run(scenario())
    assert [step.key for step in queries.run_steps(bench.database, name) if step.role == "fix"] == [
        "fix//1//1", "fix//1//2",
    ]  # fmt: skip


def test_what_passed_or_still_runs_is_not_opened_again(bench: Bench) -> None:
    async def passed() -> None:
        name = await _ended(bench, Worker(), Fixer(), stop=Stop(Outcome.PASSED, Reason.REVIEW_PASSED))
        await Journal(bench.database).reopen(name, "ada")

    async def running() -> None:
        run = await Journal(bench.database).start(NEW)
        await Journal(bench.database).reopen(run.id, "ada")

    with pytest.raises(UsageError, match="passed"):
        asyncio.run(passed())
    with pytest.raises(UsageError, match="has not ended"):
        asyncio.run(running())


def test_work_that_changed_nothing_is_done_again(bench: Bench) -> None:
    worker = Worker()

    async def scenario() -> None:
        run = await Journal(bench.database).start(NEW)
        await run.do(IMPLEMENT, worker.change)
        await run.end(Stop(Outcome.STOPPED, Reason.EMPTY_CHANGE), 4)
        await Journal(bench.database).reopen(run.id, "ada")
        again = await Journal(bench.database).resume(run.id)
        await again.do(IMPLEMENT, worker.change)
        await again.interrupt("enough")

    asyncio.run(scenario())
    assert len(worker.calls) == 2


def test_a_clock_that_was_set_back_does_not_hide_what_failed_last(bench: Bench) -> None:
    class Backwards:
        """Each look is an hour earlier."""

        hour = 23

        def now(self) -> str:
            self.hour -= 1
            return f"2026-11-15T{self.hour:02}:00:00.000Z"

        def monotonic(self) -> float:
            return 0.0

    fixer = Fixer()

    async def scenario() -> str:
        run = await Journal(bench.database, Backwards()).start(NEW)
        await run.do(IMPLEMENT, Worker().change)
        await run.do(REVIEW, Worker().review)
        await run.do(FIX, fixer.fail)
        await run.end(FAILED, 1)
        await Journal(bench.database).reopen(run.id, "ada")
        return run.id

    left = [step.role for step in queries.run_steps(bench.database, asyncio.run(scenario()))]
    assert sorted(left) == ["implement", "review"]


def test_a_run_that_ended_with_a_review_keeps_it(bench: Bench) -> None:
    """Nothing failed: only the landing is done again, and whatever more cycles allow."""
    worker = Worker()

    async def scenario() -> str:
        name = await _ended(bench, worker, Fixer(), stop=Stop(Outcome.EXHAUSTED, Reason.CYCLES_EXHAUSTED))
        await Journal(bench.database).reopen(name, "ada")
        run = await Journal(bench.database).resume(name)
        await run.do(REVIEW, worker.review)
        await run.interrupt("enough")
        return name

    name = asyncio.run(scenario())
    assert len(worker.calls) == 2
    assert {step.role for step in queries.run_steps(bench.database, name)} == {"implement", "review"}
