"""The user's checkout as it is, uncommitted work included: read through an index of ours, never theirs."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

from burnish.errors import WorkspaceError
from burnish.git.call import Git, Place
from burnish.git.files import trouble_told
from burnish.git.filters import filter_of, judge_contents
from burnish.git.listing import GITLINK, Listing, Sorter, Tracked, list_files, list_index, named
from burnish.git.repository import Repository
from burnish.git.run_store import RunStore
from burnish.git.settings import TREE_FLAGS
from burnish.git.snapshot import Rules, put_back, update_index, write_tree
from burnish.git.trees import ABSENT, deltas
from burnish.git.user_settings import Treatment, treatment
from burnish.model.change import Snapshot


class UserTree:
    """Objects go into the run's store; nothing is written anywhere else."""

    def __init__(
        self, repository: Repository, store: RunStore, rules: Rules | None = None, index: str = "user.index"
    ) -> None:
        self.repository = repository
        self.store = store
        self._git: Git = repository.git
        self._max_file_bytes = (rules or Rules()).max_file_bytes
        self.index: Path = store.folder / index
        self._known: Snapshot | None = None
        self._theirs: tuple[tuple[int, ...], tuple[Tracked, ...]] = ((), ())

    async def is_dirty(self) -> bool:
        """Whether a snapshot would be anything else than HEAD."""
        snapshot = await self.snapshot()
        return snapshot.tree != await self.repository.tree(self.repository.head)

    async def snapshot(self) -> Snapshot:
        """Tracked, staged and untracked work. Afterwards `index` holds it, with the dates of the files."""
        with trouble_told("taking a snapshot of your files"):
            self._known = None
            self._known = await self._snapshot()
            return self._known

    async def snapshot_again(self) -> Snapshot:
        """As `snapshot`, quicker: only what git sees a difference in since the last one is read again.

        Nobody else may have used `index` meanwhile. A file that became ignored since then is still taken.
        """
        if self._known is None:
            return await self.snapshot()
        with trouble_told("taking a snapshot of your files"):
            known, self._known = self._known, None
            self._known = await self._snapshot(known)
            return self._known

    async def _snapshot(self, known: Snapshot | None = None) -> Snapshot:
        how = await treatment(self.repository)
        place = self._place(how)
        if known is None:
            await self._have_head()
            for leftover in (self.index, self.index.with_name(f"{self.index.name}.lock")):
                leftover.unlink(missing_ok=True)
            await self._git("read-tree", self.repository.head, at=place)
        theirs, ours = await asyncio.gather(
            self._their_index(), list_files(self._git, place, how.excludes, changed=known is not None)
        )
        listing = _joined(ours, theirs)
        root = self.repository.root
        found = await asyncio.to_thread(Sorter(root, self._max_file_bytes).sort, listing)
        absent = {entry.path for entry in theirs if entry.tag == b"S"}
        found.remove = [path for path in found.remove if path not in absent]
        await update_index(self._git, place, found)
        moved = await self._take_submodules(place, ours.tracked, theirs)
        if known and not (found.take or found.remove or moved):
            return known
        tree = await self._leave_unstorable(place, found.dropped)
        conflicts = {entry.path: "has a merge conflict" for entry in theirs if entry.stage}
        return Snapshot(tree, named(found.dropped), named(conflicts))

    async def place(self) -> Place:
        """The user's files, read with our git directory and index and their line endings."""
        return self._place(await treatment(self.repository))

    async def filters(self, paths: list[bytes]) -> dict[bytes, str]:
        """Path -> content filter, as the user's own git would see it (.git/info/attributes included)."""
        if not paths:
            return {}
        place = replace(await self.place(), git_dir=self.repository.git_dir, index=None)
        return await filter_of(self._git, place, paths)

    def _place(self, how: Treatment) -> Place:
        return self.store.place.at(self.repository.root, self.index, (*TREE_FLAGS, *how.flags))

    async def _have_head(self) -> None:
        """HEAD may have moved since the run was begun."""
        head, mirror = self.repository.head, self.store.mirror
        if (await self._git.ask("cat-file", "-e", f"{head}^{{tree}}", at=self.store.place)).code:
            await mirror.pin(head, self.store.folder.name)

    async def _their_index(self) -> tuple[Tracked, ...]:
        """Read again only when its file is another one: git never writes an index in place."""
        stamp = _stamp(self.repository.git_dir / "index")
        if stamp and stamp == self._theirs[0]:
            return self._theirs[1]
        try:
            self._theirs = (stamp, await list_index(self._git, self.repository.place))
            return self._theirs[1]
        except WorkspaceError as error:
            raise WorkspaceError(
                f"the index of {self.repository.root} cannot be read: {error.message}",
                hint="`git status` there tells more",
            ) from None

    async def _take_submodules(
        self, place: Place, ours: tuple[Tracked, ...], theirs: tuple[Tracked, ...]
    ) -> bool:
        """A submodule is at the commit the user staged; nobody looks into its folder."""
        known = {(entry.path, entry.object) for entry in ours}
        moved = [
            b"%s %s 0\t%s\0" % (GITLINK, entry.object.encode(), entry.path)
            for entry in theirs
            if entry.mode == GITLINK and not entry.stage and (entry.path, entry.object) not in known
        ]
        if moved:
            await self._git(
                "update-index", "--add", "--replace", "-z", "--index-info", at=place, stdin=b"".join(moved)
            )
        return bool(moved)

    async def _leave_unstorable(self, place: Place, dropped: dict[bytes, str]) -> str:
        """The tree, with files whose contents git would not store as they are left as HEAD has them."""
        head = self.repository.head
        tree = await write_tree(self._git, place)
        changed = [delta for delta in await deltas(self._git, place, head, tree) if delta.mode != ABSENT]
        filters = await self.filters([delta.path for delta in changed])
        verdicts = await asyncio.to_thread(
            judge_contents, self.repository.root, changed, filters, self.repository.object_format
        )
        dropped |= verdicts.dropped
        return await put_back(self._git, place, verdicts.undo) if verdicts.undo else tree


def _stamp(path: Path) -> tuple[int, ...]:
    try:
        info = path.stat()
    except OSError:
        return ()
    return info.st_ino, info.st_size, info.st_mtime_ns, info.st_ctime_ns


def _joined(ours: Listing, theirs: tuple[Tracked, ...]) -> Listing:
    """Ours is HEAD and what lies beside it; theirs adds what was staged by force though it is ignored."""
    known = {entry.path for entry in ours.tracked} | set(ours.others)
    staged = [entry.path for entry in theirs if entry.path not in known and entry.mode != GITLINK]
    submodules = {entry.path + b"/" for entry in theirs if entry.mode == GITLINK}
    beside = [path for path in ours.others if path not in submodules]
    return Listing(ours.tracked, (*beside, *dict.fromkeys(staged)), ours.changed)
