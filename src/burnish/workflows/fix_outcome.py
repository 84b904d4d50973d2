"""What came of a fix session: every finding exactly once, the line of commits, and what it rests on."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

from burnish.model.agent import Usage
from burnish.model.fixing import Batch, FindingFix, FixPlan, FixResult, GroupResult, StageResult
from burnish.workflows.fix_crew import FixTask

NOT_REACHED = "not reached"


@dataclass(frozen=True)
class FixOutcome:
    """`groups` in the plan's order; `unplanned` are findings whose batch has no plan.

    `partial` says what is missing where not every group came to an end.
    """

    start: str
    start_tree: str
    commit: str
    tree: str
    plan: FixPlan = FixPlan()
    groups: tuple[GroupResult, ...] = ()
    stages: tuple[StageResult, ...] = ()
    unplanned: tuple[FindingFix, ...] = ()
    partial: str = ""

    @property
    def fixes(self) -> tuple[FindingFix, ...]:
        """What came of each finding."""
        return (*(fix for group in self.groups for fix in group.fixes), *self.unplanned)

    @property
    def line(self) -> tuple[FindingFix, ...]:
        """The fixes that were kept, in the order of their commits."""
        return tuple(fix for stage in self.stages for group in stage.groups for fix in group.kept)

    @property
    def counts(self) -> dict[FixResult, int]:
        count = Counter(fix.result for fix in self.fixes)
        return {result: count[result] for result in FixResult}

    @property
    def fixed(self) -> int:
        return self.counts[FixResult.FIXED]

    @property
    def failed(self) -> int:
        return self.counts[FixResult.FAILED]

    @property
    def not_fixable(self) -> int:
        return self.counts[FixResult.NOT_FIXABLE]

    @property
    def already_gone(self) -> int:
        return self.counts[FixResult.ALREADY_GONE]

    @property
    def complete(self) -> bool:
        """Nothing is left: every finding was fixed, or was gone already."""
        return self.fixed + self.already_gone == len(self.fixes)

    @property
    def verified_by(self) -> tuple[str, ...]:
        """Everything that the word fixed rests on, once each."""
        return tuple(dict.fromkeys(fix.verified_by for fix in self.fixes if fix.fixed))

    @property
    def spent(self) -> Usage:
        """What the fixers cost; not called `usage`, because each attempt was already counted by its step."""
        total = Usage()
        for fix in self.fixes:
            total += fix.usage
        return total


async def sum_up(
    task: FixTask, plan: FixPlan, batches: tuple[Batch, ...], stages: tuple[StageResult, ...]
) -> FixOutcome:
    return outcome_of(task, plan, batches, stages)


def outcome_of(
    task: FixTask, plan: FixPlan, batches: tuple[Batch, ...], stages: tuple[StageResult, ...]
) -> FixOutcome:
    """Also of a session that was cut short: groups without a result are said to be missing, not left out."""
    known = {result.group: result for stage in stages for result in stage.groups}
    groups, missing = [], []
    for group in plan.groups:
        result = known.get(group.id)
        if result is None:
            missing.append(group.id)
            result = GroupResult(group.id, failed=NOT_REACHED)
        told = {fix.finding_id for fix in result.fixes}
        silent = tuple(
            _lost(name, result.failed or NOT_REACHED) for name in group.findings if name not in told
        )
        groups.append(replace(result, fixes=(*result.fixes, *silent)))
    planned = {name for group in plan.groups for name in group.findings}
    unplanned = [finding for batch in batches for finding in batch.findings if finding.id not in planned]
    last = stages[-1] if stages else None
    return FixOutcome(
        start=task.start,
        start_tree=task.start_tree,
        commit=last.commit if last else task.start,
        tree=last.tree if last else task.start_tree,
        plan=plan,
        groups=tuple(groups),
        stages=stages,
        unplanned=tuple(_lost(finding.id, "its batch could not be planned") for finding in unplanned),
        partial=f"no result of {', '.join(missing)}" if missing else "",
    )


def _lost(finding_id: str, why: str) -> FindingFix:
    return FindingFix(finding_id, FixResult.FAILED, error=why)
