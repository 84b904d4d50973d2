"""What waits for a person's answer, each with the command that answers it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from burnish.model.question import WAITING, Waiting
from burnish.model.queue import TaskState, TaskView
from burnish.render.columns import cut
from burnish.sanitise import clean_line

MOST_SHOWN = 5
QUESTION_CELLS = 100
_OVER = (TaskState.COMPLETED, TaskState.FAILED)


def answer_command(name: str) -> str:
    """What a person types to answer the question of a run or task."""
    return f"burnish answer {name} 'YOUR ANSWER'"


def question_record(one: Waiting) -> dict[str, str]:
    """A question as `status --questions --json` prints it."""
    return {
        "name": one.name,
        "title": one.title,
        "question": one.question,
        "answer_with": answer_command(one.name),
    }


def task_asks(view: TaskView) -> bool:
    """Whether a task waits for an answer; a person's own verdict is the end of it, and so is other work."""
    own = view.task.final_verdict or view.attended
    return view.state in _OVER and view.reason in WAITING and not own


def asking_tasks(views: Iterable[TaskView]) -> list[Waiting]:
    return [
        Waiting(str(view.number), view.task.title, view.message or view.reason)
        for view in views
        if task_asks(view)
    ]


def _cut(question: str, width: int | None) -> str:
    return cut(clean_line(question[: 4 * QUESTION_CELLS]), min(QUESTION_CELLS, (width or 200) - 12))


def waiting_lines(
    waiting: Sequence[Waiting], width: int | None = None, most: int | None = MOST_SHOWN
) -> list[str]:
    """Two lines for each, the oldest tasks and the newest runs first; how many more than `most` there are."""
    found = []
    for one in waiting[:most]:
        name = f"#{one.name}" if one.name.isdigit() else one.name
        # Whoever wants them all wants to read them, too.
        question = clean_line(one.question) if most is None else _cut(one.question, width)
        found += [f"{name} asks: {question}", f"  {answer_command(one.name)}"]
    more = len(waiting[most:]) if most else 0
    return [*found, f"{more} more wait for an answer (burnish runs)"] if more else found
