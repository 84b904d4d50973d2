"""A run whose own folder was deleted goes on from what the user's repository has of it, or says it cannot."""

from __future__ import annotations

from burnish.app.place import Place
from burnish.errors import UsageError, WorkspaceError
from burnish.git.mirror import Mirror
from burnish.git.run_store import RunStore
from burnish.git.workspaces import Workspaces
from burnish.model.change import Change
from burnish.model.events import StepFinished
from burnish.model.task import Task
from burnish.store.database import Database
from burnish.store.queries import run_events, run_steps


async def restore_line(workspaces: Workspaces, database: Database, run_id: str, task: Task) -> None:
    """Let the run's line be where its journal says, when its folder was made anew; raises WorkspaceError."""
    if await workspaces.head():
        return
    commit = last_commit(database, run_id) or task.start
    try:
        # Also the start may be a commit that only the deleted folder or a deleted mirror had.
        await workspaces.store.mirror.pin(commit, run_id)
    except (UsageError, WorkspaceError) as error:
        raise WorkspaceError(
            f"what run {run_id} had made is gone: its folder was deleted.",
            hint=f"a task starts over with `burnish retry {run_id}`, anything else with `burnish run`",
        ) from error
    await workspaces.begin(commit)


async def is_lost(place: Place, database: Database, run_id: str) -> bool:
    """Whether what a run recorded as done is nowhere any more, neither with us nor in the repository."""
    commit, mirror = last_commit(database, run_id), Mirror(place.repository, place.mirror)
    store = RunStore(mirror, place.run_folder(run_id), await place.repository.identity())
    # The folder alone says nothing: whoever tried to go on has made it anew.
    if not commit or (store.git_dir.is_dir() and await store.head()):
        return False
    try:
        await mirror.pin(commit, run_id)
    except (UsageError, WorkspaceError):
        return True
    return False


def last_commit(database: Database, run_id: str) -> str:
    """The newest commit that a step of the run recorded; empty when there is none."""
    kept = {step.key for step in run_steps(database, run_id)}
    for entry in reversed(run_events(database, run_id)):
        event = entry.event
        if (
            isinstance(event, StepFinished)
            and event.step.key in kept
            and event.result_type == Change.__name__
        ):
            return str(event.result["commit"])
    return ""
