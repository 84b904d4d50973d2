"""The reviews of a task: those of its own loop, and those of review tasks about it."""

from __future__ import annotations

from collections.abc import Mapping

from burnish.app.queue_place import QueuePlace
from burnish.model.events import StepFinished
from burnish.model.mode import GivenReview
from burnish.model.queue import TaskType, TaskView
from burnish.model.review import Review
from burnish.store.queries import run_events


def last_review(here: QueuePlace, subject: TaskView, views: Mapping[int, TaskView]) -> GivenReview | None:
    """The newest review of a task's work, by when it was made, with its number."""
    found = sorted(_reviews(here, subject, views))
    if not found:
        return None
    _, text, number = found[-1]
    return GivenReview(text, len(found), f"#{number}")


def _reviews(
    here: QueuePlace, subject: TaskView, views: Mapping[int, TaskView]
) -> list[tuple[str, str, int]]:
    family = {subject.number, *(view.number for view in views.values() if about(view, subject, views))}
    found = []
    for number in family:
        for run in here.queue.attempts(views[number].task):
            for entry in run_events(here.database, run):
                event = entry.event
                if isinstance(event, StepFinished) and event.result_type == Review.__name__:
                    text = event.result["text"] or event.result["summary"]
                    if text:
                        found.append((entry.at, str(text), number))
    return found


def about(view: TaskView, subject: TaskView, views: Mapping[int, TaskView]) -> bool:
    """Whether a review or improve task is about the subject, directly or through another one."""
    seen: set[int] = set()
    wanted = [view]
    while wanted:
        at = wanted.pop()
        if at.number in seen or at.task.task_type not in (TaskType.REVIEW, TaskType.IMPROVE):
            continue
        seen.add(at.number)
        numbers = {*at.task.depends_on, *((at.task.based_on,) if at.task.based_on else ())}
        if subject.number in numbers:
            return True
        wanted += [views[number] for number in numbers if number in views]
    return False
