"""Taking back one group of a finished fix session, leaving all the others."""

from __future__ import annotations

from dataclasses import replace

from burnish.errors import UsageError, WorkspaceError
from burnish.model.fixing import GroupResult
from burnish.ports import Workspaces
from burnish.workflows.fix_crew import Standing
from burnish.workflows.fix_outcome import FixOutcome
from burnish.workflows.line import lay, taken_back

ON_REQUEST = "on request"


async def rollback_group(workspaces: Workspaces, outcome: FixOutcome, group_id: str) -> FixOutcome:
    """The outcome with a line of commits that never had this group. Only objects are made; no ref moves.

    Refused when a later group changed the same files: what it did rests on this one.
    """
    line = [group for stage in outcome.stages for group in stage.groups]
    place = next((at for at, group in enumerate(line) if group.group == group_id), None)
    if place is None or not line[place].kept:
        raise UsageError(
            f"expected a group with fixes on the line, found none called {group_id!r}.",
            hint=f"groups: {', '.join(group.group for group in line if group.kept) or 'none'}",
        )
    own = _files(line[place])
    for later in line[place + 1 :]:
        if shared := own & _files(later):
            raise UsageError(
                f"group {group_id} cannot be rolled back: {later.group} changed {min(shared)} after it.",
                hint=f"roll back {later.group} first",
            )
    start = Standing(outcome.start, outcome.start_tree)
    wanted = [taken_back(group, ON_REQUEST) if group.group == group_id else group for group in line]
    standing, laid = await lay(workspaces, start, wanted)
    lost = [new for old, new in zip(wanted, laid, strict=True) if new.rolled_back and not old.rolled_back]
    if lost:
        raise WorkspaceError(
            f"group {group_id} cannot be rolled back: {lost[0].group} rests on it ({lost[0].rolled_back}).",
            hint=f"roll back {lost[0].group} first",
        )
    done = {group.group: group for group in laid}
    return replace(
        outcome,
        commit=standing.commit,
        tree=standing.tree,
        groups=tuple(done.get(group.group, group) for group in outcome.groups),
        stages=tuple(
            replace(stage, groups=tuple(done[group.group] for group in stage.groups))
            for stage in outcome.stages
        ),
    )


def _files(group: GroupResult) -> set[str]:
    return {file for fix in group.kept for file in fix.files}
