"""Tasks about one piece of work: the one that made it, those that improved it, those that reviewed it.

A verdict is about the commit it was given on, and about no later one. Commits are compared, never times.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
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


def newest_of(view: TaskView, views: Mapping[int, TaskView]) -> TaskView:
    """Whoever made the work what it is now: the last of the tasks that went on with it."""
    root = root_of(view, views)
    family = [other for other in views.values() if root_of(other, views) == root]
    return _newest(views.get(root, view), family)


def approved_as_it_is(view: TaskView, views: Mapping[int, TaskView]) -> bool:
    """Whether the last word on exactly the commit that the work is at now is APPROVED."""
    root = views[root_of(view, views)]
    family = [other for other in views.values() if root_of(other, views) == root.number and other is not root]
    return _judged(root, family) == APPROVED


def _newest(root: TaskView, family: Sequence[TaskView]) -> TaskView:
    changed = [view for view in family if view.task.task_type is TaskType.IMPROVE and view.commit]
    return max(changed, key=lambda view: (view.completed_at or "", view.number), default=root)


def _judged(root: TaskView | None, family: Sequence[TaskView]) -> str | None:
    """The last word on the work as it is now; None while nobody ever said one."""
    if root is None:
        return None
    newest = _newest(root, family)
    if newest.task.final_verdict:
        # A person's word, given on this very work.
        return newest.task.final_verdict
    over = [view for view in (root, *family) if view.final_verdict and view.state not in _COMING]
    here = [view for view in over if view is newest or _looked_at(view, newest)]
    if here:
        return max(here, key=lambda view: view.number).final_verdict
    return IMPROVED if over else None


def _looked_at(view: TaskView, newest: TaskView) -> bool:
    return view.task.task_type is TaskType.REVIEW and view.commit is not None and view.commit == newest.commit
