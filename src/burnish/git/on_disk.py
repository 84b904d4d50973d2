"""Which files of a checkout are not what a tree says: contents, links and executable bits."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from burnish.git.blobs import blob_hash, blob_name
from burnish.git.call import Place
from burnish.git.filters import filter_of
from burnish.git.repository import Repository
from burnish.git.settings import TREE_FLAGS
from burnish.git.snapshot import SYMLINK
from burnish.git.trees import ABSENT, Delta
from burnish.git.user_settings import treatment

_EXECUTABLE = b"100755"
_REGULAR = (b"100644", _EXECUTABLE)


@dataclass(frozen=True)
class Checkout:
    """`store` is a git directory of ours: it has no filters, so reading files runs nothing of the user's."""

    repository: Repository
    root: Path
    store: Path

    async def differing(self, wanted: Sequence[Delta]) -> list[bytes]:
        """Paths whose new side is not what is on disk; what a filter rewrites is never among them."""
        settings = await self.repository.settings()
        modes = settings.get("core.filemode", "true").lower() != "false"
        found = await asyncio.to_thread(lambda: [one for one in wanted if not self._is(one, modes=modes)])
        rewritten = await self._rewritten([one for one in found if one.mode in _REGULAR], modes=modes)
        return [one.path for one in found if one.path not in rewritten]

    def _is(self, delta: Delta, *, modes: bool) -> bool:
        path = self._path(delta)
        if delta.mode == ABSENT:
            return not os.path.lexists(path)
        if not os.path.lexists(path):
            return self._sparse()
        algorithm = self.repository.object_format
        if delta.mode == SYMLINK:
            target = os.readlink(os.fsencode(path)) if path.is_symlink() else None  # noqa: PTH115 - bytes
            # Where there are no links, git writes where one leads into a file.
            name = blob_name(path, algorithm) if target is None else blob_hash(algorithm, target)
            return name == delta.object
        if delta.mode not in _REGULAR:
            return True
        return self._mode_is(delta, modes=modes) and blob_name(path, algorithm) == delta.object

    def _mode_is(self, delta: Delta, *, modes: bool) -> bool:
        return not modes or bool(self._path(delta).lstat().st_mode & 0o100) == (delta.mode == _EXECUTABLE)

    def _sparse(self) -> bool:
        """Files that the user keeps out of a sparse checkout are not missing."""
        return (self.repository.git_dir / "info/sparse-checkout").is_file()

    def _path(self, delta: Delta) -> Path:
        return self.root / os.fsdecode(delta.path)

    async def _rewritten(self, found: Sequence[Delta], *, modes: bool) -> set[bytes]:
        """Those that differ only as the user's git writes files: line endings, and what has a filter."""
        asked = [
            one
            for one in found
            if blob_name(self._path(one), self.repository.object_format) and self._mode_is(one, modes=modes)
        ]
        asked = [one for one in asked if b"\n" not in one.path]
        if not asked or not self.store.is_dir():
            return set()
        git, how = self.repository.git, await treatment(self.repository)
        place = Place(self.store, work_tree=self.root, flags=(*TREE_FLAGS, *how.flags))
        names = b"\n".join([*(one.path for one in asked), b""])
        answer = await git.ask("hash-object", "--stdin-paths", at=place, stdin=names)
        stored = answer.out.decode().split() if answer.code == 0 else []
        same = {one.path for one, name in zip(asked, stored, strict=False) if name == one.object}
        theirs = Place(self.repository.git_dir, work_tree=self.root)
        return same | (await filter_of(git, theirs, [one.path for one in asked])).keys()
