"""The queue's rows: who may run what, what a task's state is drawn from, and what is refused."""

from __future__ import annotations

import asyncio
from dataclasses import fields, replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnish.errors import UsageError
from burnish.model.decision import Stop
from burnish.model.outcome import Outcome
from burnish.model.queue import QueueTask, TaskChange, TaskState, TaskType
from burnish.model.reason import Reason
from burnish.store.database import open_database
from burnish.store.journal import Journal
from burnish.store.leases import this_process
from burnish.store.queue import Claim, Queue
from burnish.store.task_rows import from_row, to_row
from tests.unit.store.journals import NEW, NOBODY

STRANGER = replace(this_process(), boot="another", host="another machine")


def _task(prompt: str = "Add it", **more: object) -> QueueTask:
    return QueueTask(**{"id": "20261115-add-it", "number": 0, "prompt": prompt, **more})  # type: ignore[arg-type]


@pytest.fixture
def queue(tmp_path: Path) -> Queue:
    return Queue(open_database(tmp_path / "burnish.db"))


def _claim(queue: Queue, *numbers: int) -> Claim | None:
    return queue.claim(frozenset(numbers) or None, lambda name: False)


def _end(queue: Queue, claim: Claim, outcome: Outcome, reason: Reason, verdict: str = "") -> None:
    async def run() -> None:
        run = await Journal(queue.database).start(replace(NEW, id=claim.run_id))
        await run.end(Stop(outcome, reason), 0, final_verdict=verdict)

    asyncio.run(run())
    queue.give_up(claim)


@pytest.mark.conformance("G-27", "G-28", "G-30")
def test_a_new_task_has_the_seeds_fields_with_its_defaults() -> None:
    names = {field.name for field in fields(QueueTask)}
    assert {"auto_review", "max_review_cycles", "final_verdict"} <= names
    task = _task()
    assert (task.auto_review, task.max_review_cycles, task.final_verdict) == (False, 3, None)


def test_tasks_get_numbers_in_order_and_ids_of_their_own(queue: Queue) -> None:
    added = queue.add(_task(), _task(), _task("Other", id="20261115-other"))
    assert [(task.number, task.id) for task in added] == [
        (1, "20261115-add-it"), (2, "20261115-add-it-2"), (3, "20261115-other"),
    ]  # fmt: skip
    assert [view.state for view in queue.all()] == [TaskState.PENDING] * 3


_words = st.text(max_size=30)


@given(
    st.builds(
        QueueTask,
        id=_words, number=st.integers(1, 10**6), prompt=_words, task_type=st.sampled_from(TaskType), group=_words,
        depends_on=st.lists(st.integers(1, 99), max_size=3).map(tuple), based_on=st.none() | st.integers(1, 99),
        flags=st.dictionaries(_words, st.integers(0, 9) | _words, max_size=2), note=_words, run_id=st.none() | _words,
    )
)  # fmt: skip
def test_a_task_comes_back_from_its_row_as_it_was(task: QueueTask) -> None:
    row = type("Row", (), to_row(task))
    assert from_row(row) == task


def test_a_claimed_task_is_nobody_elses(queue: Queue) -> None:
    queue.add(_task(), _task())
    first, second = _claim(queue), _claim(queue)
    assert first is not None
    assert second is not None
    assert (first.task.number, second.task.number) == (1, 2)
    assert first.run_id != second.run_id
    assert _claim(queue) is None
    assert queue.find(1).state is TaskState.IN_PROGRESS


def test_a_claim_of_a_dead_process_is_taken_over_with_its_run(queue: Queue) -> None:
    queue.add(_task())
    dead = _claim(replace(queue, holder=NOBODY))
    assert dead is not None
    assert queue.find(1).state is TaskState.PENDING
    mine = _claim(queue)
    assert mine is not None
    assert mine.run_id == dead.run_id
    assert queue.attempts(mine.task) == (dead.run_id,)


def test_a_claim_of_another_machine_counts_as_alive(queue: Queue) -> None:
    queue.add(_task())
    assert _claim(replace(queue, holder=STRANGER)) is not None
    assert _claim(queue) is None


def test_a_given_up_task_can_be_claimed_again_by_the_same_process(queue: Queue) -> None:
    queue.add(_task())
    claim = _claim(queue)
    assert claim is not None
    queue.give_up(claim)
    again = _claim(queue)
    assert again is not None
    assert again.run_id == claim.run_id


@pytest.mark.conformance("G-57", "G-61")
def test_the_verdict_is_none_until_the_loop_is_over(queue: Queue) -> None:
    queue.add(_task(auto_review=True))
    assert (queue.find(1).final_verdict, queue.find(1).state) == (None, TaskState.PENDING)
    claim = _claim(queue)
    assert claim is not None
    assert queue.find(1).final_verdict is None
    _end(queue, claim, Outcome.PASSED, Reason.REVIEW_PASSED, "APPROVED")
    assert (queue.find(1).final_verdict, queue.find(1).state) == ("APPROVED", TaskState.COMPLETED)


@pytest.mark.parametrize(
    ("outcome", "reason", "kind", "state"),
    [
        (Outcome.PASSED, Reason.REVIEW_PASSED, "implement", TaskState.COMPLETED),
        (Outcome.EXHAUSTED, Reason.CYCLES_EXHAUSTED, "implement", TaskState.COMPLETED),
        (Outcome.UNREVIEWED, Reason.REVIEW_SKIPPED, "implement", TaskState.COMPLETED),
        (Outcome.ESCALATED, Reason.NEEDS_DISCUSSION, "implement", TaskState.COMPLETED),
        (Outcome.ESCALATED, Reason.FIXER_TIMEOUT, "implement", TaskState.FAILED),
        (Outcome.STOPPED, Reason.EMPTY_CHANGE, "implement", TaskState.FAILED),
        (Outcome.FAILED, Reason.FIXER_FAILED, "implement", TaskState.FAILED),
        (Outcome.CANCELLED, Reason.CANCELLED_BY_USER, "implement", TaskState.CANCELLED),
        (Outcome.STOPPED, Reason.OUT_OF_BUDGET, "review", TaskState.FAILED),
    ],
)
def test_how_a_run_ended_is_how_its_task_stands(
    queue: Queue, outcome: Outcome, reason: Reason, kind: str, state: TaskState
) -> None:
    queue.add(_task(task_type=TaskType(kind), depends_on=()))
    claim = _claim(queue)
    assert claim is not None
    _end(queue, claim, outcome, reason)
    assert queue.find(1).state is state


def test_a_run_whose_process_is_gone_makes_its_task_interrupted_and_first_in_line(queue: Queue) -> None:
    queue.add(_task(), _task())
    claim = _claim(replace(queue, holder=NOBODY), 2)
    assert claim is not None

    async def begin() -> None:
        await Journal(queue.database, holder=NOBODY).start(replace(NEW, id=claim.run_id))

    asyncio.run(begin())
    assert queue.find(2).state is TaskState.INTERRUPTED
    mine = _claim(queue)
    assert mine is not None
    assert (mine.task.number, mine.run_id) == (2, claim.run_id)


def test_a_task_waits_until_what_it_depends_on_is_approved(queue: Queue) -> None:
    queue.add(_task(), _task(depends_on=(1,)))
    assert queue.find(2).waits_for == (1,)
    claim = _claim(queue, 1)
    assert claim is not None
    _end(queue, claim, Outcome.EXHAUSTED, Reason.CYCLES_EXHAUSTED, "MAX_CYCLES_REACHED")
    assert queue.find(2).blocked_by == (1,)
    # Nobody approved it, so only a review of it may go on; and while that is to come, there is hope.
    queue.add(_task(task_type=TaskType.REVIEW, depends_on=(1,)))
    assert (queue.find(2).waits_for, queue.find(2).blocked_by, queue.find(3).waits_for) == ((1,), (), ())
    queue.change(queue.find(1).task, TaskChange("", "me", "verdict"), final_verdict="APPROVED")
    assert queue.find(2).waits_for == ()


def test_dependencies_must_exist_and_not_go_in_circles(queue: Queue) -> None:
    with pytest.raises(UsageError, match="there is no such task"):
        queue.add(_task(depends_on=(7,)))
    with pytest.raises(UsageError, match="for ever"):
        queue.add(_task(depends_on=(-2,)), _task(depends_on=(-1,)))
    assert queue.all() == ()
    queue.add(_task(), _task(depends_on=(1,)), _task(depends_on=(2,)))
    with pytest.raises(UsageError, match="#1 -> #3 -> #2 -> #1"):
        queue.change(queue.find(1).task, TaskChange("", "me", "depends_on"), depends_on="[3]")
    assert queue.find(1).task.depends_on == ()


def test_a_long_chain_of_tasks_is_no_circle(queue: Queue) -> None:
    queue.add(*(_task(f"t{n}", id=f"t{n}", depends_on=(-n,) if n else ()) for n in range(1500)))
    assert queue.find(1500).waits_for == (1499,)


def test_what_people_change_is_kept_with_who_and_why(queue: Queue) -> None:
    [task] = queue.add(_task())
    queue.change(task, TaskChange("", "ada", "verdict", "", "APPROVED", "read it"), final_verdict="APPROVED")
    [change] = queue.changes(task)
    assert (change.by, change.what, change.after, change.why, bool(change.at)) == (
        "ada", "verdict", "APPROVED", "read it", True,
    )  # fmt: skip


def test_a_task_that_others_need_or_that_runs_is_not_removed(queue: Queue) -> None:
    first, _ = queue.add(_task(), _task(depends_on=(1,)))
    with pytest.raises(UsageError, match="needed by #2"):
        queue.remove(first)
    assert _claim(queue, 1) is not None
    queue.remove(queue.find(2).task)
    with pytest.raises(UsageError, match="being worked on"):
        queue.remove(first)
