"""What a user does: orders to Burnish, each in a process of its own, and everyday work with git."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from burnish.app.archive import Archive
from burnish.app.place import find_place
from burnish.model.events import Recorded
from burnish.model.run_view import RunView
from burnish.store.database import open_database
from tests.e2e.bench import PROCESSES
from tests.model.child import Order, carry_out
from tests.repos import TestRepo

PATIENCE_S = 60


@dataclass(frozen=True)
class Answer:
    """How an order ended: `code` is negative for a killed process."""

    code: int
    said: str


class Errand:
    """An order being carried out."""

    def __init__(self, order: Order) -> None:
        self._reader, writer = PROCESSES.Pipe(duplex=False)
        self.process: BaseProcess = PROCESSES.Process(target=carry_out, args=(order, writer))
        self.process.start()
        writer.close()

    def until(self, marker: Path) -> bool:
        """Whether the marker appeared before the process ended."""
        deadline = time.monotonic() + PATIENCE_S
        while not marker.exists():
            if not self.process.is_alive():
                return False
            assert time.monotonic() < deadline, f"neither {marker} nor an end after {PATIENCE_S} s"
            time.sleep(0.01)
        return True

    def end(self, within_s: float = PATIENCE_S) -> Answer:
        if not self._reader.poll(within_s):
            self.process.kill()
            self.process.join()
            raise AssertionError(f"the order was not carried out within {within_s} s")
        try:
            code, said = self._reader.recv()
        except EOFError:
            code, said = None, ""
        self.process.join()
        self._reader.close()
        return Answer(self.process.exitcode if code is None else code, said)


@dataclass(frozen=True)
class Shown:
    """What `burnish runs` is made from."""

    views: dict[str, RunView]
    events: dict[str, tuple[Recorded, ...]]


def shown(repo: TestRepo, state: Path) -> Shown:
    async def ask() -> Shown:
        place = await find_place(repo.path, {"BURNISH_STATE": str(state)})
        if not place.database.exists():
            return Shown({}, {})
        with closing(open_database(place.database)) as database:
            archive = Archive(place, database)
            views = await archive.looked_at(*archive.runs())
            return Shown(
                {view.id: view for view in views}, {view.id: archive.events(view.id) for view in views}
            )

    return asyncio.run(ask())


def _append(repo: TestRepo, name: str) -> None:
    path = repo.path / name
    path.write_bytes((path.read_bytes() if path.exists() else b"") + b"mine\n")


def _commit_on(repo: TestRepo, branch: str, name: str) -> None:
    """The user works on with a branch that is not checked out."""
    blob = repo.git("hash-object", "-w", "--stdin", stdin=b"mine\n")
    listed = repo.git("ls-tree", "-r", branch).splitlines()
    kept = [line for line in listed if line.partition("\t")[2] != name and "/" not in line.partition("\t")[2]]
    tree = repo.git("mktree", stdin="\n".join([*kept, f"100644 blob {blob}\t{name}", ""]).encode())
    commit = repo.git("commit-tree", "-p", branch, "-m", "mine", tree)
    repo.git("update-ref", f"refs/heads/{branch}", commit)


# Each takes the repository; together they are what a user does between and during runs.
EDITS: dict[str, Callable[[TestRepo], Any]] = {
    "edit a tracked file": lambda repo: _append(repo, "app.py"),
    "edit another tracked file": lambda repo: _append(repo, "lib.py"),
    "add an untracked file": lambda repo: _append(repo, "notes.txt"),
    "delete the untracked file": lambda repo: (repo.path / "notes.txt").unlink(missing_ok=True),
    "put a tracked file back": lambda repo: repo.git("checkout", "-q", "HEAD", "--", "app.py"),
    "stage": lambda repo: repo.git("add", "-A"),
    "commit what is staged": lambda repo: repo.git("commit", "-q", "--allow-empty", "-m", "mine"),
    "commit all": lambda repo: repo.commit("mine"),
    "stash": lambda repo: repo.git("stash", "-q"),
    "move to another branch": lambda repo: repo.git("checkout", "-q", "-B", "other"),
    "collect garbage": lambda repo: repo.git("gc", "-q", "--prune=now"),
}

# Each takes the repository and the name of a branch that a run landed or may land.
DISTURBANCES: dict[str, Callable[[TestRepo, str], Any]] = {
    "take its name": lambda repo, branch: repo.git("branch", branch, check=False),
    "take its folder's name": lambda repo, branch: repo.git("branch", branch.split("/")[0], check=False),
    "delete it": lambda repo, branch: repo.git("branch", "-q", "-D", branch, check=False),
    "work on in a reviewed file": lambda repo, branch: _commit_on(repo, branch, "app.py"),
    "work on in another file": lambda repo, branch: _commit_on(repo, branch, "mine.txt"),
    "merge it": lambda repo, branch: repo.git("merge", "-q", "--ff-only", branch, check=False),
}
