"""What people see of runs is worked out from the journal, at the moment they look."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from burnish.errors import UsageError
from burnish.model.run_view import RunState
from burnish.store import queries
from burnish.store.leases import this_process
from tests.unit.store.journals import IMPLEMENT, NEW, NOBODY, REVIEW, Bench, Worker

ME = this_process()


def _start(bench: Bench, *ids: str) -> None:
    async def scenario() -> None:
        for second, run_id in enumerate(ids):
            bench.clock.at = f"2026-11-15T10:00:{second:02}.000Z"
            await bench.journal().start(replace(NEW, id=run_id))

    asyncio.run(scenario())


def test_a_run_whose_process_is_gone_shows_as_interrupted(bench: Bench) -> None:
    async def scenario() -> None:
        await bench.journal().start(replace(NEW, id="r-live"))
        await bench.journal(NOBODY).start(replace(NEW, id="r-dead"))

    asyncio.run(scenario())
    live, dead = bench.view("r-live"), bench.view("r-dead")
    assert (live.state, live.pid, live.shown_state) == (RunState.RUNNING, ME.pid, f"running (pid {ME.pid})")
    assert (dead.state, dead.pid, dead.shown_state) == (RunState.INTERRUPTED, None, "interrupted")


def test_runs_are_listed_newest_first(bench: Bench) -> None:
    _start(bench, "r-aaaa", "r-bbbb", "r-cccc")
    assert [run.id for run in queries.list_runs(bench.database, ME)] == ["r-cccc", "r-bbbb", "r-aaaa"]
    assert [run.id for run in queries.list_runs(bench.database, ME, limit=1)] == ["r-cccc"]


def test_a_run_knows_all_that_resuming_needs(bench: Bench) -> None:
    _start(bench, "r-aaaa")
    view = bench.view("r-aaaa")
    assert (view.spec, view.repository, view.prompt) == (NEW.spec, NEW.repository, NEW.prompt)
    assert (view.title, view.profile, view.contract) == ("Add a check", "task", "verdict-line")
    assert (view.base, view.start) == ("b" * 40, "c" * 40)


@pytest.mark.parametrize("wanted", ["r-abcd", "abcd", "r-ab", "ab", "a"])
def test_a_run_is_found_by_its_id_or_a_beginning_only_it_has(bench: Bench, wanted: str) -> None:
    _start(bench, "r-abcd", "r-bbbb")
    assert bench.view(wanted).id == "r-abcd"


def test_an_id_that_is_the_beginning_of_another_is_still_itself(bench: Bench) -> None:
    _start(bench, "r-abcd", "r-abcde")
    assert bench.view("abcd").id == "r-abcd"


@pytest.mark.parametrize(
    ("wanted", "sentence", "hint"),
    [
        ("r-ab", "beginning of 2 runs: r-abcd, r-abce", "one letter more"),
        ("r-zzzy", "no run 'r-zzzy'; the most recent are r-zzzz, r-abce, r-abcd", "did you mean 'r-zzzz'"),
        ("%", "no run '%'", "burnish runs"),
        ("_bcd", "no run '_bcd'", "did you mean"),
        ("", "no run ''", "burnish runs"),
        ("r-", "no run 'r-'", "burnish runs"),
    ],
)
def test_an_unclear_run_is_the_users_mistake_with_what_may_be_meant(
    bench: Bench, wanted: str, sentence: str, hint: str
) -> None:
    _start(bench, "r-abcd", "r-abce", "r-zzzz")
    with pytest.raises(UsageError) as caught:
        bench.view(wanted)
    assert sentence in caught.value.message
    assert hint in caught.value.hint


def test_without_any_run_that_is_what_is_said(bench: Bench) -> None:
    with pytest.raises(UsageError, match="there are no runs yet"):
        bench.view("r-abcd")


def test_events_can_be_followed_from_where_one_stopped(bench: Bench) -> None:
    async def scenario() -> str:
        run = await bench.journal().start(NEW)
        await run.do(REVIEW, Worker().review)
        return run.id

    run_id = asyncio.run(scenario())
    later = queries.run_events(bench.database, run_id, after_seq=1)
    assert [(entry.seq, entry.event.kind) for entry in later] == [(2, "step_started"), (3, "step_finished")]


def test_steps_tell_what_is_done_and_what_is_under_way(bench: Bench) -> None:
    async def scenario() -> str:
        run = await bench.journal().start(NEW)
        await run.do(IMPLEMENT, Worker().change)
        bench.clock.at = "2026-11-15T10:00:01.000Z"
        with pytest.raises(OSError, match="went away"):
            await run.do(REVIEW, Worker().crash)
        return run.id

    found = queries.run_steps(bench.database, asyncio.run(scenario()))
    assert [(step.key, str(step.state)) for step in found] == [
        (IMPLEMENT.key, "finished"),
        (REVIEW.key, "started"),
    ]
