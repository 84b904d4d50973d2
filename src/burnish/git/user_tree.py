"""The user's checkout as it is, uncommitted work included: read through an index of ours, never theirs."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from pathlib import Path

from burnish.errors import WorkspaceError
from burnish.git.call import Git, Place
from burnish.git.filters import filter_of, judge_contents
from burnish.git.identity import user_file, user_settings
from burnish.git.listing import GITLINK, Listing, Sorter, Tracked, list_files, named
from burnish.git.repository import Repository
from burnish.git.run_store import RunStore
from burnish.git.settings import TREE_FLAGS
from burnish.git.snapshot import Rules, update_index
from burnish.git.trees import ABSENT, deltas
from burnish.model.change import Snapshot

# How the user's files on disk relate to what git stores. Their values are words, checked below.
_FLAGS = {
    "core.autocrlf": ("true", "false", "input"),
    "core.eol": ("lf", "crlf", "native"),
    "core.filemode": ("true", "false"),
    "core.symlinks": ("true", "false"),
}


@dataclass(frozen=True)
class Checkout:
    """How the user's files are to be read: where, with which settings and ignore files."""

    place: Place
    rules: Rules


class UserTree:
    """Needs HEAD pinned in the mirror of `store`; objects go there, and nothing is written anywhere else."""

    def __init__(self, repository: Repository, store: RunStore, rules: Rules | None = None) -> None:
        self.repository = repository
        self.store = store
        self._git: Git = repository.git
        self._max_file_bytes = (rules or Rules()).max_file_bytes

    @property
    def index(self) -> Path:
        return self.store.folder / "user.index"

    async def is_dirty(self) -> bool:
        """Whether a snapshot would be anything else than HEAD."""
        snapshot = await self.snapshot()
        return snapshot.tree != await self.repository.tree(self.repository.head)

    async def excludes(self) -> tuple[Path, ...]:
        """The user's own ignore files, the weaker first."""
        settings = await user_settings(self._git, self.repository.place)
        theirs = user_file(settings, "core.excludesfile", "ignore", self.repository.root)
        info = self.repository.common_dir / "info" / "exclude"
        return tuple(path for path in (theirs, info) if path and path.is_file())

    async def snapshot(self) -> Snapshot:
        """Tracked, staged and untracked work. Afterwards `index` holds it, with the dates of the files."""
        head = self.repository.head
        checkout = await self.reading()
        for leftover in (self.index, self.index.with_name(f"{self.index.name}.lock")):
            leftover.unlink(missing_ok=True)
        await self._git("read-tree", head, at=checkout.place)
        theirs = await self._their_index()
        ours = await list_files(self._git, checkout.place, checkout.rules.excludes)
        listing = _joined(ours, theirs)
        root = self.repository.root
        found = await asyncio.to_thread(Sorter(root, self._max_file_bytes).sort, listing)
        absent = {entry.path for entry in theirs if entry.tag == b"S"}
        found.remove = [path for path in found.remove if path not in absent]
        await update_index(self._git, checkout.place, found)
        await self._take_submodules(checkout.place, ours.tracked, theirs)
        tree = await self._leave_unstorable(checkout.place, found.dropped)
        conflicts = {entry.path: "has a merge conflict" for entry in theirs if entry.stage}
        return Snapshot(tree, named(found.dropped), named(conflicts))

    async def reading(self) -> Checkout:
        settings = await user_settings(self._git, self.repository.place)
        theirs = tuple(
            f"{key}={settings[key].lower()}"
            for key, words in _FLAGS.items()
            if settings.get(key, "").lower() in words
        )
        attributes = user_file(settings, "core.attributesfile", "attributes", self.repository.root)
        flags = (*TREE_FLAGS, *theirs, *((f"core.attributesFile={attributes}",) if attributes else ()))
        place = self.store.place.at(self.repository.root, self.index, flags)
        return Checkout(place, Rules(await self.excludes(), self._max_file_bytes))

    async def filters(self, paths: list[bytes]) -> dict[bytes, str]:
        """Path -> content filter, as the user's own git would see it (.git/info/attributes included)."""
        checkout = await self.reading()
        place = replace(self.repository.place, work_tree=self.repository.root, flags=checkout.place.flags)
        return await filter_of(self._git, place, paths)

    async def _their_index(self) -> tuple[Tracked, ...]:
        try:
            listing = await list_files(self._git, self.repository.place, (), others=False)
        except WorkspaceError as error:
            raise WorkspaceError(
                f"the index of {self.repository.root} cannot be read: {error.message}",
                hint="`git status` there tells more",
            ) from None
        return listing.tracked

    async def _take_submodules(
        self, place: Place, ours: tuple[Tracked, ...], theirs: tuple[Tracked, ...]
    ) -> None:
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

    async def _leave_unstorable(self, place: Place, dropped: dict[bytes, str]) -> str:
        """The tree, with files whose contents git would not store as they are left as HEAD has them."""
        head = self.repository.head
        tree = (await self._git("write-tree", at=place)).decode().strip()
        changed = [delta for delta in await deltas(self._git, place, head, tree) if delta.mode != ABSENT]
        if not changed:
            return tree
        filters = await self.filters([delta.path for delta in changed])
        verdicts = await asyncio.to_thread(
            judge_contents, self.repository.root, changed, filters, self.repository.object_format
        )
        if not verdicts.undo:
            return tree
        dropped |= verdicts.dropped
        zero = self.repository.zero
        lines = [
            b"%s %s\t%s\0"
            % (delta.old_mode.replace(ABSENT, b"0"), (delta.old_object or zero).encode(), delta.path)
            for delta in verdicts.undo
        ]
        await self._git("update-index", "-z", "--index-info", at=place, stdin=b"".join(lines))
        return (await self._git("write-tree", at=place)).decode().strip()


def _joined(ours: Listing, theirs: tuple[Tracked, ...]) -> Listing:
    """Ours is HEAD and what lies beside it; theirs adds what was staged by force though it is ignored."""
    known = {entry.path for entry in ours.tracked} | set(ours.others)
    staged = [entry.path for entry in theirs if entry.path not in known and entry.mode != GITLINK]
    submodules = {entry.path + b"/" for entry in theirs if entry.mode == GITLINK}
    beside = [path for path in ours.others if path not in submodules]
    return Listing(ours.tracked, (*beside, *dict.fromkeys(staged)))
