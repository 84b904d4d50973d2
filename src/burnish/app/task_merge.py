"""Merging what a task made: its branch as it is now, if that is what a review approved."""

from __future__ import annotations

from collections.abc import Mapping

from burnish.app.merge import MergeRequest, merge_commit
from burnish.app.queue_place import QueuePlace, whoami
from burnish.errors import UsageError
from burnish.model.queue import TaskChange, TaskView
from burnish.store.task_families import approved_as_it_is, newest_of


async def merge_task(here: QueuePlace, number: int, *, squash: bool, into: str | None, anyway: bool) -> str:
    """What was done, in a sentence. Refuses what nobody approved, unless it is wanted all the same."""
    views = {view.number: view for view in here.queue.all()}
    view = here.queue.find(number)
    if not view.task.task_type.writes:
        raise UsageError(f"task #{number} is of type {view.task.task_type}: there is no code of it to merge.")
    newest = newest_of(view, views)
    if not newest.commit or not newest.task.run_id:
        raise UsageError(f"task #{number} is {view.state} and has made no commit: there is nothing to merge.")
    if not anyway and not approved_as_it_is(view, views):
        raise UsageError(
            f"task #{number} is not approved ({view.judged or 'not reviewed'}).", hint=_hint(view)
        )
    if not anyway and (below := _unapproved_below(view, views)):
        raise UsageError(
            f"task #{number} was built on #{below.number}, which is not approved "
            f"({below.judged or 'not reviewed'}) and would be merged with it.",
            hint=_hint(below),
        )
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


def _unapproved_below(view: TaskView, views: Mapping[int, TaskView]) -> TaskView | None:
    """Work that this one was built on, that would be merged with it, and that nobody approved."""
    wanted, seen = list(view.task.depends_on), set[int]()
    while wanted:
        other = views.get(wanted.pop())
        if other is None or other.number in seen:
            continue
        seen.add(other.number)
        wanted += other.task.depends_on
        loose = other.task.task_type.writes and other.commit and not other.task.merged_at
        if loose and not approved_as_it_is(other, views):
            return other
    return None
