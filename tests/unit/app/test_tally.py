"""What `work` comes to as a whole."""

from __future__ import annotations

import pytest

from burnish.app.tally import Tally
from burnish.model.exit_codes import ExitCode
from burnish.model.queue import QueueTask, TaskState, TaskView


def tally_of(*states: TaskState) -> Tally:
    tally = Tally(stop_after=2)
    for number, state in enumerate(states, start=1):
        tally.add(
            TaskView(QueueTask(id=f"t{number}", number=number, prompt="x"), state, message="no space left")
        )
    return tally


@pytest.mark.parametrize("state", [TaskState.INTERRUPTED, TaskState.IN_PROGRESS, TaskState.PENDING])
def test_a_task_that_came_back_without_an_end_was_cut_short_whatever_could_be_written_down(
    state: TaskState,
) -> None:
    tally = tally_of(TaskState.COMPLETED, state)
    assert (tally.exit_code, tally.stopped) == (ExitCode.STOPPED, "")
    tally.add(tally.ended[-1])
    assert "2 tasks in a row failed" in tally.stopped


def test_what_is_complete_is_fine() -> None:
    assert tally_of(TaskState.COMPLETED, TaskState.COMPLETED).exit_code is ExitCode.OK
