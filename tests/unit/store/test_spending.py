"""Money is counted once, in the transaction of the step that spent it, and stays spent."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from burnish.model.agent import CostBasis, Usage
from burnish.model.change import Change, Failure, FailureKind
from burnish.model.decision import Stop
from burnish.model.history import Ending, History
from burnish.model.outcome import Outcome
from burnish.model.reason import Reason
from burnish.model.review import Review, Verdict
from burnish.model.step import Role, Step
from burnish.model.task import Task
from burnish.store import spending
from burnish.store.database import open_database
from burnish.store.journal import Journal
from tests.unit.store.journals import FIX, IMPLEMENT, NEW, REVIEW, Bench, Worker


async def paid_failure() -> Change | Failure:
    return Failure(Role.FIX, FailureKind.TIMEOUT, "late", usage=Usage(7, 3, 0.5, 60.0))


async def free_review() -> Review | Failure:
    return Review(Verdict.PASS, "APPROVED")


def rows(bench: Bench) -> list[tuple[str, int, str, str, float | None]]:
    with bench.database.read() as connection:
        found = connection.exec_driver_sql(
            "SELECT key, seq, role, agent, cost_usd FROM spending ORDER BY at, key"
        )
        return [tuple(row) for row in found]  # type: ignore[misc]


def test_each_step_that_used_something_has_a_row_and_the_run_has_their_sum(bench: Bench) -> None:
    worker = Worker()

    async def scenario() -> str:
        run = await bench.journal().start(NEW)
        await run.do(IMPLEMENT, worker.change)
        await run.do(REVIEW, worker.review)
        await run.do(REVIEW, worker.review)
        await run.do(FIX, paid_failure)
        await run.do(Step(Role.REVIEW, 2), free_review)
        return run.id

    run_id = asyncio.run(scenario())
    assert [(key, cost) for key, _, _, _, cost in rows(bench)] == [
        (FIX.key, 0.5),
        (IMPLEMENT.key, None),
        (REVIEW.key, 0.25),
    ]
    total = spending.spent(bench.database, [run_id])
    assert total == Usage(117, 58, 0.75, 60.0, partly=True)
    view = bench.view(run_id)
    assert (view.tokens, view.cost) == (total.tokens, total.cost_usd)
    assert spending.spent(bench.database, ["r-other"]) == Usage()
    assert spending.spent(bench.database, [*(f"r-{n}" for n in range(1200)), run_id]) == total


def test_a_step_done_again_in_a_reopened_run_adds_a_row_and_the_old_one_stays_spent(bench: Bench) -> None:
    stop = Stop(Outcome.FAILED, Reason.FIXER_FAILED, "late")

    async def scenario() -> str:
        worker = Worker()
        run = await bench.journal().start(NEW)
        await run.do(IMPLEMENT, worker.change)
        await run.do(FIX, paid_failure)
        task = Task("Add a check", "b" * 40, "bt", "c" * 40, "ct")
        await run.finish(Ending(stop, History(task)), None, 1)
        await bench.journal().reopen(run.id, by="me")
        assert await run.forgotten() == Usage(7, 3, 0.5, 60.0)
        run = await bench.journal().resume(run.id)
        await run.do(FIX, paid_failure)
        # The second is in the history again, the first never will be.
        assert await run.forgotten() == Usage(7, 3, 0.5, 60.0)
        return run.id

    run_id = asyncio.run(scenario())
    assert [(key, seq) for key, seq, *_ in rows(bench) if key == FIX.key] == [(FIX.key, 1), (FIX.key, 2)]
    assert spending.spent(bench.database, [run_id]).cost_usd == 1.0
    assert bench.view(run_id).cost == 1.0


def test_a_day_counts_from_a_moment_and_knows_when_each_was_spent(bench: Bench) -> None:
    worker = Worker()

    async def scenario() -> None:
        run = await bench.journal().start(NEW)
        for cycle, hour in enumerate((3, 9, 12), start=1):
            bench.clock.at = f"2026-11-15T{hour:02}:00:00.000Z"
            await run.do(Step(Role.REVIEW, cycle), worker.review)

    asyncio.run(scenario())
    assert spending.spent_since(bench.database, "2026-11-15T09:00:00.000Z").cost_usd == 0.5
    assert spending.spent_since(bench.database, "2026-11-15T09:00:00.001Z").cost_usd == 0.25
    assert spending.spent_since(bench.database, "2027-01-01T00:00:00.000Z") == Usage()
    times = [at for at, _ in spending.rows_since(bench.database, "2026-11-15T04:00:00.000Z")]
    assert times == ["2026-11-15T09:00:00.000Z", "2026-11-15T12:00:00.000Z"]


def test_what_a_role_usually_uses_is_the_middle_of_what_it_used(bench: Bench) -> None:
    async def used(cost: float | None) -> Review | Failure:
        return Review(Verdict.FAIL, "NO", usage=Usage(100, 0, cost, 10.0))

    async def scenario() -> None:
        run = await bench.journal().start(NEW)
        for cycle, cost in enumerate((0.1, 0.2, 9.0, None), start=1):
            await run.do(Step(Role.REVIEW, cycle), used, cost)

    assert spending.typical(bench.database) == {}
    asyncio.run(scenario())
    assert spending.typical(bench.database) == {"review": spending.Typical(4, 100, 0.2, 10.0, per_run=4.0)}


CHILD = """
import asyncio, os, signal, sys
from pathlib import Path
from burnish.store.database import open_database
from burnish.store.journal import Journal
from burnish.model.step import Role, Step
from tests.unit.store.journals import NEW, Worker
from dataclasses import replace

def die(point):
    if point == sys.argv[2]:
        os.kill(os.getpid(), signal.SIGKILL)

async def main():
    journal = Journal(open_database(Path(sys.argv[1])), on_point=die)
    run = await journal.start(replace(NEW, id="r-1"))
    await run.do(Step(Role.REVIEW, 1), Worker().review)

asyncio.run(main())
"""


@pytest.mark.parametrize(
    ("point", "counted"),
    [("work:done", 0), ("step_finished:written", 0), ("step_finished:committed", 1)],
)
def test_killed_at_any_moment_a_step_is_counted_once_if_and_only_if_it_is_finished(
    tmp_path: Path, point: str, counted: int
) -> None:
    path = tmp_path / "burnish.db"
    child = subprocess.run(
        [sys.executable, "-c", CHILD, str(path), point],
        cwd=Path(__file__).parents[3],
        env=dict(os.environ),
        check=False,
    )
    assert child.returncode == -signal.SIGKILL
    database = open_database(path)
    try:
        assert spending.spent(database, ["r-1"]).cost_usd == (0.25 if counted else None)

        async def go_on() -> None:
            run = await Journal(database).resume("r-1")
            await run.do(Step(Role.REVIEW, 1), Worker().review)
            await run.interrupt("enough")

        asyncio.run(go_on())
        assert spending.spent(database, ["r-1"]) == Usage(10, 5, 0.25)
    finally:
        database.close()


def test_what_is_estimated_and_what_has_no_price_is_known_of_rows_sums_and_the_run(bench: Bench) -> None:
    async def estimated() -> Review | Failure:
        return Review(Verdict.FAIL, "NO", usage=Usage(100, 20, 0.5, estimated=True))

    async def unpriced() -> Change | Failure:
        return Failure(Role.FIX, FailureKind.EXIT, "no", usage=Usage(10, 2))

    async def scenario() -> str:
        run = await bench.journal().start(NEW)
        await run.do(REVIEW, estimated)
        assert bench.view(run.id).spent.cost == "~$0.50 (estimated)"
        await run.do(FIX, unpriced)
        task = Task("Add a check", "b" * 40, "bt", "c" * 40, "ct")
        stop = Stop(Outcome.FAILED, Reason.FIXER_FAILED, "no")
        finished = await run.finish(Ending(stop, History(task)), None, 1)
        assert finished.cost_basis is CostBasis.ESTIMATED
        return run.id

    run_id = asyncio.run(scenario())
    assert bench.view(run_id).spent.cost == "at least ~$0.50 (estimated)"
    total = spending.spent(bench.database, [run_id])
    assert (total.basis, total.partly) == (CostBasis.ESTIMATED, True)
    by_role = spending.spent_by_role(bench.database, [run_id])
    assert [by_role[role].cost for role in ("fix", "review")] == ["cost unknown", "~$0.50 (estimated)"]
    assert spending.typical(bench.database)["review"].estimated
    assert not spending.typical(bench.database)["fix"].estimated
