"""What a task of one type gets: its type's own settings, else the defaults, else what is general.

A key counts only where somebody set it: `defaults.max_review_cycles` is 3 for whoever says nothing, and says
nothing itself against a `limits.cycles` that was set.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from burnish.config.schema import Settings, value_of
from burnish.model.queue import TaskType
from burnish.model.step import Role

SECONDS = 60
CYCLES = "max_review_cycles"
DEFAULT_CYCLES = "defaults.max_review_cycles"
MODEL = "agents.model"
_MODELS = {Role.IMPLEMENT: "model", Role.REVIEW: "review_model", Role.FIX: "improve_model"}
_TIMES = {
    Role.IMPLEMENT: ("timeout_minutes", "timeouts.implement_s"),
    Role.REVIEW: ("review_timeout_minutes", "timeouts.review_s"),
    Role.FIX: ("improve_timeout_minutes", "timeouts.fix_s"),
}
# A task that is nothing but a review has the reviewer's work as its own; so has a task that only improves.
_OWN_WORK = {TaskType.REVIEW: Role.REVIEW, TaskType.IMPROVE: Role.FIX}


@dataclass(frozen=True)
class TaskSettings:
    """`models` has the roles for which one is set: a name, or a tier.

    `decided_by` names the key behind each value (`implement_s`, `models.review`); where that key got it is in
    `Loaded.origins`.
    """

    auto_review: bool
    max_review_cycles: int
    models: Mapping[Role, str]
    implement_s: float
    review_s: float
    fix_s: float
    decided_by: Mapping[str, str]


def resolve(settings: Settings, task_type: TaskType | str) -> TaskSettings:
    """Pure: the same settings give the same answer, with the key that decided each part."""
    looked = _Look(settings, TaskType(task_type))
    auto = looked.first(looked.own("auto_review"), "defaults.auto_review")
    cycles = looked.cycles()
    times = {role: looked.seconds(role) for role in _TIMES}
    models = {role: found for role in _MODELS if (found := looked.model(role))}
    decided = {
        "auto_review": auto[0],
        CYCLES: cycles[0],
        **{f"{role}_s": key for role, (key, _) in times.items()},
        **{f"models.{role}": key for role, (key, _) in models.items()},
    }
    return TaskSettings(
        auto_review=auto[1],
        max_review_cycles=cycles[1],
        models=MappingProxyType({role: value for role, (_, value) in models.items()}),
        implement_s=times[Role.IMPLEMENT][1],
        review_s=times[Role.REVIEW][1],
        fix_s=times[Role.FIX][1],
        decided_by=MappingProxyType(decided),
    )


def said_cycles(settings: Settings, task_type: TaskType | str) -> int | None:
    """How many reviews were said for tasks of this type, as opposed to a limit of every run."""
    looked = _Look(settings, TaskType(task_type))
    value: int | None = looked.said(looked.own(CYCLES)) or looked.said(DEFAULT_CYCLES)
    return value


def more_special(key: str) -> Iterator[str]:
    """The keys that would hide `key`, if they stayed from a weaker source."""
    general = {times: name for name, times in _TIMES.values()}
    general |= dict.fromkeys((DEFAULT_CYCLES, "limits.cycles", "limits.fixes"), CYCLES)
    general["defaults.auto_review"] = "auto_review"
    if key == "agents.agent":
        yield from ("agents.implementer", "agents.reviewer", "agents.fixer")
    if key == MODEL:
        yield from (f"task_types.{kind}.{name}" for kind in TaskType for name in _MODELS.values())
    if name := general.get(key):
        if key.startswith("limits."):
            yield DEFAULT_CYCLES
        yield from (f"task_types.{kind}.{name}" for kind in TaskType)


@dataclass(frozen=True)
class _Look:
    settings: Settings
    kind: TaskType

    def own(self, name: str) -> str:
        return f"task_types.{self.kind}.{name}"

    def said(self, key: str) -> Any:
        """The value of a key, where somebody set it."""
        table: Any = self.settings
        *tables, name = key.split(".")
        for part in tables:
            if part not in table.model_fields_set:
                return None
            table = getattr(table, part)
        return getattr(table, name) if name in table.model_fields_set else None

    def first(self, *keys: str) -> tuple[str, Any]:
        """The first of these keys that was set, else the default of the last."""
        for key in keys:
            if (value := self.said(key)) is not None:
                return key, value
        return keys[-1], value_of(self.settings, keys[-1])

    def cycles(self) -> tuple[str, int]:
        for key in (self.own(CYCLES), DEFAULT_CYCLES, "limits.cycles"):
            if (value := self.said(key)) is not None:
                return key, value
        fixes = self.said("limits.fixes")
        return self.first(DEFAULT_CYCLES) if fixes is None else ("limits.fixes", fixes + 1)

    def seconds(self, role: Role) -> tuple[str, float]:
        name, general = _TIMES[role]
        for key in self._for_role(role, name, "timeout_minutes"):
            if (minutes := self.said(key)) is not None:
                return key, minutes * SECONDS
        return self.first(general)

    def model(self, role: Role) -> tuple[str, str] | None:
        for key in self._for_role(role, _MODELS[role], "model"):
            if (value := self.said(key)) is not None:
                return key, value
        general = self.said(MODEL)
        return None if general is None else (MODEL, general)

    def _for_role(self, role: Role, name: str, work: str) -> tuple[str, ...]:
        own = (self.own(name),)
        return (*own, self.own(work)) if _OWN_WORK.get(self.kind) is role else own
