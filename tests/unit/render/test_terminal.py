"""The lines of a terminal session, as the seed shows them."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

from burnish.model.events import Event, Recorded, RunFinished, RunStarted, StepFinished
from burnish.render.terminal import TerminalLines
from tests.loops import Drive, profile_named, says

TASK = profile_named("task")
NO = "## Must-Fix\n\n- missing input validation\n\n**Verdict: CHANGES_REQUESTED**\n"
YES = "**Verdict: APPROVED**\n"


def started() -> RunStarted:
    agents = {"implementer": "a", "reviewer": "b", "fixer": "a"}
    return RunStarted(
        "x", "Add user authentication", "task", "verdict-line", "c0", "c0", 3, "reviews", agents
    )


def finished(cycles: int, final: str, outcome: str = "passed") -> RunFinished:
    return RunFinished(
        outcome,
        "review_passed",
        "",
        "pass",
        final,
        final,
        cycles,
        cycles - 1,
        "c0",
        "c1",
        None,
        None,
        None,
        0,
        0,
    )


def screen(events: list[Event], label: str = "#29") -> list[str]:
    """What a person sees of these events, the spinner aside."""
    out = io.StringIO()
    show = TerminalLines(Console(file=out, force_terminal=False, width=100), label=label)
    for seq, event in enumerate(events, 1):
        show(Recorded("r-test", seq, "2026-01-01T00:00:00Z", event))
    return [line.rstrip() for line in out.getvalue().splitlines()]


def told(folder: Path, *replies: str) -> list[Event]:
    drive = Drive(folder, TASK, says(*replies))
    ending = drive.run()
    events = [event for event in drive.memory.events if event.kind != "notice"]
    return [started(), *events, finished(len(ending.history.reviews), "APPROVED")]


@pytest.mark.conformance("G-73", "G-74", "G-75")
def test_a_task_of_three_cycles_reads_as_in_the_seed(tmp_path: Path) -> None:
    assert screen(told(tmp_path, NO, NO, YES)) == [
        "Running task #29: Add user authentication",
        "  [1/3] Implementing...",
        "  [1/3] Implementation complete",
        "  [1/3] Running review...",
        "  [1/3] Review: CHANGES_REQUESTED - missing input validation",
        "  [2/3] Improving...",
        "  [2/3] Running review...",
        "  [2/3] Review: CHANGES_REQUESTED - missing input validation",
        "  [3/3] Improving...",
        "  [3/3] Running review...",
        "  [3/3] Review: APPROVED",
        "✓ Task #29 completed (APPROVED after 3 cycles)",
    ]


def test_markup_and_escapes_of_an_agent_are_shown_as_text(tmp_path: Path) -> None:
    hostile = "## Must-Fix\n\n- [red]x[/red] \x1b]52;c;AAAA\x07 \u202eabc\n\n**Verdict: CHANGES_REQUESTED**\n"
    shown = "\n".join(screen(told(tmp_path, hostile, YES)))
    assert "[red]x[/red]" in shown
    assert not {"\x1b", "\x07", "\u202e"} & set(shown)


def test_an_overruled_approval_does_not_look_like_one(tmp_path: Path) -> None:
    events = told(tmp_path, YES)
    [review] = [e for e in events if isinstance(e, StepFinished) and e.result_type == "Review"]
    review.result.update(verdict="fail", overruled="the gate 'make' turned red")
    assert "  [1/3] Review: APPROVED, overruled: the gate 'make' turned red" in screen(events)
