"""The journal: finished steps are remembered, events are told once, nothing is half done."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from functools import partial

import pytest
import sqlalchemy as sa

from burnish.errors import RunBusy, StoreError, UsageError
from burnish.model.agent import Usage
from burnish.model.change import Change, Failure, FailureKind
from burnish.model.decision import Stop
from burnish.model.events import (
    Noticed,
    Recorded,
    RunFinished,
    RunInterrupted,
    RunResumed,
    StepFailed,
    StepFinished,
)
from burnish.model.landing import Land, Landing
from burnish.model.outcome import Outcome
from burnish.model.reason import Reason
from burnish.model.review import Review, Verdict
from burnish.model.run_view import RunState
from burnish.model.step import Role, Step
from burnish.store import queries
from burnish.store.journal import Journal, NewRun
from burnish.store.leases import this_process
from tests.unit.store.journals import FIX, IMPLEMENT, NEW, NOBODY, REVIEW, Bench, Worker, ending

CANCELLED = Stop(Outcome.CANCELLED, Reason.CANCELLED_BY_USER, "cancelled")


def test_a_finished_step_is_remembered_and_not_done_again(bench: Bench) -> None:
    worker = Worker()

    async def scenario() -> tuple[object, object, str]:
        run = await bench.journal(NOBODY).start(NEW)
        first = await run.do(REVIEW, worker.review, "good")
        resumed = await bench.journal().resume(run.id)
        return first, await resumed.do(REVIEW, worker.review, "good"), run.id

    first, second, run_id = asyncio.run(scenario())
    assert (
        first == second == Review(Verdict.PASS, "APPROVED", "good", tree="t" * 40, usage=Usage(10, 5, 0.25))
    )
    assert worker.calls == ["review"]
    assert bench.kinds(run_id) == ["run_started", "step_started", "step_finished", "run_resumed"]
    assert bench.events(run_id)[-1] == RunResumed(finished_steps=1)


def test_an_exception_leaves_the_step_to_be_done_again(bench: Bench) -> None:
    worker = Worker()

    async def scenario() -> str:
        run = await bench.journal().start(NEW)
        with pytest.raises(OSError, match="the disk went away"):
            await run.do(FIX, worker.crash)
        await run.do(FIX, worker.change, Role.FIX)
        return run.id

    run_id = asyncio.run(scenario())
    assert worker.calls == ["crash", "change"]
    assert bench.kinds(run_id) == ["run_started", "step_started", "step_started", "step_finished"]
    [step] = queries.run_steps(bench.database, run_id)
    assert (step.state, step.attempts) == ("finished", 2)


def test_a_failure_is_a_remembered_result_told_as_failed(bench: Bench) -> None:
    worker = Worker()

    async def scenario() -> tuple[object, str]:
        run = await bench.journal().start(NEW)
        await run.do(FIX, worker.fail)
        return await run.do(FIX, worker.fail), run.id

    result, run_id = asyncio.run(scenario())
    assert result == Failure(Role.FIX, FailureKind.TIMEOUT, "ran past 5 s", salvage="refs/burnish/kept")
    assert worker.calls == ["fail"]
    assert bench.events(run_id)[-1] == StepFailed(FIX, "timeout", "ran past 5 s", "refs/burnish/kept")


def test_results_that_agents_made_up_come_back_as_they_were(bench: Bench) -> None:
    """Half characters, NUL and numbers beyond any column are data like everything else."""
    odd = "\ud800 \x00 \u202e \U0001f600"

    async def review() -> Review:
        return Review(Verdict.FAIL, odd, odd, text=odd, usage=Usage(2**70, 1))

    async def scenario() -> tuple[Review, Review, str]:
        run = await bench.journal(NOBODY).start(NEW)
        first = await run.do(Step(Role.REVIEW, 1, part=odd), review)
        await run.note(odd, odd)
        resumed = await bench.journal().resume(run.id)
        return first, await resumed.do(Step(Role.REVIEW, 1, part=odd), review), run.id

    first, second, run_id = asyncio.run(scenario())
    assert first == second
    assert second.text == odd
    assert bench.view(run_id).tokens == 2**63 - 1
    assert Noticed(odd, odd) in bench.events(run_id)


def test_work_through_partials_and_callable_objects_is_read_back_by_its_annotation(bench: Bench) -> None:
    class Gate:
        async def __call__(self) -> Review | None:
            return None

    worker = Worker()

    async def scenario() -> list[object]:
        run = await bench.journal().start(NEW)
        asked = [(REVIEW, partial(worker.review, "p")), (Step(Role.GATE), Gate())]
        return [await run.do(step, work) for step, work in asked for _ in range(2)]

    first, again, none, none_again = asyncio.run(scenario())
    assert first == again != none
    assert none is none_again is None


def test_work_without_a_return_annotation_is_refused_before_it_is_done(bench: Bench) -> None:
    async def untold(calls=[]):  # type: ignore[no-untyped-def]  # noqa: B006
        calls.append(1)
        raise AssertionError("done all the same")

    async def scenario() -> None:
        run = await bench.journal().start(NEW)
        await run.do(REVIEW, untold)

    with pytest.raises(TypeError, match="needs a return annotation"):
        asyncio.run(scenario())


def test_a_result_that_could_not_be_read_back_is_not_recorded(bench: Bench) -> None:
    async def lies() -> Change:
        return Review(Verdict.PASS, "x")  # type: ignore[return-value]

    async def scenario() -> None:
        run = await bench.journal().start(_named("r-lies"))
        await run.do(REVIEW, lies)

    with pytest.raises(ValueError, match="stored result is a 'Review'"):
        asyncio.run(scenario())
    [step] = queries.run_steps(bench.database, "r-lies")
    assert (step.state, step.result) == ("started", None)


def test_listeners_hear_each_recorded_event_once_and_in_order(bench: Bench) -> None:
    worker = Worker()

    async def scenario() -> str:
        run = await bench.journal().start(NEW)
        panel = [Step(Role.REVIEW, 1, part=f"part-{n}") for n in range(20)]
        await asyncio.gather(*(run.do(step, worker.review) for step in panel))
        await run.do(panel[3], worker.review)
        await run.finish(ending(), None, 0)
        return run.id

    run_id = asyncio.run(scenario())
    assert bench.heard == list(queries.run_events(bench.database, run_id))
    assert [entry.seq for entry in bench.heard] == list(range(1, 43))


def test_events_are_told_in_their_order_however_long_a_commit_takes(bench: Bench) -> None:
    worker = Worker()
    slow = iter([0.05])

    def dawdle(point: str) -> None:
        if point == "step_finished:committed":
            time.sleep(next(slow, 0))

    async def scenario() -> None:
        run = await bench.journal(on_point=dawdle).start(NEW)
        panel = [Step(Role.REVIEW, 1, part=f"part-{n}") for n in range(3)]
        await asyncio.gather(*(run.do(step, worker.review) for step in panel))

    asyncio.run(scenario())
    assert [entry.seq for entry in bench.heard] == [1, 2, 3, 4, 5, 6, 7]


def test_a_step_done_by_two_callers_at_once_has_one_result_and_one_event(bench: Bench) -> None:
    answers = iter(["first", "second"])

    async def review() -> Review:
        answer = next(answers)
        await asyncio.sleep(0.01)
        return Review(Verdict.PASS, "x", answer)

    async def scenario() -> tuple[list[Review], str]:
        run = await bench.journal().start(NEW)
        return await asyncio.gather(run.do(REVIEW, review), run.do(REVIEW, review)), run.id

    (one, other), run_id = asyncio.run(scenario())
    assert one == other
    assert bench.kinds(run_id).count("step_finished") == 1


def test_result_event_and_projections_are_one_transaction(bench: Bench) -> None:
    """The event cannot be written, so neither are the result and the counts."""
    with bench.database.write() as connection:
        connection.exec_driver_sql(
            "CREATE TRIGGER spoil BEFORE INSERT ON events WHEN NEW.kind = 'step_finished'"
            " BEGIN SELECT RAISE(ABORT, 'spoiled'); END"
        )

    async def scenario() -> str:
        run = await bench.journal().start(NEW)
        with pytest.raises(sa.exc.IntegrityError, match="spoiled"):
            await run.do(REVIEW, Worker().review)
        return run.id

    run_id = asyncio.run(scenario())
    [step] = queries.run_steps(bench.database, run_id)
    view = bench.view(run_id)
    assert (step.state, step.result, step.finished_at) == ("started", None, None)
    assert (view.cycles, view.tokens, view.verdict) == (0, 0, None)


@pytest.mark.parametrize(
    ("error", "why"),
    [(asyncio.CancelledError(), "stopped"), (OSError("the disk went away"), "the disk went away"), (KeyError(), "KeyError")],
    ids=["cancelled", "with words", "without words"],
)  # fmt: skip
def test_what_cut_a_run_short_is_told_in_words_for_people(
    bench: Bench, error: BaseException, why: str
) -> None:
    async def scenario() -> str:
        run = await bench.journal().start(NEW)
        with pytest.raises(type(error)):
            async with run:
                raise error
        return run.id

    assert bench.events(asyncio.run(scenario()))[-1] == RunInterrupted(why)


def test_whoever_is_cancelled_while_beginning_a_run_does_not_keep_it(bench: Bench) -> None:
    async def scenario() -> str:
        loop = asyncio.get_running_loop()
        beginning: asyncio.Task[object]

        def cut(point: str) -> None:
            if point == "run_started:written":
                loop.call_soon_threadsafe(beginning.cancel)

        beginning = asyncio.ensure_future(bench.journal(on_point=cut).start(NEW))
        with pytest.raises(asyncio.CancelledError):
            await beginning
        [heard] = bench.heard
        return (await bench.journal().resume(heard.run)).id

    assert bench.kinds(asyncio.run(scenario())) == ["run_started", "run_resumed"]


def test_a_listener_that_raises_is_heard_of_but_spoils_nothing(bench: Bench) -> None:
    worker = Worker()

    def broken(entry: Recorded) -> None:
        if isinstance(entry.event, StepFinished):
            raise BrokenPipeError("nobody reads")

    async def scenario() -> str:
        listeners = (broken, bench.heard.append)
        run = await Journal(bench.database, bench.clock, NOBODY, listeners).start(NEW)
        with pytest.raises(BrokenPipeError, match="nobody reads"):
            await run.do(REVIEW, worker.review)
        resumed = await bench.journal().resume(run.id)
        await resumed.do(REVIEW, worker.review)
        return run.id

    run_id = asyncio.run(scenario())
    assert worker.calls == ["review"]
    assert [entry.event.kind for entry in bench.heard] == bench.kinds(run_id)
    assert bench.kinds(run_id).count("step_finished") == 1


def test_a_cancellation_in_the_middle_of_a_commit_waits_for_its_end(bench: Bench) -> None:
    worker = Worker()

    async def scenario() -> str:
        loop = asyncio.get_running_loop()
        doing: asyncio.Task[object]

        def cut(point: str) -> None:
            if point == "step_finished:written":
                for _ in range(3):
                    loop.call_soon_threadsafe(doing.cancel)

        run = await bench.journal(on_point=cut).start(NEW)
        doing = asyncio.ensure_future(run.do(REVIEW, worker.review))
        with pytest.raises(asyncio.CancelledError):
            await doing
        assert bench.heard[-1].event.kind == "step_finished"
        await run.do(REVIEW, worker.review)
        return run.id

    run_id = asyncio.run(scenario())
    assert worker.calls == ["review"]
    assert bench.kinds(run_id) == ["run_started", "step_started", "step_finished"]


def test_a_result_waiting_for_its_turn_is_recorded_although_cancelled(bench: Bench) -> None:
    """Twenty finish at once and all are cancelled: what an agent was paid for is never thrown away."""
    worker = Worker()
    panel = [Step(Role.REVIEW, 1, part=f"part-{n}") for n in range(20)]

    async def scenario() -> str:
        run = await bench.journal().start(NEW)
        doing = [asyncio.ensure_future(run.do(step, worker.review)) for step in panel]
        while len(worker.calls) < 20:
            await asyncio.sleep(0)
        for task in doing:
            task.cancel()
        await asyncio.gather(*doing, return_exceptions=True)
        return run.id

    run_id = asyncio.run(scenario())
    assert bench.kinds(run_id).count("step_finished") == 20


def test_the_run_row_follows_its_steps(bench: Bench) -> None:
    worker = Worker()

    async def scenario() -> str:
        run = await bench.journal().start(NEW)
        await run.do(IMPLEMENT, worker.change)
        await run.do(REVIEW, worker.review)
        await run.do(FIX, worker.fail)
        await run.do(Step(Role.FIX, 1, ask=2), worker.change, Role.FIX)
        await run.do(Step(Role.REVIEW, 2), worker.review)
        return run.id

    view = bench.view(asyncio.run(scenario()))
    assert (view.cycles, view.fixes, view.verdict, view.native) == (2, 1, "pass", "APPROVED")
    assert (view.tokens, view.cost) == (330, 0.5)


def test_an_intent_survives_the_crash_after_it(bench: Bench) -> None:
    change = Change(Role.FIX, "f" * 40, "t" * 40, "0" * 40, title="Fix it")

    async def scenario() -> tuple[Change | None, Change | None, Change | None]:
        run = await bench.journal(NOBODY).start(NEW)

        async def dies() -> Change:
            await run.intend(FIX, change)
            raise OSError("gone")

        before = await run.intended(FIX)
        with pytest.raises(OSError, match="gone"):
            await run.do(FIX, dies)
        resumed = await bench.journal().resume(run.id)
        seen: list[Change | None] = []

        async def adopts() -> Change:
            seen.append(await resumed.intended(FIX))
            return change

        await resumed.do(FIX, adopts)
        return before, seen[0], await resumed.intended(IMPLEMENT)

    assert asyncio.run(scenario()) == (None, change, None)


def test_a_note_is_said_once_per_run_and_key(bench: Bench) -> None:
    async def scenario() -> list[str]:
        ids = []
        for _ in range(2):
            run = await bench.journal(NOBODY).start(NEW)
            await run.note("no_gate", "no gate")
            await run.note("no_gate", "said differently")
            await run.note("other", "other")
            resumed = await bench.journal().resume(run.id)
            await resumed.note("no_gate", "no gate")
            ids.append(run.id)
        return ids

    for run_id in asyncio.run(scenario()):
        notes = [event for event in bench.events(run_id) if isinstance(event, Noticed)]
        assert notes == [Noticed("no_gate", "no gate"), Noticed("other", "other")]


def test_finishing_twice_gives_what_the_first_recorded(bench: Bench) -> None:
    review = Review(Verdict.PASS, "APPROVED", tree="t")
    landing = Landing(Land.BRANCH, "c" * 40, branch="burnish/r-x", note="as asked")

    async def scenario() -> tuple[RunFinished, RunFinished, str]:
        run = await bench.journal().start(NEW)
        await run.do(REVIEW, Worker().review)
        first = await run.finish(ending(review), landing, 0, final_verdict="approved")
        return first, await run.finish(ending(), None, 4), run.id

    first, second, run_id = asyncio.run(scenario())
    assert first == second == bench.events(run_id)[-1]
    assert bench.kinds(run_id).count("run_finished") == 1
    assert (first.outcome, first.verdict, first.native, first.final_verdict, first.cycles) == (
        "passed", "pass", "APPROVED", "approved", 1,
    )  # fmt: skip
    assert (first.commit, first.branch, first.note) == ("c" * 40, "burnish/r-x", "as asked")
    assert (first.cost, first.tokens, first.exit_code) == (0.25, 15, 0)
    view = bench.view(run_id)
    assert (view.state, view.outcome, view.branch, view.exit_code) == ("finished", "passed", "burnish/r-x", 0)


def test_an_ended_run_is_neither_resumed_nor_cancelled(bench: Bench) -> None:
    async def scenario() -> str:
        run = await bench.journal().start(NEW)
        await run.finish(ending(), None, 0)
        with pytest.raises(UsageError, match="has already ended: passed"):
            await bench.journal().resume(run.id)
        with pytest.raises(UsageError, match="has already ended: passed"):
            await bench.journal().request_cancel(run.id)
        return run.id

    run_id = asyncio.run(scenario())
    assert bench.kinds(run_id) == ["run_started", "run_finished"]


def test_an_interrupted_run_is_let_go_and_can_be_resumed(bench: Bench) -> None:
    async def scenario() -> str:
        with pytest.raises(KeyboardInterrupt):
            async with await bench.journal().start(NEW) as run:
                raise KeyboardInterrupt
        assert bench.view(run.id).state is RunState.INTERRUPTED
        async with await bench.journal().resume(run.id) as run:
            await run.finish(ending(), None, 0)
        return run.id

    run_id = asyncio.run(scenario())
    assert bench.kinds(run_id) == ["run_started", "run_interrupted", "run_resumed", "run_finished"]
    assert bench.view(run_id).state is RunState.FINISHED


def test_a_process_that_lost_its_run_records_nothing_any_more(bench: Bench) -> None:
    """A holder that slept through a takeover: no step, intent, note or end of it may count."""
    worker = Worker()

    async def scenario() -> tuple[str, list[str]]:
        sleeper = await bench.journal(NOBODY).start(NEW)

        async def loses_the_run() -> Review:
            owners.append(await bench.journal().resume(sleeper.id))
            return Review(Verdict.PASS, "late")

        owners: list[object] = []
        with pytest.raises(RunBusy, match="process"):
            await sleeper.do(REVIEW, loses_the_run)
        kinds = bench.kinds(sleeper.id)
        change = Change(Role.FIX, "f", "t", "0")
        for attempt in (
            sleeper.do(FIX, worker.change),
            sleeper.intend(FIX, change),
            sleeper.note("key", "text"),
            sleeper.finish(ending(), None, 0),
            sleeper.end(CANCELLED, 130),
        ):
            with pytest.raises(RunBusy, match="process"):
                await attempt
        await sleeper.interrupt("too late")
        return sleeper.id, kinds

    run_id, kinds = asyncio.run(scenario())
    assert worker.calls == []
    assert bench.kinds(run_id) == kinds == ["run_started", "step_started", "run_resumed"]
    assert bench.view(run_id).state is RunState.RUNNING


def test_a_run_given_up_on_a_full_disk_can_be_resumed_by_the_same_process(bench: Bench) -> None:
    def full(point: str) -> None:
        if point == "run_interrupted:written":
            raise StoreError("no space left")

    async def scenario() -> str:
        with pytest.raises(OSError, match="what went wrong first") as caught:
            async with await bench.journal(on_point=full).start(NEW) as run:
                raise OSError("what went wrong first")
        assert "no space left" in caught.value.__notes__[0]
        return (await bench.journal().resume(run.id)).id

    assert bench.kinds(asyncio.run(scenario())) == ["run_started", "run_resumed"]


def test_a_live_run_is_refused_to_a_second_caller_with_its_holder_named(bench: Bench) -> None:
    async def scenario() -> None:
        run = await bench.journal().start(NEW)
        await bench.journal().resume(run.id)

    with pytest.raises(RunBusy, match=r"held by process \d+ since 2026-11-15") as caught:
        asyncio.run(scenario())
    assert "cancel" in caught.value.hint


def test_a_person_may_take_a_run_over_from_a_holder_nobody_can_see(bench: Bench) -> None:
    async def scenario() -> str:
        run = await bench.journal().start(NEW)
        return (await bench.journal().resume(run.id, take_over=True)).id

    assert bench.kinds(asyncio.run(scenario()))[-1] == "run_resumed"


def test_a_cancel_request_reaches_the_holder_and_ends_with_what_was_done(bench: Bench) -> None:
    async def scenario() -> tuple[RunFinished, str]:
        run = await bench.journal().start(NEW)
        await run.do(REVIEW, Worker().review)
        assert not await run.cancel_requested()
        holder = await bench.journal(NOBODY).request_cancel(run.id)
        assert holder == bench.journal().holder
        assert await run.cancel_requested()
        return await run.end(CANCELLED, 130), run.id

    finished, run_id = asyncio.run(scenario())
    assert (finished.outcome, finished.cycles, finished.native) == ("cancelled", 1, "APPROVED")
    assert (finished.exit_code, finished.tokens) == (130, 15)
    assert bench.view(run_id).outcome == "cancelled"


def test_a_cancel_request_to_a_dead_process_says_that_nobody_holds_the_run(bench: Bench) -> None:
    async def scenario() -> tuple[object, bool]:
        run = await bench.journal(NOBODY).start(NEW)
        holder = await bench.journal().request_cancel(run.id)
        resumed = await bench.journal().resume(run.id)
        return holder, await resumed.cancel_requested()

    assert asyncio.run(scenario()) == (None, False)


@pytest.mark.parametrize(
    "far", [{"boot": "other", "host": "far"}, {"space": "pid:[1]"}], ids=["host", "container"]
)
def test_a_holder_that_cannot_be_signalled_from_here_is_not_given_to_be_killed(
    bench: Bench, far: dict[str, str]
) -> None:
    """Its process id is somebody else's on this machine."""

    async def scenario() -> tuple[object, bool]:
        run = await bench.journal(replace(this_process(), **far)).start(NEW)
        holder = await bench.journal().request_cancel(run.id)
        with pytest.raises(RunBusy, match="is held by process"):
            await bench.journal().resume(run.id)
        return holder, await run.cancel_requested()

    assert asyncio.run(scenario()) == (None, True)


def test_a_run_id_that_is_taken_is_refused(bench: Bench) -> None:
    async def scenario() -> None:
        for _ in range(2):
            await bench.journal().start(_named("r-mine"))

    with pytest.raises(StoreError, match="already a run 'r-mine'"):
        asyncio.run(scenario())


def test_clock_jumps_change_no_order_and_no_lease(bench: Bench) -> None:
    worker = Worker()
    times = ["2026-11-15T10:00:00Z", "2026-11-15T11:00:00Z", "2026-11-14T10:00:00Z", "1970-01-01T00:00:00Z"]

    async def scenario() -> str:
        run = await bench.journal().start(NEW)
        for cycle, at in enumerate(times * 2, start=1):
            bench.clock.at = at
            bench.clock.seconds -= 3600
            await run.do(Step(Role.REVIEW, cycle), worker.review)
            with pytest.raises(RunBusy):
                await bench.journal().resume(run.id)
        await run.finish(ending(), None, 0)
        return run.id

    recorded = queries.run_events(bench.database, asyncio.run(scenario()))
    assert [entry.seq for entry in recorded] == list(range(1, 19))
    cycles = [entry.event.step.cycle for entry in recorded if isinstance(entry.event, StepFinished)]
    assert cycles == list(range(1, 9))


def _named(run_id: str) -> NewRun:
    return replace(NEW, id=run_id)
