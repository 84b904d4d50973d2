"""Tasks about one piece of work: the one that made it, those that improved it, those that reviewed it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from burnish.model.queue import TaskState, TaskType, TaskView

APPROVED = "APPROVED"
# The last word on work that was changed after its review.
IMPROVED = "improved, not reviewed since"
_AFTER = (TaskType.REVIEW, TaskType.IMPROVE)
_COMING = (TaskState.PENDING, TaskState.IN_PROGRESS, TaskState.INTERRUPTED)


def with_families(views: Iterable[TaskView]) -> list[TaskView]:
    """Each with what was last said of the work it is about, and whether somebody is still to see to it."""
    found = list(views)
    by_number = {view.number: view for view in found}
    families: dict[int, list[TaskView]] = {}
    for view in found:
        if view.task.task_type in _AFTER:
            families.setdefault(root_of(view, by_number), []).append(view)
    judged = {number: _judged(by_number.get(number), family) for number, family in families.items()}
    attended = {number: any(one.state in _COMING for one in family) for number, family in families.items()}
    for place, view in enumerate(found):
        root = root_of(view, by_number) if families else view.number
        if root in families:
            found[place] = replace(view, judged=judged[root], attended=attended[root])
    return found


def root_of(view: TaskView, by_number: Mapping[int, TaskView]) -> int:
    """The number of the task whose work this one is about; its own where it is about none."""
    seen: set[int] = set()
    while view.task.task_type in _AFTER and view.number not in seen:
        seen.add(view.number)
        about = view.task.based_on or next(iter(view.task.depends_on), 0)
        if about not in by_number:
            break
        view = by_number[about]
    return view.number


def _judged(root: TaskView | None, family: list[TaskView]) -> str | None:
    """A person's word counts most, then the newest. What was improved since is not what was judged."""
    if root is not None and root.task.final_verdict:
        return root.task.final_verdict
    told = [
        (view.completed_at or "", view.number, view.final_verdict)
        for view in (*((root,) if root else ()), *family)
        if view.state not in _COMING and (view.final_verdict or _changed(view))
    ]
    if not any(verdict for _, _, verdict in told):
        return None
    return max(told, key=lambda one: one[:2])[2] or IMPROVED


def _changed(view: TaskView) -> bool:
    return view.task.task_type is TaskType.IMPROVE and bool(view.commit)


def newest_of(view: TaskView, views: Mapping[int, TaskView]) -> TaskView:
    """Whoever made the work what it is now: the last of the tasks that went on with it."""
    root = root_of(view, views)
    family = [
        other
        for other in views.values()
        if other.task.task_type is TaskType.IMPROVE and other.commit and root_of(other, views) == root
    ]
    last = max(family, key=lambda other: (other.completed_at or "", other.number), default=None)
    return last or views.get(root, view)


def approved_as_it_is(view: TaskView, views: Mapping[int, TaskView]) -> bool:
    """Whether the last word on this work is APPROVED, and was said of it as it is now."""
    root, newest = root_of(view, views), newest_of(view, views)
    if newest.final_verdict == APPROVED or views[root].task.final_verdict == APPROVED:
        return True
    made = newest.completed_at or ""
    reviews = [
        other
        for other in views.values()
        if other.task.task_type is TaskType.REVIEW
        and other.state is TaskState.COMPLETED
        and root_of(other, views) == root
        and (other.task.started_at or "") >= made
    ]
    last = max(reviews, key=lambda other: (other.completed_at or "", other.number), default=None)
    return last is not None and last.final_verdict == APPROVED
