"""Checkouts that a killed process left: what a writer had written there is kept and named, then they go."""

from __future__ import annotations

from contextlib import suppress

from burnish.errors import WorkspaceError
from burnish.git.workspaces import Workspaces
from burnish.ports import Run


async def clear_away(workspaces: Workspaces, run: Run) -> None:
    for left in await workspaces.leftovers():
        if left.of_writer:
            # A checkout that was never filled, or is beyond reading, has nothing to keep.
            with suppress(WorkspaceError):
                tree = (await left.snapshot()).tree
                if tree != left.start:
                    ref = await workspaces.keep(tree, left.folder.name)
                    await run.note(f"kept/{ref}", f"unfinished work of a killed step is kept under {ref}")
        await left.remove()
