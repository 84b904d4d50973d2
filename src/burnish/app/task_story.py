"""One task of the queue with everything that is recorded about it."""

from __future__ import annotations

from burnish.app.queue_place import QueuePlace
from burnish.app.task_files import review_name
from burnish.model.events import Recorded, StepFinished
from burnish.model.queue import QueueTask, TaskView
from burnish.model.review import Review
from burnish.model.task_story import Attempt, CycleReview, TaskStory
from burnish.render.parts import by_whom
from burnish.store.leases import this_process
from burnish.store.queries import find_run, run_events, run_ids
from burnish.store.spending import spent_by_role


def story_of(here: QueuePlace, view: TaskView, views: tuple[TaskView, ...]) -> TaskStory:
    runs = here.queue.attempts(view.task)
    known = run_ids(here.database)
    reviews: list[CycleReview] = []
    attempts = []
    for run in runs:
        if run not in known:
            attempts.append(Attempt(run))
            continue
        attempts.append(Attempt(run, find_run(here.database, run, this_process())))
        reviews += reviews_in(view.task, run, run_events(here.database, run))
    task = view.task
    wanted = {
        *task.depends_on,
        *view.waits_for,
        *view.blocked_by,
        *((task.based_on,) if task.based_on else ()),
    }
    return TaskStory(
        view,
        tuple(attempts),
        tuple(reviews),
        here.queue.changes(task),
        spent_by_role(here.database, runs),
        {other.number: other for other in views if other.number in wanted},
    )


def reviews_in(task: QueueTask, run: str, events: tuple[Recorded, ...]) -> list[CycleReview]:
    """The reviews of one run. What was asked again counts once: the later answer is the one that holds."""
    found: dict[int, CycleReview] = {}
    for recorded in events:
        event = recorded.event
        if not isinstance(event, StepFinished) or event.result_type != Review.__name__:
            continue
        review = event.result
        cycle = max(event.step.cycle, 1)
        found[cycle] = CycleReview(
            run,
            cycle,
            recorded.at,
            str(review["native"]),
            str(review["summary"]),
            f".burnish/{review_name(task, event.step.cycle, recorded.at)}",
            str(review["overruled"]),
            str(review["unclear"]),
            len(review["findings"]),
            by_whom(review),
        )
    return [found[cycle] for cycle in sorted(found)]
