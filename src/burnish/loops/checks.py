"""What is wrong with enumerated tasks or a plan of groups: every error at once, each as a sentence."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from burnish.loops.grouping import named_files
from burnish.loops.work import PlanGroup, PlannedTask

MOST_TASKS = 200
MOST_TITLE = 200
MOST_DESCRIPTION = 20_000
MOST_ITERATIONS = 1000
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
ID_RULE = "1 to 64 letters, digits, '.', '_' or '-', a letter or digit first"


def check_tasks(tasks: Sequence[PlannedTask]) -> tuple[str, ...]:
    """Nothing when they can be planned."""
    if not tasks:
        return ("there is no task: expected at least one",)
    if len(tasks) > MOST_TASKS:
        return (f"there are {len(tasks)} tasks, at most {MOST_TASKS} are possible: make them larger",)
    return (*_ids(tasks), *_texts(tasks), *_dependencies(tasks), *_circles(tasks))


def check_groups(tasks: Sequence[PlannedTask], groups: Sequence[PlanGroup]) -> tuple[str, ...]:
    """Nothing when the groups can be built in their order; for tasks without errors."""
    if not groups:
        return ("there is no group: expected every task to be in one",)
    return (*_indexes(groups), *_members(tasks, groups), *_order(tasks, groups), *_files(tasks, groups))


def _ids(tasks: Sequence[PlannedTask]) -> Iterator[str]:
    for task in tasks:
        if not _ID.fullmatch(task.id):
            yield f"the task id {_shown(task.id)} is not possible: expected {ID_RULE}"
    # Ids become names of branches and folders, and not every file system tells capitals apart.
    count = Counter(task.id.casefold() for task in tasks)
    for name, times in count.items():
        if times > 1:
            yield f"{times} tasks have the id {_shown(name)}: expected each once"


def _texts(tasks: Sequence[PlannedTask]) -> Iterator[str]:
    for task in tasks:
        name = _shown(task.id)
        if not task.title.strip():
            yield f"the task {name} has no title"
        elif len(task.title) > MOST_TITLE:
            yield f"the title of {name} has {len(task.title)} characters, at most {MOST_TITLE} are possible"
        if len(task.description) > MOST_DESCRIPTION:
            size = len(task.description)
            yield f"the description of {name} has {size} characters, at most {MOST_DESCRIPTION} are possible"
        if not 1 <= task.estimated_iterations <= MOST_ITERATIONS:
            found = task.estimated_iterations
            yield f"the task {name} has {found} estimated iterations: expected 1 to {MOST_ITERATIONS}"


def _dependencies(tasks: Sequence[PlannedTask]) -> Iterator[str]:
    known = {task.id for task in tasks}
    for task in tasks:
        for name in dict.fromkeys(task.dependencies):
            if name == task.id:
                yield f"the task {_shown(task.id)} depends on itself"
            elif name not in known:
                needs = f"the task {_shown(task.id)} depends on {_shown(name)}"
                yield f"{needs}, which is no task ({_among(known)})"


def _circles(tasks: Sequence[PlannedTask]) -> Iterator[str]:
    """Each circle once, in the order in which it goes round."""
    depends = {task.id: [name for name in task.dependencies if name != task.id] for task in tasks}
    free = _free(depends)
    left = [name for name in depends if name not in free]
    told: set[str] = set()
    for first in left:
        way, here = list[str](), first
        while here not in way and here not in told:
            way.append(here)
            here = next(other for other in depends[here] if other in depends and other not in free)
        if here not in told:
            circle = way[way.index(here) :]
            yield f"tasks depend on each other in a circle: {' -> '.join([*circle, here])}"
        told.update(way)


def _free(depends: dict[str, list[str]]) -> set[str]:
    """The tasks that can be done at some time, whatever is wrong with the others."""
    free: set[str] = set()
    while True:
        more = {
            name
            for name, needed in depends.items()
            if name not in free and all(other in free or other not in depends for other in needed)
        }
        if not more:
            return free
        free |= more


def _indexes(groups: Sequence[PlanGroup]) -> Iterator[str]:
    count = Counter(group.index for group in groups)
    for index, times in count.items():
        if index < 0:
            yield f"the group index {index} is not possible: expected 0 or more"
        if times > 1:
            yield f"{times} groups have the index {index}: expected each once"
    for group in groups:
        if not group.task_ids:
            yield f"group {group.index} has no task"


def _members(tasks: Sequence[PlannedTask], groups: Sequence[PlanGroup]) -> Iterator[str]:
    known = {task.id for task in tasks}
    count = Counter(name for group in groups for name in group.task_ids)
    for name, times in count.items():
        if name not in known:
            yield f"{_shown(name)} is in a group and is no task ({_among(known)})"
        elif times > 1:
            yield f"the task {_shown(name)} is in {times} groups or twice in one: expected exactly one"
    for task in tasks:
        if task.id not in count:
            yield f"the task {_shown(task.id)} is in no group"


def _order(tasks: Sequence[PlannedTask], groups: Sequence[PlanGroup]) -> Iterator[str]:
    at = {name: group.index for group in groups for name in group.task_ids}
    for task in tasks:
        for name in dict.fromkeys(task.dependencies):
            if task.id in at and name in at and at[name] >= at[task.id]:
                yield (
                    f"the task {_shown(task.id)} is in group {at[task.id]} and depends on {_shown(name)} in"
                    f" group {at[name]}: expected it in an earlier group"
                )


def _files(tasks: Sequence[PlannedTask], groups: Sequence[PlanGroup]) -> Iterator[str]:
    files = {task.id: named_files(task) for task in tasks}
    for group in groups:
        first: dict[str, str] = {}
        for name in dict.fromkeys(group.task_ids):
            for path in sorted(files.get(name, ())):
                if path in first:
                    both = f"{_shown(first[path])} and {_shown(name)}"
                    yield f"the tasks {both} of group {group.index} name the same file {path}: put them apart"
                first.setdefault(path, name)


def _shown(name: str) -> str:
    return repr(name if len(name) <= 70 else name[:69] + "…")


def _among(known: set[str]) -> str:
    some = sorted(known)
    return f"known are {', '.join(some[:20])}{f' and {len(some) - 20} more' if len(some) > 20 else ''}"
