"""What follows when a task is done: the review task that was asked for with it."""

from __future__ import annotations

from collections.abc import Callable

from burnish.app.adding import NewTask, add_tasks
from burnish.app.queue_place import QueuePlace
from burnish.model.queue import TaskState, TaskType, TaskView


async def afterwards(here: QueuePlace, view: TaskView, say: Callable[[str], None]) -> None:
    """Once, however often the task comes back."""
    task = view.task
    if not task.create_review or view.state is not TaskState.COMPLETED:
        return
    if any(
        other.task.task_type is TaskType.REVIEW and task.number in other.task.depends_on
        for other in here.queue.all()
    ):
        return
    [review] = await add_tasks(
        here,
        NewTask(
            prompt=f"Review #{task.number}: {task.title}",
            task_type=TaskType.REVIEW,
            depends_on=(task.number,),
            based_on=task.based_on if task.task_type is TaskType.IMPROVE else task.number,
            group=task.group,
            flags=task.flags,
        ),
    )
    say(f"added task #{review.number}: {review.title}")
