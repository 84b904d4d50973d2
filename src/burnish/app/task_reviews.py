"""The reviews of a task: those of its own loop, and those of review tasks about it."""

from __future__ import annotations

from collections.abc import Mapping

from burnish.app.queue_place import QueuePlace
from burnish.model.events import StepFinished
from burnish.model.mode import GivenReview
from burnish.model.queue import TaskView
from burnish.model.review import Review
from burnish.store.queries import run_events
from burnish.store.task_families import root_of


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
    family = {
        subject.number,
        *(view.number for view in views.values() if root_of(view, views) == subject.number),
    }
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
