"""Tasks and groups from an agent's tool calls, or from the same as JSON at the end of its answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from burnish.contracts._fields import Fields, Problems
from burnish.contracts._inline import TooBusy
from burnish.contracts._objects import find
from burnish.contracts._text import clean
from burnish.errors import ContractViolation
from burnish.loops.work import DEFAULT_ITERATIONS, PlanGroup, PlannedTask


def read_tasks(text: str) -> tuple[tuple[PlannedTask, ...], str]:
    """The tasks and what the agent took the document to mean. Raises ContractViolation with all problems."""
    found, problems = _last(text, "tasks"), Problems()
    top = Fields(found, "the answer", "malformed", problems)
    tasks = tuple(_task(value, number, problems) for number, value in enumerate(top.items("tasks"), 1))
    intent = top.text("interpretedIntent")
    problems.check()
    return tasks, intent


def read_groups(text: str) -> tuple[PlanGroup, ...]:
    """Raises ContractViolation with all problems."""
    found, problems = _last(text, "groups"), Problems()
    top = Fields(found, "the answer", "malformed", problems)
    groups = tuple(_group(value, number, problems) for number, value in enumerate(top.items("groups"), 1))
    problems.check()
    return groups


def task_of(arguments: Mapping[str, Any]) -> PlannedTask:
    """What `write_task` was called with. Raises ContractViolation."""
    problems = Problems()
    task = _task(dict(arguments), 0, problems)
    problems.check()
    return task


def group_of(arguments: Mapping[str, Any]) -> PlanGroup:
    """What `add_plan_group` was called with. Raises ContractViolation."""
    problems = Problems()
    group = _group(dict(arguments), 0, problems)
    problems.check()
    return group


def _last(text: str, key: str) -> dict[str, Any]:
    """The last object that has the key; those before it are drafts."""
    try:
        found = find(clean(text))
    except TooBusy as error:
        raise ContractViolation("malformed", str(error)) from None
    values = [value for block in found.blocks for value in block.objects if key in value]
    if values:
        return values[-1]
    broken = next((block.why for block in found.blocks if block.value is None and block.why), "")
    raise ContractViolation(
        "no_json", f"no JSON object with {key!r} found{f' (what looks like one: {broken})' if broken else ''}"
    )


def _task(value: Any, number: int, problems: Problems) -> PlannedTask:
    fields = Fields(value, f"task {number}" if number else "the task", "malformed", problems)
    if not isinstance(value, dict):
        return PlannedTask("", "")
    return PlannedTask(
        id=fields.text("id", required=True).strip(),
        title=fields.text("title", required=True).strip(),
        description=fields.text("description"),
        dependencies=_names(fields, "dependencies"),
        estimated_iterations=_number(fields, "estimatedIterations", DEFAULT_ITERATIONS),
    )


def _group(value: Any, number: int, problems: Problems) -> PlanGroup:
    fields = Fields(value, f"group {number}" if number else "the group", "malformed", problems)
    if not isinstance(value, dict):
        return PlanGroup(0, ())
    if fields.get("groupIndex") is None:
        fields.note(fields.violation("groupIndex", "a whole number", None))
    return PlanGroup(_number(fields, "groupIndex", 0), _names(fields, "taskIds"))


def _names(fields: Fields, name: str) -> tuple[str, ...]:
    found = fields.items(name)
    if not all(isinstance(one, str) for one in found):
        fields.note(fields.violation(name, "an array of ids", found))
    return tuple(one.strip() for one in found if isinstance(one, str))


def _number(fields: Fields, name: str, default: int) -> int:
    value = fields.get(name)
    if value is None:
        return default
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value // 1:
        fields.note(fields.violation(name, "a whole number", value))
        return default
    return int(value) if abs(value) < 10**9 else 10**9
