"""A question and its answer are events of the run; the answer opens it again in one transaction, once."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

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


def test_both_looks_see_runs_and_builds_that_wait_and_nothing_else(bench: Bench) -> None:
    async def scenario() -> list[str]:
        asked, answered, ended = [await _asked(bench) for _ in range(3)]
        await bench.journal().answer(answered, "in euros", "ann")
        await bench.journal().answer(ended, "in euros", "ann")
        await (await bench.journal().resume(ended)).end(Stop(Outcome.PASSED, Reason.REVIEW_PASSED), 0)
        child = await bench.journal().start(replace(NEW, parent=asked))
        await child.finish(Ending(STOP, History(TASK, (ASKS,))), LANDED, 5)
        loops = replace(NEW.started, profile="loops", title="Shop")
        for why in ("group 0 is blocked: loop 1 needs a person (no wheels)", "waits to go on"):
            build = await bench.journal().start(replace(NEW, started=loops))
            await build.interrupt(why)
        return [asked]

    [asked] = asyncio.run(scenario())
    found = waiting_runs(bench.database)
    assert {(one.title, one.question) for one in found} == {
        ("Add a check", "Which currency?"),
        ("Shop", "group 0 is blocked: loop 1 needs a person (no wheels)"),
    }
    assert Waiting(asked, "Add a check", "Which currency?") in found
    assert glance(bench.folder / "burnish.db", lambda at: at.waiting()) == found
