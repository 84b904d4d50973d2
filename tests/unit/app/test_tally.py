"""When `burnish work` takes no more tasks, and how it ends."""

from __future__ import annotations

import pytest

from burnish.app.tally import Tally
from burnish.model.queue import QueueTask, TaskState, TaskView


def _view(state: TaskState, reason: str = "", **more: str | None) -> TaskView:
    return TaskView(QueueTask("t", 1, "Add it"), state, reason=reason, **more)  # type: ignore[arg-type]


BROKEN = _view(TaskState.FAILED, "implementer_failed", outcome="failed")
DONE = _view(TaskState.COMPLETED, "review_passed", outcome="passed", final_verdict="APPROVED")
STUCK = _view(TaskState.FAILED, "no_progress", outcome="stopped")


def test_it_stops_only_after_failures_in_a_row() -> None:
    tally = Tally(2)
    for view in (BROKEN, DONE, BROKEN, STUCK, BROKEN):
        tally.add(view)
        assert tally.stopped == ""
    tally.add(BROKEN)
    assert "2 tasks in a row" in tally.stopped
    assert tally.full(None, 0)


@pytest.mark.parametrize(
    ("views", "code"),
    [
        ((DONE,), 0),
        ((), 0),
        ((DONE, BROKEN), 1),
        ((_view(TaskState.FAILED, "fixer_timeout", outcome="escalated"), DONE), 5),
        ((_view(TaskState.COMPLETED, "needs_discussion", final_verdict="NEEDS_DISCUSSION"),), 5),
        ((_view(TaskState.INTERRUPTED),), 4),
        ((STUCK, DONE), 4),
        ((STUCK, BROKEN), 1),
        ((_view(TaskState.CANCELLED),), 130),
        ((_view(TaskState.COMPLETED, "cycles_exhausted", final_verdict="MAX_CYCLES_REACHED"),), 0),
    ],
)
def test_the_exit_code_is_that_of_the_worst_end(views: tuple[TaskView, ...], code: int) -> None:
    tally = Tally(9)
    for view in views:
        tally.add(view)
    assert tally.exit_code == code
