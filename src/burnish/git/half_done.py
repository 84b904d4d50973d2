"""Taking back what a killed attempt wrote into the user's checkout, and nothing that anybody else wrote."""

from __future__ import annotations

import asyncio
import os
import stat
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from burnish.errors import NotApplied
from burnish.git.call import Place
from burnish.git.files import open_regular, trouble_told
from burnish.git.in_the_way import in_the_way
from burnish.git.names import shown
from burnish.git.on_disk import Checkout
from burnish.git.repository import Repository
from burnish.git.trees import ABSENT, Delta


class HalfDone:
    """`place` is the user's checkout with a git directory of ours and an index to throw away."""

    def __init__(self, repository: Repository, place: Place) -> None:
        assert place.git_dir and place.index
        self._git = repository.git
        self._root = repository.root
        self._place = place
        self._index = place.index
        self._disk = Checkout(repository, repository.root, place.git_dir)

    async def undo(self, old: str, changed: Sequence[Delta]) -> None:
        """Files that are as the attempt wrote them become as they were before it."""
        before = [_reversed(delta) for delta in changed]
        unlike_before = set(await self._disk.differing(before))
        unlike_after = set(await self._disk.differing([d for d in changed if d.path in unlike_before]))
        ours = [delta for delta in changed if delta.path in unlike_before]
        paths = {delta.path for delta in changed}
        for delta in ours:
            if delta.path in unlike_after and not await self._begun(delta, paths):
                raise NotApplied(
                    f"{shown(delta.path)} was changed after an attempt that did not finish.",
                    hint="commit, stash or restore that file, then try again",
                )
        with trouble_told("taking back what an interrupted attempt wrote"):
            await asyncio.to_thread(self._clear, [delta.path for delta in ours])
        back = [delta.path for delta in ours if delta.old_mode != ABSENT]
        self._index.unlink(missing_ok=True)
        if back:
            await self._git("read-tree", old, at=self._place)
            names = b"".join(path + b"\0" for path in back)
            await self._git("checkout-index", "-q", "-z", "--stdin", at=self._place, stdin=names)
            self._index.unlink(missing_ok=True)

    async def _begun(self, delta: Delta, paths: set[bytes]) -> bool:
        """Gone, the beginning of what was being written, or a folder with such files only."""
        path = self._path(delta.path)
        if not os.path.lexists(path):
            return True
        if stat.S_ISDIR(path.lstat().st_mode):
            return in_the_way(self._root, delta.path, paths) is None
        if delta.mode == ABSENT:
            return False
        whole = await self._git("cat-file", "blob", delta.object, at=replace(self._place, index=None))
        file = open_regular(path)
        if file is None:
            return False
        with file:
            return whole.startswith(file.read(len(whole) + 1))

    def _clear(self, paths: Sequence[bytes]) -> None:
        """Make room, folders that get empty included; git then writes only where nothing is."""
        for path in paths:
            where = self._path(path)
            if in_the_way(self._root, path, set()) != path or stat.S_ISDIR(where.lstat().st_mode):
                continue
            where.unlink()
            for folder in where.parents:
                if folder == self._root:
                    break
                with suppress(OSError):
                    folder.rmdir()

    def _path(self, path: bytes) -> Path:
        return self._root / os.fsdecode(path)


def _reversed(delta: Delta) -> Delta:
    return replace(
        delta, mode=delta.old_mode, object=delta.old_object, old_mode=delta.mode, old_object=delta.object
    )
