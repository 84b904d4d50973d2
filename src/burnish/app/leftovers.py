"""Checkouts that a killed process left: what a writer had written there is kept and named, then they go."""

from __future__ import annotations

from contextlib import suppress

from burnish.errors import WorkspaceError
from burnish.git.workspaces import Workspaces
from burnish.model.step import Role
from burnish.ports import Run

WRITERS = (Role.IMPLEMENT, Role.FIX)


async def clear_away(workspaces: Workspaces, run: Run) -> None:
    for left in await workspaces.leftovers():
        if any(f"-{role}" in left.folder.name for role in WRITERS):
            # A checkout that was never filled, or is beyond reading, has nothing to keep.
            with suppress(WorkspaceError):
                ref = await workspaces.keep((await left.snapshot()).tree, left.folder.name)
                await run.note(f"kept/{ref}", f"unfinished work of a killed step is kept under {ref}")
        await left.remove()
