"""What a person means by an ID: a task of the queue or a run; every verb that takes one takes the other."""

from __future__ import annotations

from burnish.app.overview import look
from burnish.app.queue_place import QueuePlace, number_of
from burnish.errors import UsageError
from burnish.model.queue import TaskView
from burnish.model.run_view import RunView
from burnish.store.leases import this_process
from burnish.store.queries import find_run
from burnish.store.queue import unknown


def find_named(here: QueuePlace, wanted: str) -> tuple[TaskView | RunView, tuple[TaskView, ...]]:
    """The task or run, and all tasks. `29` is a task, or a run if there is no such task; `r-29` is a run."""
    views = look(here.place, None, whole=True).views
    number = number_of(wanted)
    for view in views:
        if view.task.number == number or view.task.id == wanted:
            return view, views
    try:
        return find_run(here.database, wanted.strip(), this_process()), views
    except UsageError:
        if number is None:
            raise
        raise unknown(number, tuple(view.number for view in views)) from None
