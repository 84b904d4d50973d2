"""docs/reference/queue.md names every field that `status --json` and `show --json` print, and every state."""

from __future__ import annotations

import re
from pathlib import Path

from burnish.model.queue import FINAL_VERDICTS, TaskState
from burnish.model.task_story import TaskStory
from burnish.render.task_record import story_record, task_record
from burnish.render.tasks import ICONS
from tests.unit.render.test_tasks import view

PAGE = (Path(__file__).parents[3] / "docs" / "reference" / "queue.md").read_text("utf8")


def named_in(part: str) -> list[str]:
    """The names in the first column of the tables of one chapter, in their order."""
    chapter = PAGE.partition(f"\n## {part}\n")[2].partition("\n## ")[0]
    cells = re.findall(r"^\| (`.*?) \|", chapter, re.MULTILINE)
    return [name for cell in cells for name in re.findall(r"`([^`]+)`", cell)]


def test_every_field_of_a_task_is_told() -> None:
    assert named_in("status") == list(task_record(view(1)))


def test_every_further_field_of_show_is_told() -> None:
    record = story_record(TaskStory(view(1)))
    assert named_in("show and log") == [name for name in record if name not in task_record(view(1))]


def test_every_state_and_verdict_is_told() -> None:
    assert set(named_in("States")) >= {*map(str, TaskState), *FINAL_VERDICTS}
    for state, icon in ICONS.items():
        assert f"| `{state}` | `{icon}` |" in PAGE
