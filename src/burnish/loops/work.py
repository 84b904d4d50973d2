"""What a build is to do: tasks as an agent enumerated them, and the groups they are worked on in."""

from __future__ import annotations

from dataclasses import dataclass

DEFAULT_ITERATIONS = 10


@dataclass(frozen=True)
class PlannedTask:
    """`dependencies` are ids of other tasks of the same build."""

    id: str
    title: str
    description: str = ""
    dependencies: tuple[str, ...] = ()
    estimated_iterations: int = DEFAULT_ITERATIONS


@dataclass(frozen=True)
class PlanGroup:
    """Tasks worked on at the same time, one loop each; the group with the smaller index goes first."""

    index: int
    task_ids: tuple[str, ...]


@dataclass(frozen=True)
class Outline:
    """All of a build: `intent` is what whoever enumerated it took the spec to mean."""

    tasks: tuple[PlannedTask, ...]
    groups: tuple[PlanGroup, ...] = ()
    intent: str = ""

    def task(self, task_id: str) -> PlannedTask:
        return next(task for task in self.tasks if task.id == task_id)
