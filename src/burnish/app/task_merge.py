"""Merging what a task made: its branch as it is now, if that is what a review approved."""

from __future__ import annotations

from collections.abc import Mapping

from burnish.app.merge import MergeRequest, merge_commit
from burnish.app.queue_place import QueuePlace, whoami
from burnish.app.task_reviews import about
from burnish.errors import UsageError
from burnish.model.queue import TaskChange, TaskState, TaskType, TaskView
from burnish.store.task_standing import APPROVED


async def merge_task(here: QueuePlace, number: int, *, squash: bool, into: str | None, anyway: bool) -> str:
    """What was done, in a sentence. Refuses what nobody approved, unless it is wanted all the same."""
    views = {view.number: view for view in here.queue.all()}
    view = here.queue.find(number)
    if not view.task.task_type.writes:
        raise UsageError(f"task #{number} is a {view.task.task_type} task: there is no code of it to merge.")
    if view.state is not TaskState.COMPLETED and not anyway:
        raise UsageError(f"task #{number} is {view.state}: there is nothing to merge yet.", hint=_hint(view))
    newest = _newest(view, views)
    if not newest.commit or not newest.task.run_id:
        raise UsageError(f"task #{number} made no commit: there is nothing to merge.")
    if not anyway and not approved(view, newest, views):
        said = newest.final_verdict or view.final_verdict or "not reviewed"
        raise UsageError(f"task #{number} is not approved ({said}).", hint=_hint(view))
    request = MergeRequest(
        run_id=newest.task.run_id,
        commit=newest.commit,
        branch=newest.branch,
        title=view.task.title,
        target=into,
        squash=squash,
    )
    said = await merge_commit(here.place, request)
    at = here.queue.clock.now()
    for one in {view.number: view, newest.number: newest}.values():
        here.queue.change(one.task, TaskChange("", whoami(), "merge", "", said), merged_at=at)
    return said


def _hint(view: TaskView) -> str:
    return f"burnish show {view.number} tells more; --anyway merges it all the same"


def _newest(view: TaskView, views: Mapping[int, TaskView]) -> TaskView:
    """The last of the tasks that went on with this one's branch."""
    family = [
        other
        for other in views.values()
        if other.task.task_type is TaskType.IMPROVE and other.commit and about(other, view, views)
    ]
    return max(family, key=lambda other: other.completed_at or "", default=view)


def approved(view: TaskView, newest: TaskView, views: Mapping[int, TaskView]) -> bool:
    """By its own loop, by a person, or by the last review task about the work as it is now."""
    if newest.final_verdict == APPROVED:
        return True
    reviews = [
        other
        for other in views.values()
        if other.task.task_type is TaskType.REVIEW
        and other.state is TaskState.COMPLETED
        and about(other, view, views)
        and (other.task.started_at or "") >= (newest.completed_at or "")
    ]
    last = max(reviews, key=lambda other: other.completed_at or "", default=None)
    return last is not None and last.final_verdict == APPROVED
