"""One private checkout: what an agent works in, with a git directory of its own that we never look at."""

from __future__ import annotations

import asyncio
import itertools
import shutil
from pathlib import Path

from burnish.errors import WorkspaceError
from burnish.git.call import Place
from burnish.git.files import empty_folder, read_small, remove_folder, trouble_told, write_atomically
from burnish.git.layout import borrow_shallow, lay_out
from burnish.git.names import slug
from burnish.git.run_store import RunStore
from burnish.git.settings import TREE_FLAGS
from burnish.git.snapshot import Rules, take_snapshot
from burnish.model.change import Snapshot
from burnish.model.step import Role

BRANCH = "work"
WRITERS = (Role.IMPLEMENT, Role.FIX)


class Checkout:
    """A folder with the checkout in `tree/`, and beside it, out of the agent's way, the index we trust."""

    def __init__(self, store: RunStore, folder: Path, base: str, rules: Rules) -> None:
        self._store = store
        self._base = base
        self._rules = rules
        self.folder = folder

    @property
    def path(self) -> Path:
        return self.folder / "tree"

    @property
    def label(self) -> str:
        return self.folder.name.partition("-")[2]

    @property
    def of_writer(self) -> bool:
        """Whether it was opened for a step that may write."""
        return any(f"-{role}" in self.folder.name for role in WRITERS)

    @property
    def start(self) -> str:
        """The tree it was filled with; empty when it never was."""
        return (read_small(self.folder / "start") or b"").decode("ascii", "replace")

    async def fill(self, tree: str) -> None:
        """The files of a tree, on a branch of one commit after the base, so that git works in there."""
        with trouble_told("making a workspace"):
            self.path.mkdir(parents=True, exist_ok=True)
            await self._checkout(tree)
            commit = await self._commit(tree)
            await self._give_git(commit)
            (self.folder / "commit").write_text(commit, "ascii")
            write_atomically(self.folder / "start", tree.encode())

    async def _commit(self, tree: str) -> str:
        store = self._store
        if tree == await store.tree(self._base):
            return self._base
        return await store.commit(tree, self._base, "Where this step starts")

    async def _give_git(self, commit: str) -> None:
        """A git directory of its own, with the objects of its commit that the mirror does not have."""
        store, git_dir = self._store, self.path / ".git"
        lay_out(git_dir, store.object_format, borrow=(store.mirror.objects,), owner=store.identity)
        borrow_shallow(store.git_dir, git_dir)
        if commit != self._base:
            # Copies: through a link an agent could write into what the next workspace gets.
            for path in await store.packed(commit, self._base):
                await asyncio.to_thread(shutil.copy, path, git_dir / "objects/pack")
        (git_dir / "refs/heads" / BRANCH).write_text(f"{commit}\n", "ascii")
        (git_dir / "refs/heads/base").write_text(f"{self._base}\n", "ascii")
        shutil.copy2(self._index, git_dir / "index")

    async def snapshot(self) -> Snapshot:
        """The tree as it is on disk now. Whatever became of the checkout's own .git does not matter."""
        start = self.start
        if not start or not self.path.is_dir() or self.path.is_symlink():
            raise WorkspaceError(
                f"the workspace {self.folder.name} is gone or was never complete.", hint="resume the run"
            )
        copy = self.folder / "index.snapshot"
        with trouble_told("taking a snapshot of a workspace"):
            (self.folder / "index.snapshot.lock").unlink(missing_ok=True)
            # With its time: git trusts a file's date only when it is older than the index.
            await asyncio.to_thread(shutil.copy2, self._index, copy)
            self.path.chmod(0o700)
            return await take_snapshot(self._store.git, self._place(copy), start, self._rules)

    async def restore(self, tree: str) -> None:
        """Exactly this tree and nothing else: everything an agent left, ignored files too, is gone."""
        with trouble_told("restoring a workspace"):
            (self.folder / "start").unlink(missing_ok=True)
            await asyncio.to_thread(_start_over, self.path)
        await self.fill(tree)

    async def remove(self) -> None:
        await asyncio.to_thread(remove_folder, self.folder)

    @property
    def _index(self) -> Path:
        return self.folder / "index"

    def _place(self, index: Path) -> Place:
        return self._store.place.at(self.path, index, TREE_FLAGS)

    async def _checkout(self, tree: str) -> None:
        for leftover in (self._index, self._index.with_name("index.lock")):
            leftover.unlink(missing_ok=True)
        await self._store.git("read-tree", "-m", "-u", tree, at=self._place(self._index))


def _start_over(root: Path) -> None:
    if root.is_symlink() or not root.is_dir():
        root.unlink(missing_ok=True)
    else:
        empty_folder(root)


def new_folder(parent: Path, label: str) -> Path:
    """A folder nobody has yet, named by a number and the label."""
    parent.mkdir(parents=True, exist_ok=True)
    numbers = [path.name.partition("-")[0] for path in parent.iterdir()]
    taken = [int(number) for number in numbers if number.isdigit()]
    for number in itertools.count(max(taken, default=0) + 1):
        folder = parent / f"{number}-{slug(label)}"
        try:
            folder.mkdir()
        except FileExistsError:
            continue
        return folder
    raise AssertionError
