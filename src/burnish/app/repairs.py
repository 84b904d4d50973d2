"""What `burnish doctor --fix` does: remove what processes of ours left that are gone, and nothing else."""

from __future__ import annotations

import os
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from burnish.app.agent_trial import FOLDER as TRIALS
from burnish.app.place import Place, find_place, state_folder
from burnish.errors import BurnishError
from burnish.git.files import remove_folder
from burnish.git.index_lock import Note
from burnish.model.run_view import RunState, RunView
from burnish.store.database import open_database
from burnish.store.leases import this_process
from burnish.store.queries import list_runs

# A landing that was cut short notes its locks here (git/forwarding.py).
NOTE = "forwarding"


@dataclass(frozen=True)
class Leftover:
    """A folder of ours; with a `note`, a lock of the user's index that the note knows as ours."""

    path: Path
    what: str
    note: Note | None = None


async def repair() -> list[str]:
    """What was done, a sentence each."""
    try:
        place = await find_place()
    except BurnishError:
        return []
    done = []
    for left in leftovers(place):
        if left.note is not None:
            left.note.sweep(left.path)
        else:
            remove_folder(left.path)
        if not left.path.exists():
            done.append(f"removed {left.what}: {left.path}")
    return done


def leftovers(place: Place) -> tuple[Leftover, ...]:
    """What may go: nothing of a run that could go on, because a killed writer's draft is in its checkout."""
    with closing(open_database(place.database)) as database:
        views = list_runs(database, this_process())
    ended = [view for view in views if view.state is RunState.FINISHED]
    return (*_trials(place), *_checkouts(place, ended), *_locks(place, views))


def _trials(place: Place) -> list[Leftover]:
    found = (state_folder(place.environ) / TRIALS).glob("t-*")
    return [
        Leftover(path, "a scratch repository of `burnish agents test`")
        for path in sorted(found)
        if not _alive(path.name.split("-")[1])
    ]


def _checkouts(place: Place, ended: list[RunView]) -> list[Leftover]:
    return [
        Leftover(path, f"a checkout of the ended run {view.id}")
        for view in ended
        for path in sorted((place.run_folder(view.id) / "workspaces").glob("*"))
    ]


def _locks(place: Place, views: tuple[RunView, ...]) -> list[Leftover]:
    """Ours by its inode, of a process that is gone, before it had begun to change files of the user's."""
    lock = place.repository.git_dir / "index.lock"
    notes = [
        note
        for view in views
        if not view.live and (note := Note(place.run_folder(view.id) / NOTE)).owns(lock) and not note.begun
    ]
    return [Leftover(lock, "our lock on the index of the checkout", note) for note in notes[:1]]


def _alive(pid: str) -> bool:
    try:
        os.kill(int(pid), 0)
    except (ValueError, ProcessLookupError):
        return False
    except PermissionError:
        return True
    return True
