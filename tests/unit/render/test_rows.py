"""Rows for many runs: a fold of events, drawn for a terminal of any size."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console
from rich.text import Text

from burnish.loops.report import LoopReport
from burnish.loops.work import PlannedTask
from burnish.model.badge import Badge
from burnish.model.events import (
    Event,
    Noticed,
    Recorded,
    RunFinished,
    RunInterrupted,
    RunResumed,
    RunStarted,
    StepFailed,
    StepFinished,
    StepStarted,
)
from burnish.model.step import Role, Step
from burnish.render.canvas import Canvas
from burnish.render.row_view import BuildView, Fold, LiveRow, LiveView, SlotsView
from burnish.render.rows_draw import Size, clock, draw, tokens
from burnish.render.rows_live import RowsLive
from tests.screen import Screen

BEGAN = datetime(2026, 11, 15, 12, tzinfo=UTC)
USED = {"tokens_in": 11_000, "tokens_out": 1_300, "cost_usd": 0.25, "estimated": False}
SESSION = "r-all"


def started(title: str, profile: str = "slots", limit: int = 5) -> RunStarted:
    return RunStarted(title, title, profile, "json-verdict", "b", "s", limit, "fixes", {})


def finished(outcome: str, message: str = "", *, used: int = 0) -> RunFinished:
    return RunFinished(outcome, "x", message, None, "", "", 1, 0, "b", None, None, None, None, used, 0)


def recorded(events: Iterable[tuple[str, Event]]) -> list[Recorded]:
    """One a second, from twelve o'clock on."""
    return [
        Recorded(run, seq, (BEGAN + timedelta(seconds=seq)).isoformat(), event)
        for seq, (run, event) in enumerate(events)
    ]


def picked(slot: int, run: str, name: str, title: str) -> list[tuple[str, Event]]:
    step = Step(Role.LAND, 1, str(slot), "pick")
    found = {"slot": slot, "run": run, "item": {"id": name, "title": title}, "known": []}
    return [(SESSION, StepStarted(step)), (SESSION, StepFinished(step, "Picked", found))]


SLOTS: list[tuple[str, Event]] = [
    (SESSION, started("slots")),
    *picked(1, "r-1", "bd-7", "Add login"),
    ("r-1", started("Add login")),
    ("r-1", StepFinished(Step(Role.IMPLEMENT, 1), "Change", {"said": "Done.", "usage": USED})),
    ("r-1", StepStarted(Step(Role.REVIEW, 1))),
    *picked(2, "r-2", "bd-8", "Größe der 漢字 prüfen, in jeder Zeile und in allen Spalten"),
    ("r-2", started("x")),
    ("r-2", StepStarted(Step(Role.FIX, 2))),
    *picked(3, "r-3", "bd-9", "Docs"),
    ("r-3", started("Docs")),
    ("r-3", Noticed("waiting/claude/2026-11-15T12:03:20+00:00", "claude is limited")),
]
HEARD = {"r-1": "reading app.py", "r-2": "pytest -q: 3 failed, 漢字 passed \x1b]0;title\x07" + "x" * 90}


def after(state: Any, events: Iterable[tuple[str, Event]]) -> Any:
    for one in recorded(events):
        state = state.after(one)
    return state


def lines(view: LiveView, columns: int, most: int, seconds: float = 20) -> list[str]:
    return [
        line.plain.rstrip() for line in draw(view, Size(columns, most), BEGAN + timedelta(seconds=seconds))
    ]


@pytest.mark.conformance("L-31", "L-32")
def test_slots_at_80_columns_have_badges_cycles_times_costs_and_last_lines() -> None:
    assert lines(after(SlotsView(), SLOTS).view(HEARD), 80, 23) == [
        "slots r-all, iteration 1: 2 at work, 0 over            0:20  12.3k tokens  $0.25",
        "  doing      task                                   cycle    time tokens    cost",
        "1 REVIEW     bd-7 Add login                           1/6    0:17  12.3k   $0.25",
        "  └ reading app.py",
        "2 FIX 2      bd-8 Größe der 漢字 prüfen, in jeder…    3/6    0:12      -       -",
        "  └ pytest -q: 3 failed, 漢字 passed \\x1b]0;title\\x07xxxxxxxxxxxxxxxxxxxxxxxxxx…",
        "3 WAIT 3:00  bd-9 Docs                                  -    0:08      -       -",
        "  └ claude is limited",
    ]


def test_slots_at_40_columns_and_10_lines_keep_what_matters() -> None:
    assert lines(after(SlotsView(), SLOTS).view(HEARD), 40, 9) == [
        "slots r-all, iteration 1: 2 at wo…  0:20",
        "1 REVIEW     bd-7 Add log…   1/6    0:17",
        "  └ reading app.py",
        "2 FIX 2      bd-8 Größe d…   3/6    0:12",
        "  └ pytest -q: 3 failed, 漢字 passed \\x…",
        "3 WAIT 3:00  bd-9 Docs         -    0:08",
        "  └ claude is limited",
    ]


def test_with_120_columns_the_last_line_has_one_of_its_own() -> None:
    row = lines(after(SlotsView(), SLOTS).view(HEARD), 120, 23)[2]
    assert row.startswith("1 REVIEW     bd-7 Add login")
    assert row.endswith("reading app.py")


def test_a_wait_that_is_over_shows_what_is_done_again() -> None:
    view = after(SlotsView(), SLOTS).view({})
    assert lines(view, 80, 23, seconds=199)[-2].startswith("3 WAIT 0:01")
    assert lines(view, 80, 23, seconds=200)[-2].startswith("3 SPAWN ")


def test_a_slot_that_ended_shows_how_and_its_clock_stands_still() -> None:
    end = Step(Role.LAND, 1, "1", "end")
    failed = {"fate": "failed", "item": "bd-7", "why": "the reviewer gave no verdict"}
    events = [*SLOTS, ("r-1", finished("failed")), (SESSION, StepFinished(end, "SlotEnded", failed))]
    view = after(SlotsView(), events).view(HEARD)
    assert (view.rows[0].badge, view.rows[0].line) == (Badge.FAILED, "the reviewer gave no verdict")
    assert lines(view, 80, 23, 20)[2] == lines(view, 80, 23, 2000)[2]


def loop(number: int, part: str, kind: str, result: dict[str, Any], attempt: int = 1) -> tuple[str, Event]:
    return SESSION, StepFinished(Step(Role.LAND, attempt, f"{SESSION}-{number}", part), kind, result)


def report(number: int, name: str, group: int = 0) -> LoopReport:
    return LoopReport(number, f"{SESSION}-{number}", PlannedTask(name, f"Make the {name}"), group)


REPORTS = [report(1, "cart"), report(2, "till"), report(3, "sign"), report(4, "lamp", 1)]
BUILD: list[tuple[str, Event]] = [
    (SESSION, started("Shop", "loops")),
    loop(1, "begin", "LoopBegun", {"run": "r-1"}),
    loop(2, "begin", "LoopBegun", {"run": "r-2"}),
    loop(3, "begin", "LoopBegun", {"run": "r-3"}),
    *((run, started("a task", "loops", 3)) for run in ("r-1", "r-2", "r-3")),
    ("r-1", StepStarted(Step(Role.IMPLEMENT, 3))),
    ("r-2", StepStarted(Step(Role.GATE, 1))),
    ("r-3", finished("escalated", "which colour?")),
    loop(3, "end", "LoopEnded", {"passed": False, "stuck": True, "question": "which colour?"}),
]


def test_the_loops_of_a_build_are_rows_from_the_plan_on() -> None:
    view = after(BuildView().laid_out(REPORTS), BUILD).view({"r-2": "3 passed"})
    assert lines(view, 80, 23) == [
        "build Shop: 2 at work, 1 over                                               0:20",
        "  doing      task                                   cycle    time tokens    cost",
        "1 SPAWN 3    cart Make the cart                       1/4    0:16      -       -",
        "2 GATE       till Make the till                         -    0:15      -       -",
        "  └ 3 passed",
        "3 STUCK      sign Make the sign                         -    0:03      -       -",
        "  └ which colour?",
        "4 QUEUED     lamp Make the lamp                         -              -       -",
    ]


def test_a_loop_waits_for_its_group_is_merged_and_done_or_done_again() -> None:
    state, badges = after(BuildView().laid_out(REPORTS), BUILD), []
    merging = StepStarted(Step(Role.LAND, 1, f"{SESSION}-1", "merge"))
    for event in (
        ("r-1", finished("passed")),
        loop(1, "end", "LoopEnded", {"passed": True}),
        (SESSION, merging),
        loop(1, "merge", "Merged", {"fate": "conflict", "message": "both changed a.py"}),
        loop(1, "begin", "LoopBegun", {"run": "r-9"}, attempt=2),
        (SESSION, merging),
        loop(1, "merge", "Merged", {"fate": "landed"}, attempt=2),
        loop(1, "choice", "Resolved", {"way": "skip", "by": "ann"}),
    ):
        state = after(state, [event])
        badges.append(state.view({}).rows[0].badge)
    assert badges == [
        Badge.WAIT, Badge.WAIT, Badge.MERGE, Badge.QUEUED, Badge.SPAWN, Badge.MERGE, Badge.DONE, Badge.SKIPPED,
    ]  # fmt: skip


def test_a_loop_that_was_stopped_before_its_run_began_waits_like_the_others() -> None:
    begun = [(SESSION, started("Shop", "loops")), loop(1, "begin", "LoopBegun", {"run": "r-1"})]
    state = after(BuildView().laid_out(REPORTS), begun)
    assert state.view({}).rows[0].badge is Badge.SPAWN
    stopped = after(state, [(SESSION, RunInterrupted("stopped by a signal"))])
    assert stopped.view({}).rows[0].badge is Badge.WAIT
    gone_on = after(stopped, [(SESSION, RunResumed(0))])
    assert gone_on.view({}).rows[0].badge is Badge.SPAWN


def test_a_checkpoint_does_not_hide_what_the_loop_does_meanwhile() -> None:
    events = [*BUILD, ("r-1", StepStarted(Step(Role.REVIEW, 1, part="checkpoint")))]
    row = after(BuildView().laid_out(REPORTS), events).view({}).rows[0]
    assert (row.badge, row.number) == (Badge.SPAWN, 3)


def test_before_there_are_loops_the_build_itself_is_a_row() -> None:
    events = [(SESSION, started("Shop", "loops")), (SESSION, StepStarted(Step(Role.REVIEW, 1, "plan")))]
    (row,) = after(BuildView(), events).view({SESSION: "hm"}).rows
    assert (row.badge, row.what, row.line) == (Badge.REVIEW, "plan", "hm")


def test_more_rows_than_fit_are_the_busiest_first_and_a_count() -> None:
    badges = [Badge.DONE] * 9 + [Badge.QUEUED] * 3 + [Badge.FIX, Badge.REVIEW]
    view = LiveView("x", tuple(LiveRow(str(number), badge) for number, badge in enumerate(badges)))
    shown = lines(view, 80, 6)
    assert [line.split()[:2] for line in shown[1:-1]] == [
        ["12", "FIX"],
        ["13", "REVIEW"],
        ["9", "QUEUED"],
        ["10", "QUEUED"],
    ]
    assert shown[-1] == "and 10 more: 1 QUEUED, 9 DONE"
    assert len(lines(view, 80, len(badges) + 2)) == len(badges) + 2
    assert lines(replace(view, rows=view.rows[:6]), 80, 6)[-1] == "and 2 more: 2 DONE"


def test_costs_of_all_runs_are_summed_up_and_estimates_are_marked() -> None:
    guessed = {**USED, "estimated": True, "cost_usd": 1.0}
    events = [*SLOTS, ("r-2", StepFinished(Step(Role.FIX, 2), "Change", {"usage": guessed}))]
    view = after(SlotsView(), events).view({})
    assert lines(view, 80, 23)[0].endswith("24.6k tokens  ~$1.25")


def test_numbers_keep_to_their_columns() -> None:
    assert [tokens(one) for one in (0, 9_999, 12_345, 123_456, 1_234_567, 10**15)] == [
        "0", "9999", "12.3k", "123k", "1.2M", "999G+",
    ]  # fmt: skip
    assert [clock(one) for one in (-5, 61, 3661, 10**7)] == ["0:00", "1:01", "1:01:01", "115d"]


TEXTS = st.text(st.characters(codec="utf-8"), max_size=60) | st.sampled_from(
    ["漢字" * 40, "\x1b[2J", "e\u0301" * 50]
)
RUNS = st.sampled_from([SESSION, "r-1", "r-2", "r-3"])
USAGES = st.none() | st.fixed_dictionaries(
    {
        "tokens_in": st.integers(0, 10**12),
        "cost_usd": st.none() | st.floats(0, 1e9),
        "estimated": st.booleans(),
    }
)
RESULTS = st.fixed_dictionaries(
    {
        "said": TEXTS, "usage": USAGES, "slot": st.integers(1, 40), "run": RUNS, "why": TEXTS, "message": TEXTS,
        "item": st.fixed_dictionaries({"id": TEXTS, "title": TEXTS}), "passed": st.booleans(),
        "stuck": st.booleans(), "way": st.sampled_from(["skip", "retry"]), "wait_until": TEXTS,
        "fate": st.sampled_from(["landed", "conflict"]), "by": TEXTS,
    }
)  # fmt: skip
KINDS = st.sampled_from(
    ["Change", "Review", "Picked", "Merged", "LoopBegun", "LoopEnded", "Resolved", "Over"]
)


def steps(phase: st.SearchStrategy[str]) -> st.SearchStrategy[Step]:
    parts = st.sampled_from(["", "pick", "end", "merge", "over", "checkpoint"])
    return st.builds(Step, st.sampled_from(Role), st.integers(0, 99), phase, parts)


def events(phase: st.SearchStrategy[str]) -> st.SearchStrategy[Event]:
    step = steps(phase)
    keys = st.just("waiting/x/2026-11-15T12:30:00Z") | TEXTS
    outcomes = st.sampled_from(["passed", "failed", "escalated", "exhausted", "what?"])
    return st.one_of(
        st.builds(started, TEXTS, st.sampled_from(["slots", "loops"]), st.integers(0, 9)),
        st.builds(RunResumed, st.just(1)),
        st.builds(RunInterrupted, TEXTS),
        st.builds(StepStarted, step),
        st.builds(StepFinished, step, KINDS, RESULTS),
        st.builds(StepFailed, step, st.just("exit"), TEXTS),
        st.builds(Noticed, keys, TEXTS),
        st.builds(finished, outcomes, TEXTS, used=st.integers(0, 10**9)),
    )


def fits(view: LiveView, columns: int, most: int) -> None:
    found = draw(view, Size(columns, most), BEGAN + timedelta(minutes=10))
    assert len(found) <= most
    assert all(line.cell_len <= columns for line in found), [line.plain for line in found]
    assert all(line.plain.isprintable() for line in found)


@settings(max_examples=150, deadline=None)
@given(
    told=st.lists(st.tuples(RUNS, events(st.integers(0, 30).map(str))), max_size=30),
    heard=st.dictionaries(RUNS, TEXTS), columns=st.integers(1, 200), most=st.integers(1, 40),
)  # fmt: skip
def test_no_order_of_a_sessions_events_breaks_the_rows_or_their_frame(
    told: list[tuple[str, Event]], heard: dict[str, str], columns: int, most: int
) -> None:
    fits(after(SlotsView(), told).view(heard), columns, most)


@settings(max_examples=100, deadline=None)
@given(
    told=st.lists(st.tuples(RUNS, events(st.integers(1, 30).map(lambda one: f"r-all-{one}") | TEXTS)), max_size=30),
    heard=st.dictionaries(RUNS, TEXTS), columns=st.integers(1, 200), most=st.integers(1, 40),
)  # fmt: skip
def test_no_order_of_a_builds_events_breaks_the_rows_or_their_frame(
    told: list[tuple[str, Event]], heard: dict[str, str], columns: int, most: int
) -> None:
    fits(after(BuildView().laid_out(REPORTS), told).view(heard), columns, most)


class Terminal:
    """A console whose bytes go to a screen."""

    def __init__(self, columns: int, lines: int, **options: Any) -> None:
        self.out = io.StringIO()
        self.console = Console(file=self.out, width=columns, height=lines, force_terminal=True, **options)
        self.screen = Screen(columns, lines)

    def see(self) -> list[str]:
        self.screen.feed(self.out.getvalue())
        self.out.seek(0)
        self.out.truncate()
        return self.screen.shown

    def resize(self, columns: int, lines: int) -> None:
        self.see()
        self.console.size = (columns, lines)  # type: ignore[assignment]
        self.screen.resize(columns, lines)


def test_a_frame_is_drawn_over_the_last_one_and_what_is_above_stays() -> None:
    terminal = Terminal(20, 6)
    canvas = Canvas(terminal.console)
    canvas.paint([Text("one"), Text("two"), Text("three")])
    assert terminal.see() == ["one", "two", "three"]
    canvas.paint([Text("four")], [Text("a note that is longer than a line is wide")])
    assert terminal.see() == ["a note that is longe", "r than a line is wid", "e", "four"]
    canvas.paint([Text("five"), Text("six"), Text("seven and more")])
    canvas.paint([Text("five"), Text("six")])
    canvas.leave()
    terminal.out.write("after")
    assert terminal.see()[-3:] == ["five", "six", "after"]


def test_frames_at_the_end_of_the_screen_scroll_nothing_away_that_is_theirs() -> None:
    terminal = Terminal(20, 4)
    terminal.out.write("1\r\n2\r\n3\r\n4\r\n")
    canvas = Canvas(terminal.console)
    for number in range(3):
        canvas.paint([Text(f"row {row} of {number}") for row in range(canvas.size.lines)])
    assert terminal.see() == ["4", "row 0 of 2", "row 1 of 2", "row 2 of 2"]
    assert terminal.screen.history == ["1", "2", "3"]


@pytest.mark.parametrize("first", [(80, 24), (40, 10), (130, 30)])
def test_a_resized_terminal_has_one_frame_and_nothing_of_the_old_one(first: tuple[int, int]) -> None:
    state = after(SlotsView(), SLOTS)
    terminal = Terminal(*first)
    live = RowsLive(terminal.console, state)
    live(Recorded("r-1", 99, BEGAN.isoformat(), Noticed("n", "a note")))
    live.draw()
    for columns, most in ((40, 10), (80, 24), (33, 5), (80, 24)):
        terminal.resize(columns, most)
        live.draw()
        shown = terminal.see()
        assert len([line for line in shown if line.startswith("slots r-all")]) == 1
        assert sum(" REVIEW " in line for line in shown) <= 1
        assert len(shown) <= most
    assert shown[0] == "note: a note"


def test_what_agents_print_never_steers_the_terminal() -> None:
    terminal = Terminal(80, 24)
    live = RowsLive(terminal.console, after(SlotsView(), SLOTS))
    live.heard("r-1", "\x1b[2J\x1b[31mred\x1b[0m \x1b]0;title\x07words\x07\u202e\r")
    live.draw()
    assert "  └ red words\\x07\\u202e" in terminal.see()


def test_without_colours_a_frame_holds_none() -> None:
    for options, coloured in (
        ({"no_color": True, "color_system": None}, False),
        ({"color_system": "standard"}, True),
    ):
        terminal = Terminal(80, 24, **options)  # type: ignore[arg-type]
        RowsLive(terminal.console, after(SlotsView(), SLOTS)).draw()
        assert "1 REVIEW     bd-7 Add login" in "\n".join(terminal.see())
        assert terminal.screen.coloured is coloured


def test_events_of_before_are_put_in_their_order_and_counted_once() -> None:
    told = [replace(one, at=BEGAN.isoformat()) for one in recorded(SLOTS)]
    terminal = Terminal(80, 24)
    live: RowsLive[Fold] = RowsLive(terminal.console, SlotsView())
    live(told[-1])
    live.draw()
    live.past(told)
    live.past(told)
    live(told[4])
    state = SlotsView()
    for one in told:
        state = state.after(one)
    assert live.state == state
    assert not any(line.startswith("note:") for line in terminal.see())


def test_many_events_are_one_frame_and_a_silent_session_has_one_a_second() -> None:
    terminal = Terminal(80, 24)

    async def watch() -> None:
        async with RowsLive(terminal.console, SlotsView()) as live:
            for one in recorded(SLOTS):
                live(one)
            while not terminal.out.getvalue():
                await asyncio.sleep(0)
            assert terminal.out.getvalue().count("slots r-all") == 1

    asyncio.run(watch())
    assert terminal.out.getvalue().count("slots r-all") == 2
    assert "bd-9 Docs" in terminal.see()[-2]


def test_a_session_that_waits_to_try_again_says_for_how_long() -> None:
    over = StepFinished(Step(Role.LAND, 1, "0", "over"), "Over", {"wait_until": "2026-11-15T12:02:00Z"})
    view = after(SlotsView(), [*SLOTS, (SESSION, over)]).view({})
    assert lines(view, 80, 23)[0].startswith("slots r-all, iteration 1: WAIT 1:40 ")
    assert "WAIT" not in lines(view, 80, 23, seconds=120)[0]
