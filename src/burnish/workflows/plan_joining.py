"""The plans of all batches as one, pure: groups renumbered, stages in which no two groups share a file."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace

from burnish.model.fixing import FixGroup, FixPlan, FixStage, PartialPlan, StageMode
from burnish.workflows.batching import NO_FILE


def join_plans(partials: Iterable[PartialPlan]) -> FixPlan:
    """Groups are G1, G2, ... in batch order; each stands in the earliest stage that it may stand in."""
    ordered = sorted(partials, key=lambda partial: partial.batch)
    usable = [partial for partial in ordered if not partial.failed]
    schedule = _Schedule()
    for partial in usable:
        schedule.add(partial)
    return FixPlan(
        groups=tuple(schedule.groups),
        stages=schedule.stages(),
        failed_batches=tuple(partial.batch for partial in ordered if partial.failed),
        degraded_batches=tuple(partial.batch for partial in usable if partial.degraded),
    )


class _Schedule:
    """Puts group after group at a level: after what it depends on, and after whoever shares a file."""

    def __init__(self) -> None:
        self.groups: list[FixGroup] = []
        self._levels: dict[str, int] = {}
        self._busy: dict[str, int] = defaultdict(int)
        self._why: dict[int, list[str]] = defaultdict(list)

    def add(self, partial: PartialPlan) -> None:
        renamed = {
            group.id: f"G{number}" for number, group in enumerate(partial.groups, len(self.groups) + 1)
        }
        local = {group.id: group for group in partial.groups}
        # The numbers go by the planner's order of groups, the levels by its stages.
        self.groups += [replace(group, id=renamed[group.id]) for group in partial.groups]
        last = 0
        for stage in partial.stages:
            # A planner's stages follow each other, whatever they say they depend on.
            after = last
            for name in stage.groups:
                level = self._place(local[name], renamed[name], after)
                last = max(last, level)
                if stage.mode is StageMode.SERIAL:
                    after = level
                if stage.rationale and stage.rationale not in self._why[level]:
                    self._why[level].append(stage.rationale)

    def _place(self, group: FixGroup, name: str, after: int) -> int:
        files = group.files or (NO_FILE,)
        level = 1 + max([after, *(self._busy[file] for file in files)])
        self._levels[name] = level
        for file in files:
            self._busy[file] = level
        return level

    def stages(self) -> tuple[FixStage, ...]:
        levels: dict[int, list[str]] = defaultdict(list)
        for group in self.groups:
            levels[self._levels[group.id]].append(group.id)
        return tuple(
            FixStage(
                number,
                tuple(levels[number]),
                StageMode.PARALLEL if len(levels[number]) > 1 else StageMode.SERIAL,
                depends_on=(number - 1,) if number > 1 else (),
                rationale="; ".join(self._why[number][:3]),
            )
            for number in sorted(levels)
        )
