"""A review at work, as a fold of its events."""

from __future__ import annotations

import io
from typing import Any

import pytest

from burnish.model.dimension import Dimension
from burnish.model.events import Event, Recorded, StepFinished, StepStarted
from burnish.model.step import Role, Step
from burnish.render.review_lines import ReviewLines
from burnish.render.review_live import draw
from burnish.render.review_view import ReviewView, State, first_view, fold

HIGH = {"severity": "high", "dimension": "security"}


def after(*events: Event, dimensions: tuple[Dimension, ...] = tuple(Dimension)) -> ReviewView:
    view = first_view(dimensions)
    for seq, event in enumerate(events):
        view = fold(view, Recorded("r-1", seq, "2026-11-15T10:00:00Z", event))
    return view


def step(phase: str, part: str = "", role: Role = Role.REVIEW) -> Step:
    return Step(role, 1, phase, part)


def done(phase: str, part: str, kind: str, result: Any, role: Role = Role.REVIEW) -> StepFinished:
    return StepFinished(step(phase, part, role), kind, result)


def report(*findings: dict[str, str], failed: str = "") -> dict[str, Any]:
    return {"findings": list(findings), "failed": failed, "degraded": "", "agent": "embedded"}


@pytest.mark.conformance("C-71")
def test_five_phases_are_there_from_the_start() -> None:
    view = first_view(tuple(Dimension))
    assert list(view.phases) == [1, 2, 3, 4, 5]
    assert view.phase_name(2) == "Phase 2: Parallel Reviews (7 dimensions)"
    assert [view.phases[number] for number in (2, 3, 4, 5)] == [State.PENDING] * 4


@pytest.mark.conformance("C-72")
def test_each_dimension_is_in_progress_and_then_completed_with_its_counts() -> None:
    started = after(StepStarted(step("dimension", "security")))
    assert started.rows["security"].state is State.WORKING
    view = after(
        StepStarted(step("dimension", "security")),
        done("dimension", "security", "DimensionReport", report(HIGH)),
    )
    assert view.rows["security"].state is State.DONE
    assert view.rows["security"].counts["high"] == 1
    assert view.phases[2] is State.WORKING


def test_a_dimension_that_failed_shows_why() -> None:
    view = after(done("dimension", "security", "DimensionReport", report(failed="no answer")))
    assert (view.rows["security"].state, view.rows["security"].said) == (State.FAILED, "no answer")


def test_counts_grow_while_analysers_work() -> None:
    view = after(
        StepStarted(step("analyse", "ruff")), done("analyse", "ruff", "Analysis", {"findings": [HIGH]})
    )
    assert view.rows["security"].counts == {"high": 1}
    assert view.working == ()


@pytest.mark.conformance("C-64")
def test_deep_dives_are_skipped_unless_something_is_dived_into() -> None:
    end = done("", "", "Review", {})
    assert after(StepStarted(step("ledger")), end).phases[4] is State.SKIPPED
    dived = after(StepStarted(step("dive-1", "sec-001")), StepStarted(step("ledger")), end)
    assert dived.phases[4] is State.DONE
    assert dived.phases[5] is State.DONE


@pytest.mark.conformance("C-03", "C-73")
def test_the_phases_of_a_fix_are_added_when_it_begins() -> None:
    view = after(StepStarted(step("plan", "batch-1", Role.FIX)))
    assert [view.phases[number] for number in (6, 7, 8, 9)] == [
        State.DONE, State.WORKING, State.PENDING, State.PENDING,
    ]  # fmt: skip
    group = {"fixes": [{"result": "fixed"}], "failed": ""}
    view = after(
        StepStarted(step("group", "G1", Role.FIX)), done("group", "G1", "GroupResult", group, Role.FIX)
    )
    assert view.groups["G1"].said == "1 fixed"


def test_lines_say_what_is_over_and_nothing_hidden_reaches_them() -> None:
    out = io.StringIO()
    listener = ReviewLines(out, (Dimension.SECURITY,))
    listener(
        Recorded("r-1", 1, "", done("dimension", "security", "DimensionReport", report(failed="\x1b[31mred")))
    )
    assert "  security: no findings (\\x1b[31mred)" in out.getvalue()
    assert "\x1b" not in out.getvalue()


def test_the_table_fits_eighty_columns() -> None:
    from rich.console import Console

    view = after(*(done("dimension", d, "DimensionReport", report(HIGH)) for d in Dimension))
    console = Console(width=80, file=io.StringIO(), record=True)
    console.print(draw(view, "Review changes since 0123456789ab", 3))
    text = console.export_text()
    assert max(len(line) for line in text.splitlines()) <= 80
    assert all(str(dimension) in text for dimension in Dimension)


def test_a_phase_is_over_after_the_last_of_its_dimensions_and_before_the_next_begins() -> None:
    out = io.StringIO()
    listener = ReviewLines(out, (Dimension.SECURITY, Dimension.QUALITY))
    events = (
        StepStarted(step("dimension", "security")),
        done("dimension", "security", "DimensionReport", report()),
        done("dimension", "quality", "DimensionReport", report()),
        StepStarted(step("dive-1", "sec-001")),
    )
    for seq, event in enumerate(events):
        listener(Recorded("r-1", seq, "", event))
    assert out.getvalue().splitlines() == [
        "Phase 2: Parallel Reviews (2 dimensions) -> in_progress",
        "  security: no findings (embedded)",
        "  quality: no findings (embedded)",
        "Phase 2: Parallel Reviews (2 dimensions) -> completed",
        "Phase 3: Aggregation -> completed",
        "Phase 4: Deep-dive (conditional) -> in_progress",
    ]


def test_what_takes_long_is_said_at_most_every_ten_seconds_in_a_log() -> None:
    out, now = io.StringIO(), [100.0]
    listener = ReviewLines(out, (Dimension.SECURITY,), clock=lambda: now[0])
    for second in range(25):
        now[0] = 100.0 + second
        listener.progress(f"searching \x1b[31m{second}")
    listener.progress("")
    assert out.getvalue().splitlines() == [f"  searching \\x1b[31m{second}" for second in (0, 10, 20)]


def test_what_takes_long_stands_below_the_table_in_one_line() -> None:
    from rich.console import Console

    console = Console(width=80, file=io.StringIO(), record=True)
    console.print(draw(after(), "", 3, "searching a repair for test_" + "x" * 90))
    last = console.export_text().rstrip("\n").splitlines()[-1]
    assert last.startswith("  searching a repair for test_xxx") and len(last) <= 80
