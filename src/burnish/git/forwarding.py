"""The branch of the user's own checkout moved on with its files and index, or all left as they are."""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import Callable, Sequence
from contextlib import suppress
from enum import StrEnum, auto
from pathlib import Path

from burnish.errors import NotApplied, WorkspaceError
from burnish.git.call import Place, refusal
from burnish.git.files import trouble_told
from burnish.git.filters import filter_of
from burnish.git.half_done import HalfDone
from burnish.git.in_the_way import in_the_way
from burnish.git.index_lock import IndexLock, Note, index_lock
from burnish.git.landing import BranchLanding
from burnish.git.listing import GITLINK, Tracked, parse_listing
from burnish.git.names import first_line, shown
from burnish.git.prepared import prepared
from burnish.git.settings import TREE_FLAGS
from burnish.git.trees import ABSENT, Delta, deltas
from burnish.git.user_settings import treatment

REASON = "burnish: merged"
_HINT = "commit or stash what is yours there, then try again; nothing was changed"
_BUSY = {
    "MERGE_HEAD": "a merge",
    "CHERRY_PICK_HEAD": "a cherry-pick",
    "REVERT_HEAD": "a revert",
    "rebase-merge": "a rebase",
    "rebase-apply": "a rebase",
}


class Point(StrEnum):
    """Where a kill may hit, in this order."""

    NOTED = auto()
    LOCKED = auto()
    PREPARED = auto()
    BEGUN = auto()
    WRITTEN = auto()
    INDEXED = auto()
    MOVED = auto()


def _go_on(_: Point) -> None:
    pass


class Forwarding:
    """First the files, then the index, the branch last: until then everything is as an uncommitted change.

    Git runs with our own directory on a copy of the user's index, so no filter, hook or setting of theirs is
    used. Done again after a crash, it takes back what was half done and starts over.
    """

    def __init__(self, landing: BranchLanding, reached: Callable[[Point], None] = _go_on) -> None:
        self._landing = landing
        self._repository = landing.repository
        self._store = landing.store
        self._git = landing.repository.git
        self._reached = reached
        self._note = Note(landing.store.folder / "forwarding")
        self._index: Path = landing.store.folder / "forward.index"

    async def forward(self, branch: str, new: str, old: str) -> None:
        """`old` is where the branch is, and both sides have it."""
        await self._landing.bring(new, old)
        working = asyncio.ensure_future(self._forward(f"refs/heads/{branch}", new, old))
        try:
            await asyncio.shield(working)
        except asyncio.CancelledError:
            # It takes a moment, and half of it would have to be taken back.
            with suppress(WorkspaceError):
                await working
            raise

    async def _forward(self, ref: str, new: str, old: str) -> None:
        git_dir = self._repository.git_dir
        intent = f"{ref} {old} {new}".encode()
        begun = self._note.read() == intent and self._note.begun
        self._note.sweep(git_dir / "index.lock", *self._ref_locks(ref))
        place = await self._place()
        changed = await deltas(self._git, self._store.place, old, new)
        self._check_idle()
        if begun and await self._index_is_old(changed):
            await HalfDone(self._repository, place).undo(old, changed)
        self._note.write(intent)
        self._reached(Point.NOTED)
        try:
            async with index_lock(git_dir, self._note) as lock:
                self._reached(Point.LOCKED)
                user = Place(git_dir, hold=self._store.place.hold)
                async with prepared(self._git, user, new, old, REASON) as move:
                    self._note.own(*self._ref_locks(ref))
                    self._reached(Point.PREPARED)
                    await self._check_head(ref)
                    await self._copy_index(place)
                    if not await self._check(changed, place):
                        await self._write(old, new, place, lock)
                    await move.commit()
                    self._reached(Point.MOVED)
        finally:
            for path in (self._index, *self._index.parent.glob("sharedindex.*")):
                path.unlink(missing_ok=True)
        self._note.forget()

    @property
    def begun(self) -> bool:
        """Whether an attempt that did not finish may have written files."""
        return self._note.begun

    def forget(self) -> None:
        self._note.forget()

    def _ref_locks(self, ref: str) -> tuple[Path, Path]:
        return self._repository.git_dir / "HEAD.lock", self._repository.common_dir / f"{ref}.lock"

    async def _write(self, old: str, new: str, place: Place, lock: IndexLock) -> None:
        dry = await self._git.ask("read-tree", "-n", "-m", "-u", old, new, at=place)
        if dry.code:
            raise NotApplied(f"git would not write the files: {first_line(dry.err)}.", hint=_HINT)
        self._note.begin()
        self._reached(Point.BEGUN)
        answer = await self._git.ask("read-tree", "-m", "-u", old, new, at=place)
        if answer.code:
            raise WorkspaceError(
                f"the files may be written in part only: {refusal('read-tree', answer).message}.",
                hint="try again: what was begun is taken back first, then done as a whole",
            )
        self._reached(Point.WRITTEN)
        await asyncio.to_thread(lock.install, self._index)
        self._reached(Point.INDEXED)

    async def _place(self) -> Place:
        """The user's files with a git directory and an index of ours."""
        how = await treatment(self._repository)
        flags = (*TREE_FLAGS, *how.flags, "core.splitIndex=false")
        return self._store.place.at(self._repository.root, self._index, flags)

    async def _copy_index(self, place: Place) -> None:
        theirs = self._repository.git_dir / "index"
        with trouble_told("copying the index of your repository"):
            self._index.with_name(f"{self._index.name}.lock").unlink(missing_ok=True)
            self._index.unlink(missing_ok=True)
            # A split index has a second half, which git looks for beside the first.
            for path in (*theirs.parent.glob("sharedindex.*"), theirs):
                if path.exists():
                    target = self._index if path == theirs else self._index.with_name(path.name)
                    await asyncio.to_thread(shutil.copy2, path, target)
        # Only the exit status 1 says that files differ; which of them do is asked later.
        answer = await self._git.ask("update-index", "-q", "--refresh", "--ignore-submodules", at=place)
        if answer.code not in (0, 1):
            raise WorkspaceError(
                f"the index of {self._repository.root} cannot be read: {first_line(answer.err)}.",
                hint="`git status` there tells more",
            )

    def _check_idle(self) -> None:
        for name, what in _BUSY.items():
            if (self._repository.git_dir / name).exists():
                raise NotApplied(
                    f"{what} is in progress in {self._repository.root}, so its branch was not moved.",
                    hint="finish or abort it, then try again",
                )

    async def _check_head(self, ref: str) -> None:
        """Git holds the lock of HEAD, so this stays true."""
        out = await self._git("rev-parse", "--symbolic-full-name", "HEAD", at=self._repository.place)
        if os.fsdecode(out.strip()) != ref:
            raise NotApplied(
                f"another branch was checked out in {self._repository.root} meanwhile.",
                hint="try again; nothing was changed",
            )

    async def _index_is_old(self, changed: Sequence[Delta]) -> bool:
        listed = await self._git("ls-files", "-z", "-c", "-s", "-v", at=self._repository.place)
        entries = _by_path(parse_listing(listed).tracked)
        return all(_is(entries.get(one.path), one.old_mode, one.old_object) for one in changed)

    async def _check(self, changed: Sequence[Delta], place: Place) -> bool:
        """Nothing of the user's may be where something changes: staged, edited, untracked or ignored.

        True when all is written already, by an attempt that was killed just before the branch moved.
        """
        entries = _by_path(
            parse_listing(await self._git("ls-files", "-z", "-c", "-s", "-v", at=place)).tracked
        )
        out = await self._git("diff-files", "-z", "--name-only", "--ignore-submodules=all", at=place)
        edited = set(out.split(b"\0"))
        theirs = Place(self._repository.git_dir, work_tree=self._repository.root)
        filters = await filter_of(self._git, theirs, [one.path for one in changed])
        removed = {one.path for one in changed if one.mode == ABSENT}
        for one in changed:
            entry = entries.get(one.path)
            why = _staged(one, entry)
            if one.path in edited:
                why = "has changes that are not committed"
            elif GITLINK in (one.mode, one.old_mode):
                why = "is a submodule"
            elif one.path in filters:
                why = f"has the content filter {filters[one.path]!r}"
            if why:
                raise NotApplied(f"{shown(one.path)} {why}, and the result changes it.", hint=_HINT)
            found = in_the_way(self._repository.root, one.path, removed) if entry is None else None
            if one.mode != ABSENT and found is not None:
                raise NotApplied(f"{shown(found)} is in the way of a file the result adds.", hint=_HINT)
        return all(_is(entries.get(one.path), one.mode, one.object) for one in changed)


def _staged(one: Delta, entry: Tracked | None) -> str:
    if entry is not None and entry.stage:
        return "has a merge conflict"
    if not _is(entry, one.old_mode, one.old_object) and not _is(entry, one.mode, one.object):
        return "has staged changes"
    if entry is not None and entry.tag != b"H":
        return "is hidden from git (skip-worktree or assume-unchanged)"
    return ""


def _is(entry: Tracked | None, mode: bytes, name: str) -> bool:
    if entry is None:
        return mode == ABSENT
    return (entry.mode, entry.object, entry.stage) == (mode, name, 0)


def _by_path(entries: Sequence[Tracked]) -> dict[bytes, Tracked]:
    return {entry.path: entry for entry in entries}
