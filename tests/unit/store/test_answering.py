"""A question and its answer are events of the run; the answer opens it again in one transaction, once."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest

from burnish.app.build_facts import BEGIN, CHOICE, END, MERGE, LoopBegun, LoopEnded, Resolved, Way, step_of
from burnish.app.merge_line import Merge, Merged
from burnish.errors import UsageError
from burnish.model.agent import Usage
from burnish.model.change import Change
from burnish.model.decision import Stop
from burnish.model.events import QuestionAnswered, QuestionAsked, RunFinished, RunReopened
from burnish.model.history import Ending, History
from burnish.model.landing import Land, Landing
from burnish.model.outcome import Outcome
from burnish.model.question import Answer, Waiting
from burnish.model.reason import Reason
from burnish.model.review import Review, Verdict
from burnish.model.run_view import RunState
from burnish.model.signal import ExitSignal, ExitWord
from burnish.model.step import Role
from burnish.model.task import Task
from burnish.store.answering import answers_of, question_of
from burnish.store.glance import glance
from burnish.store.queries import run_events, waiting_runs
from tests.unit.store.journals import IMPLEMENT, NEW, Bench, Worker

TASK = Task("Add a check", "b" * 40, "bt", "c" * 40, "ct")
ASKS = Change(Role.IMPLEMENT, "c", "t", "b", signal=ExitSignal(ExitWord.TASK_QUESTION, "Which currency?"))
DISCUSS = Review(Verdict.DISCUSS, "NEEDS_DISCUSSION", "Shall it be cached?")
STOP = Stop(Outcome.ESCALATED, Reason.QUESTION_ASKED, "Which currency?")
LANDED = Landing(Land.NONE, "c" * 40)


async def _asked(bench: Bench, stop: Stop = STOP) -> str:
    run = await bench.journal().start(NEW)
    await run.do(IMPLEMENT, Worker().change)
    await run.finish(Ending(stop, History(TASK, (ASKS,))), LANDED, 5)
    return run.id


def test_what_a_run_asks_is_told_before_its_end_and_nothing_else_is_a_question() -> None:
    asked = History(TASK, (ASKS, replace(ASKS, signal=None), DISCUSS))
    discuss = Stop(Outcome.ESCALATED, Reason.NEEDS_DISCUSSION, "Shall it be cached?")
    assert question_of(Ending(discuss, asked)) == QuestionAsked(2, "review", "Shall it be cached?")
    assert question_of(Ending(STOP, History(TASK, (ASKS,)))) == QuestionAsked(
        1, "implement", "Which currency?"
    )
    assert question_of(Ending(Stop(Outcome.STOPPED, Reason.TASK_STUCK), asked)) is None


def test_an_answer_is_an_event_with_who_and_what_and_opens_the_run_again(bench: Bench) -> None:
    run = asyncio.run(_asked(bench))
    with pytest.raises(UsageError) as refused:
        asyncio.run(bench.journal().resume(run))
    assert refused.value.hint == f"burnish answer {run} 'YOUR ANSWER'"
    asyncio.run(bench.journal().answer(run, "in euros", "ann"))
    *_, asked, finished, answered, reopened = bench.events(run)
    assert asked == QuestionAsked(1, "implement", "Which currency?")
    assert isinstance(finished, RunFinished)
    assert answered == QuestionAnswered(1, "Which currency?", "in euros", "ann")
    assert reopened == RunReopened((), "ann")
    view = bench.view(run)
    assert (view.state, view.outcome, view.reason) == (RunState.INTERRUPTED, None, None)
    [answer] = answers_of(run_events(bench.database, run))
    assert answer == Answer(1, "Which currency?", "in euros", "ann", bench.clock.at)


def test_a_second_answer_is_refused_with_the_first_until_it_is_asked_again(bench: Bench) -> None:
    async def scenario() -> str:
        run = await _asked(bench)
        await bench.journal().answer(run, "in euros", "ann")
        with pytest.raises(UsageError, match=r"answered already, by ann: 'in euros'\."):
            await bench.journal().answer(run, "in dollars", "bob")
        again = await bench.journal().resume(run)
        with pytest.raises(UsageError, match="answered already"):
            await bench.journal().answer(run, "in dollars", "bob")
        history = History(TASK, (ASKS, ASKS))
        await again.finish(Ending(replace(STOP, message="Rounded?"), history), LANDED, 5)
        await bench.journal().answer(run, "down", "bob")
        return run

    run = asyncio.run(scenario())
    answers = answers_of(run_events(bench.database, run))
    assert [(one.number, one.question, one.text) for one in answers] == [
        (1, "Which currency?", "in euros"),
        (2, "Rounded?", "down"),
    ]


@pytest.mark.parametrize(
    ("stop", "sentence"),
    [
        (Stop(Outcome.PASSED, Reason.REVIEW_PASSED), r"it ended passed \(review_passed\)"),
        (Stop(Outcome.STOPPED, Reason.NO_PROGRESS), r"it ended stopped \(no_progress\)"),
    ],
)
def test_a_run_that_asks_nothing_takes_no_answer(bench: Bench, stop: Stop, sentence: str) -> None:
    run = asyncio.run(_asked(bench, stop))
    before = bench.events(run)
    with pytest.raises(UsageError, match=f"does not wait for an answer: {sentence}"):
        asyncio.run(bench.journal().answer(run, "yes", "ann"))
    assert bench.events(run) == before


def test_a_run_at_work_and_one_that_is_not_there_take_no_answer(bench: Bench) -> None:
    async def scenario() -> None:
        run = await bench.journal().start(NEW)
        with pytest.raises(UsageError, match="has not ended and asks nothing"):
            await bench.journal().answer(run.id, "yes", "ann")
        with pytest.raises(UsageError, match="there is no run 'r-none'"):
            await bench.journal().answer("r-none", "yes", "ann")
        await run.interrupt("enough")

    asyncio.run(scenario())


def test_a_run_of_before_questions_were_events_is_answered_by_what_it_said_at_its_end(bench: Bench) -> None:
    async def scenario() -> str:
        run = await bench.journal().start(NEW)
        await run.end(Stop(Outcome.ESCALATED, Reason.NEEDS_DISCUSSION, "Shall it be cached?"), 5)
        await bench.journal().answer(run.id, "no", "ann")
        return run.id

    run = asyncio.run(scenario())
    [answer] = answers_of(run_events(bench.database, run))
    assert (answer.number, answer.question) == (1, "Shall it be cached?")


def test_waiting_costs_nothing_and_what_was_spent_counts_once(bench: Bench) -> None:
    async def scenario() -> tuple[Usage, int]:
        run = await _asked(bench)
        bench.clock.at = "2027-11-15T10:00:00.000Z"
        await bench.journal().answer(run, "in euros", "ann")
        again = await bench.journal().resume(run)
        worker = Worker()
        await again.do(IMPLEMENT, worker.change)
        spent = await again.forgotten()
        await again.interrupt("enough")
        return spent, len(worker.calls)

    spent, calls = asyncio.run(scenario())
    assert (spent.nothing, calls) == (True, 0)


@pytest.mark.parametrize("point", ["before", "written", "committed", "told"])
def test_an_answer_cut_short_is_there_whole_or_not_at_all(bench: Bench, point: str) -> None:
    run = asyncio.run(_asked(bench))

    def cut(name: str) -> None:
        if name == f"question_answered:{point}":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        asyncio.run(bench.journal(on_point=cut).answer(run, "in euros", "ann"))
    there = point in ("committed", "told")
    assert ("question_answered" in bench.kinds(run)) is there
    assert (bench.view(run).state is RunState.INTERRUPTED) is there


def test_both_looks_see_runs_that_wait_and_nothing_else(bench: Bench) -> None:
    async def scenario() -> str:
        asked, answered, ended = [await _asked(bench) for _ in range(3)]
        await bench.journal().answer(answered, "in euros", "ann")
        await bench.journal().answer(ended, "in euros", "ann")
        await (await bench.journal().resume(ended)).end(Stop(Outcome.PASSED, Reason.REVIEW_PASSED), 0)
        child = await bench.journal().start(replace(NEW, parent=asked))
        await child.finish(Ending(STOP, History(TASK, (ASKS,))), LANDED, 5)
        return asked

    asked = asyncio.run(scenario())
    found = waiting_runs(bench.database)
    assert found == (Waiting(asked, "Add a check", "Which currency?"),)
    assert glance(bench.folder / "burnish.db", lambda at: at.waiting()) == found


BUILD = replace(
    NEW,
    id="r-shop",
    started=replace(NEW.started, profile="loops", title="Shop"),
    spec='{"build": {"path": "shop.md"}}',
)
STUCK = LoopEnded(passed=False, stuck=True, why="no wheels")


async def _loops(bench: Bench, *facts: tuple[int, int, str, object]) -> None:
    """A build in which these became of its loops: number, attempt, part and fact."""
    run = await bench.journal().start(BUILD)
    for number, attempt, part, fact in facts:
        await run.do(step_of(f"{run.id}-{number}", attempt, part), _known(fact))
    await run.interrupt("enough for today")


def _known(fact: object) -> Callable[[], Awaitable[object]]:
    async def known() -> object:
        return fact

    known.__annotations__["return"] = type(fact)
    return known


def test_both_looks_see_each_loop_that_waits_by_its_own_name(bench: Bench) -> None:
    conflict = Merged(Merge.CONTESTED, "c" * 40, "t" * 40, message="both changed cart.txt")
    asyncio.run(
        _loops(
            bench,
            (10, 1, END, replace(STUCK, why="", question="Which colour?")),
            (2, 1, END, STUCK),
            (3, 1, END, LoopEnded(passed=True)),
            (3, 1, MERGE, conflict),
            (4, 1, END, LoopEnded(passed=True)),
            (4, 1, MERGE, replace(conflict, fate=Merge.LANDED, message="")),
            # Answered; and one that was answered and has asked again.
            (5, 1, END, STUCK),
            (5, 1, CHOICE, Resolved(Way.RETRY, "ann", "now", "use blue")),
            (6, 1, END, STUCK),
            (6, 1, CHOICE, Resolved(Way.RETRY, "ann", "now", "use blue")),
            (6, 2, BEGIN, LoopBegun("r-6", "b", "b")),
            (6, 2, END, replace(STUCK, why="still no wheels")),
            (7, 1, END, STUCK),
            (7, 2, BEGIN, LoopBegun("r-7", "b", "b")),
        )
    )
    found = waiting_runs(bench.database)
    assert [(one.name, one.question) for one in found] == [
        ("r-shop-2", "loop 2 needs a person: no wheels"),
        ("r-shop-3", "loop 3 needs a person: both changed cart.txt"),
        ("r-shop-6", "loop 6 needs a person: still no wheels"),
        ("r-shop-10", "Which colour?"),
    ]
    assert glance(bench.folder / "burnish.db", lambda at: at.waiting()) == found


def test_a_build_asks_nothing_while_it_is_at_work_or_after_a_later_one_of_its_document(bench: Bench) -> None:
    async def scenario() -> tuple[tuple[Waiting, ...], ...]:
        await _loops(bench, (1, 1, END, STUCK))
        waits = waiting_runs(bench.database)
        run = await bench.journal().resume(BUILD.id)
        at_work = waiting_runs(bench.database)
        await run.interrupt("enough")
        bench.clock.at = "2026-11-15T11:00:00.000Z"
        other = replace(BUILD, id="r-other", spec='{"build": {"path": "other.md"}}')
        await (await bench.journal().start(other)).interrupt("enough")
        still = waiting_runs(bench.database)
        await (await bench.journal().start(replace(BUILD, id="r-again"))).interrupt("enough")
        return waits, at_work, still, waiting_runs(bench.database)

    waits, at_work, still, replaced = asyncio.run(scenario())
    assert [one.name for one in waits] == ["r-shop-1"]
    assert (at_work, still, replaced) == ((), waits, ())
