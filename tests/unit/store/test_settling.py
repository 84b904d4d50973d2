"""Tasks whose run has just ended: what they leave is written down before anybody builds on it."""

from __future__ import annotations

import asyncio
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from burnish.model.decision import Stop
from burnish.model.outcome import Outcome
from burnish.model.queue import QueueTask, TaskState, TaskType
from burnish.model.reason import Reason
from burnish.store.database import Database, open_database
from burnish.store.journal import Journal
from burnish.store.queue import Claim, Queue
from tests.unit.store.journals import NEW, NOBODY

PLAN = QueueTask(id="plan", number=0, prompt="Plan it", task_type=TaskType.PLAN)


def end(database: Database, claim: Claim) -> None:
    async def run() -> None:
        run = await Journal(database).start(replace(NEW, id=claim.run_id))
        await run.end(Stop(Outcome.UNREVIEWED, Reason.REPORTED), 0)

    asyncio.run(run())


def claimed(queue: Queue) -> Claim | None:
    return queue.claim(None, lambda name: False)


def test_nobody_builds_on_a_plan_before_it_is_written_down(tmp_path: Path) -> None:
    with closing(open_database(tmp_path / "burnish.db")) as database:
        queue = Queue(database)
        queue.add(PLAN, QueueTask(id="it", number=0, prompt="Do it", depends_on=(-1,)))
        plan = claimed(queue)
        assert plan is not None
        end(database, plan)
        assert (queue.find(1).state, queue.find(2).waits_for) == (TaskState.COMPLETED, ())
        assert claimed(queue) is None
        queue.give_up(plan, output="one file")
        found = claimed(queue)
        assert found is not None
        assert (found.task.number, queue.find(1).task.output_content) == (2, "one file")


def test_what_a_process_that_died_did_not_write_down_is_taken_up_by_one(tmp_path: Path) -> None:
    with closing(open_database(tmp_path / "burnish.db")) as database:
        queue, dead = Queue(database), Queue(database, holder=NOBODY)
        queue.add(PLAN)
        plan = claimed(dead)
        assert plan is not None
        assert queue.unsettled() is None, "its run has not ended"
        end(database, plan)
        mine = queue.unsettled()
        assert mine is not None
        assert (mine.task.number, mine.run_id) == (1, plan.run_id)
        assert queue.unsettled() is None, "it is being settled"
        queue.give_up(mine, output="one file")
        assert queue.unsettled() is None


def test_what_a_living_process_is_about_to_write_down_is_left_to_it(tmp_path: Path) -> None:
    with closing(open_database(tmp_path / "burnish.db")) as database:
        queue = Queue(database)
        queue.add(PLAN)
        plan = claimed(queue)
        assert plan is not None
        end(database, plan)
        assert queue.unsettled() is None
