"""The run's line of commits, laid from the fixes of groups that worked apart from each other."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from burnish.model.fixing import FindingFix, FixResult, GroupResult
from burnish.ports import Workspaces
from burnish.workflows.fix_crew import Standing


async def lay(
    workspaces: Workspaces, start: Standing, groups: Iterable[GroupResult]
) -> tuple[Standing, tuple[GroupResult, ...]]:
    """Every kept fix as a commit on the one before it, group after group; their names change with that.

    A group that changed what another one changed before it is taken back whole: nobody tested the mixture.
    """
    standing, laid = start, []
    for group in groups:
        end, result = await _lay_group(workspaces, standing, group)
        standing = end
        laid.append(result)
    return standing, tuple(laid)


async def _lay_group(
    workspaces: Workspaces, start: Standing, group: GroupResult
) -> tuple[Standing, GroupResult]:
    standing, fixes = start, []
    for fix in group.fixes:
        if group.rolled_back or not fix.fixed:
            fixes.append(fix)
            continue
        tree, contested = await workspaces.carry(standing.tree, fix.before, fix.tree)
        if contested:
            why = f"it changed {', '.join(contested[:3])}, which an earlier group had changed"
            return start, taken_back(group, why)
        commit = await workspaces.commit(tree, standing.commit, fix.message)
        fixes.append(replace(fix, before=standing.tree, tree=tree, commit=commit))
        standing = Standing(commit, tree, fix.gate)
    return standing, replace(group, fixes=tuple(fixes))


def taken_back(group: GroupResult, why: str) -> GroupResult:
    """The group without its fixes: what was fixed no longer is."""
    return replace(group, rolled_back=why, fixes=tuple(_undone(fix, why) for fix in group.fixes))


def _undone(fix: FindingFix, why: str) -> FindingFix:
    if not fix.fixed:
        return fix
    return replace(fix, result=FixResult.FAILED, commit="", verified_by="", error=f"rolled back: {why}")
