"""The lines of `status`: as the seed shows them, whatever a title holds."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnish.model.agent import Usage
from burnish.model.overview import Cooling, DayUse, Overview
from burnish.model.queue import QueueTask, TaskState, TaskType, TaskView
from burnish.render.columns import cells, cut, filled
from burnish.render.task_watch import screen as screen_of
from burnish.render.tasks import coloured, lines, needs_person, overview, plain

AT = "2026-11-15T03:00:00.000Z"


def view(number: int, title: str = "Add feature X", **values: object) -> TaskView:
    """A task that was approved after three cycles, unless `values` say otherwise."""
    own = set(QueueTask.__dataclass_fields__) - set(TaskView.__dataclass_fields__)
    mine = {name: values.pop(name) for name in list(values) if name in own}
    task = QueueTask(f"20261115-task-{number}", number, title, auto_review=True)
    found = TaskView(task, TaskState.COMPLETED, final_verdict="APPROVED", cycles=3)
    # Nobody else judged it.
    values.setdefault("judged", values.get("final_verdict", "APPROVED"))
    return replace(found, task=replace(task, **mine), **values)  # type: ignore[arg-type]


def screen(*views: TaskView, width: int | None = None, **more: object) -> list[str]:
    seen = Overview(AT, views, **more)  # type: ignore[arg-type]
    return [plain(line) for line in overview(seen, views, width)]


@pytest.mark.conformance("G-62", "G-63", "G-64")
def test_the_lines_are_the_seeds_byte_for_byte() -> None:
    found = lines(
        [
            view(29, "Add feature X"),
            view(30, "Add feature Y", final_verdict="MAX_CYCLES_REACHED"),
            view(31, "Add feature Z", state=TaskState.IN_PROGRESS, final_verdict=None, review_cycle=2),
        ]
    )
    assert found == [
        "  ✓ 29. implement Add feature X    completed  APPROVED (3 cycles)",
        "  ✓ 30. implement Add feature Y    completed  MAX_CYCLES_REACHED (3 cycles)",
        "  → 31. implement Add feature Z    in_progress (cycle 2/3)",
    ]


def test_other_states_say_what_they_wait_for_or_why_they_ended() -> None:
    found = lines(
        [
            view(1, "A", state=TaskState.PENDING, final_verdict=None, cycles=0),
            view(2, "A", state=TaskState.PENDING, final_verdict=None, waits_for=(1, 3)),
            view(3, "A", state=TaskState.PENDING, final_verdict=None, waits_for=(1,), blocked_by=(1,)),
            view(4, "A", state=TaskState.FAILED, final_verdict=None, reason="implementer_failed"),
            view(5, "A", state=TaskState.FAILED, final_verdict="CHANGES_REQUESTED", reason="fixer_timeout"),
            view(6, "A", state=TaskState.INTERRUPTED, final_verdict=None, review_cycle=0),
            view(7, "A", state=TaskState.CANCELLED, final_verdict=None),
            view(8, "A", cycles=1, merged_at=AT),
            view(9, "A", final_verdict=None, task_type=TaskType.PLAN),
        ]
    )
    assert [line.partition("A    ")[2].strip() for line in found] == [
        "pending",
        "pending    waits for #1, #3",
        "pending    blocked by #1",
        "failed     implementer_failed",
        "failed     CHANGES_REQUESTED (fixer_timeout)",
        "interrupted (cycle 1/3)",
        "cancelled",
        "completed  APPROVED (1 cycle) merged",
        "completed",
    ]
    assert "".join(line[2] for line in found) == "○○○✗✗‖-✓✓"


def test_a_title_cannot_steer_the_terminal_or_make_a_line_of_its_own() -> None:
    evil = view(1, "Add\x1b[31m red\u202e and\ttabs\r\nA second line of the prompt", group="g\x1b[2J")
    other = view(2, "x")
    for line in [*screen(evil, other), *map(coloured, overview(Overview(AT), [evil, other]))]:
        assert "second line" not in line
        assert re.sub(r"\x1b\[[0-9;]+m", "", line).isprintable()
    assert "Add\\x1b[31m red\\u202e and tabs" in lines([evil])[0]


def test_columns_stand_below_each_other_also_with_wide_letters() -> None:
    found = lines([view(1, "日本語のタイトル"), view(2, "Cafe\u0301"), view(10, "A" * 300)])
    ends = {cells(line[: line.index("completed")]) for line in found}
    assert len(ends) == 1
    assert all("…" not in line for line in found[:2])
    assert f"implement {'A' * 49}…    completed" in found[2]


@pytest.mark.parametrize("width", [80, 100])
def test_on_a_terminal_titles_give_way_so_that_no_line_wraps(width: int) -> None:
    long = [view(number, "Make it " * 20, final_verdict="MAX_CYCLES_REACHED") for number in (1, 999)]
    assert max(map(cells, lines(long))) > 100
    assert {cells(line) for line in lines(long, width)} == {width if width == 80 else 100}
    assert all("MAX_CYCLES_REACHED (3 cycles)" in line for line in lines(long, width))


def test_several_groups_have_headings_and_one_has_none() -> None:
    a, b, c = view(1, group="night"), view(2), view(3, group="night")
    assert [line[:8] for line in screen(a, b, c)[:5]] == [
        "night",
        "  ✓ 1. i",
        "  ✓ 3. i",
        "(no grou",
        "  ✓ 2. i",
    ]
    assert "night" not in "".join(screen(a, c)[:2])


def test_the_end_of_the_screen_has_the_sums_and_who_is_waited_for() -> None:
    cooling = (Cooling("codex", "2026-11-15T03:12:40.000Z", "rate limit"),)
    day = DayUse(Usage(4000, 1000, 3.2, 600), cost_usd=10.0, tokens=1_000_000)
    found = screen(
        view(1, cost_usd=0.5, tokens=2000),
        view(2, cost_usd=0.25, tokens=1000, final_verdict="NEEDS_DISCUSSION"),
        view(3, state=TaskState.FAILED, final_verdict=None),
        cooling=cooling,
        day=day,
    )
    wall = f"{datetime.fromisoformat(cooling[0].until).astimezone():%H:%M:%S}"
    assert found[3:] == [
        "",
        f"codex: rate limit, next try at {wall}",
        "the last 24 hours: $3.20 (reported) of $10.00, 5,000 of 1,000,000 tokens",
        "3 tasks: 2 completed, 1 failed; $0.75 (reported) and 3,000 tokens so far",
        "2 need a person: #2, #3 (burnish status --why 2)",
    ]
    assert screen() == ["the queue is empty; add a task with: burnish add 'What to do'"]


@pytest.mark.parametrize(
    ("values", "needed"),
    [
        ({}, False),
        ({"final_verdict": "MAX_CYCLES_REACHED"}, True),
        ({"final_verdict": "CHANGES_REQUESTED"}, True),
        ({"final_verdict": "MAX_CYCLES_REACHED", "judged": "APPROVED"}, False),
        ({"final_verdict": "MAX_CYCLES_REACHED", "attended": True}, False),
        ({"final_verdict": None, "judged": "CHANGES_REQUESTED"}, True),
        ({"final_verdict": None}, False),
        ({"state": TaskState.PENDING, "final_verdict": None, "waits_for": (1,)}, False),
        ({"state": TaskState.PENDING, "final_verdict": None, "blocked_by": (1,)}, True),
        ({"state": TaskState.IN_PROGRESS, "final_verdict": None}, False),
    ],
)
def test_a_person_is_needed_where_the_queue_cannot_go_on_by_itself(
    values: dict[str, object], needed: bool
) -> None:
    assert needs_person(view(5, **values)) is needed


def test_letters_of_east_asia_take_two_cells_and_marks_none() -> None:
    assert [cells(text) for text in ("abc", "é…–", "日本", "Cafe\u0301", "→ ✓", "🎉")] == [3, 3, 4, 4, 3, 2]
    assert cut("日本語", 5) == "日本…"
    assert filled("日本", 6) == "日本  "


def test_a_small_terminal_shows_what_moves_and_what_needs_somebody_first() -> None:
    done = [view(number) for number in range(1, 100)]
    working = view(100, "At work", state=TaskState.IN_PROGRESS, final_verdict=None, review_cycle=1)
    stuck = view(50, "Stuck", state=TaskState.FAILED, final_verdict=None)
    views = sorted([*(one for one in done if one.number != 50), stuck, working], key=lambda one: one.number)
    drawn = [plain(line) for line in screen_of(Overview(AT, tuple(views)), views, 80, 24)]
    assert len(drawn) <= 23
    assert [line for line in drawn if "At work" in line or "Stuck" in line]
    assert "  … and 82 more" in drawn
    assert drawn[-1] == "1 needs a person: #50 (burnish status --why 50)"
    few = [plain(line) for line in screen_of(Overview(AT), views[:3], 80, 24)]
    assert few == screen(*views[:3])


@given(st.text(), st.integers(min_value=1, max_value=60))
def test_text_is_cut_and_filled_by_the_cells_it_takes(text: str, most: int) -> None:
    short = cut(text, most)
    assert cells(short) <= most
    assert short == text or (short.endswith("…") and text.startswith(short[:-1]))
    assert cells(filled(short, most)) == most
