"""Which tasks can be worked on at the same time: behind what they depend on, and not in the same file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from posixpath import normpath

from burnish.loops.work import PlanGroup, PlannedTask

# What stands in backticks and looks like a path is a file that the task names.
_TICKED = re.compile(r"`([^`\s]{1,200})`")
_PATH = re.compile(r"[\w.@+-]+(?:/[\w.@+-]+)*\.[A-Za-z][A-Za-z0-9]{0,9}|[\w.@+-]+(?:/[\w.@+-]+)+")


def named_files(task: PlannedTask) -> frozenset[str]:
    """The files that a task names in backticks (`src/app.py`); names of folders and commands are not."""
    words = _TICKED.findall(f"{task.title}\n{task.description}")
    paths = (word.removeprefix("./") for word in words)
    return frozenset(normpath(path) for path in paths if _PATH.fullmatch(path) and "." in path.split("/")[-1])


def derive_groups(tasks: Sequence[PlannedTask]) -> tuple[PlanGroup, ...]:
    """The fewest groups in which each task is behind all it depends on; for tasks without errors."""
    left, found = list(tasks), []
    while left:
        waiting = {task.id for task in left}
        ready = [task for task in left if not waiting.intersection(task.dependencies)]
        if not ready:
            raise ValueError(f"{left[0].id} depends on itself through others")
        found.append(tuple(task.id for task in ready))
        taken = set(found[-1])
        left = [task for task in left if task.id not in taken]
    return apart(tasks, [PlanGroup(index, ids) for index, ids in enumerate(found)])


def apart(tasks: Sequence[PlannedTask], groups: Sequence[PlanGroup]) -> tuple[PlanGroup, ...]:
    """The same groups in the same order, those split whose tasks name the same file; numbered from 0."""
    files = {task.id: named_files(task) for task in tasks}
    ordered = sorted(groups, key=lambda group: group.index)
    parts = [part for group in ordered for part in _parts(group, files)]
    return tuple(PlanGroup(index, ids) for index, ids in enumerate(parts))


def _parts(group: PlanGroup, files: dict[str, frozenset[str]]) -> Iterator[tuple[str, ...]]:
    parts: list[tuple[list[str], set[str]]] = []
    for name in group.task_ids:
        own = files.get(name, frozenset())
        fits = next((part for part in parts if not own & part[1]), None)
        if fits is None:
            parts.append(([name], set(own)))
        else:
            fits[0].append(name)
            fits[1].update(own)
    yield from (tuple(ids) for ids, _ in parts)
