"""Bringing a result into the user's working tree: only onto what it was made from, and over nothing else."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence

from burnish.errors import NotApplied, WorkspaceError
from burnish.git.blobs import blob_name
from burnish.git.child import Answer
from burnish.git.files import read_small, trouble_told, write_atomically
from burnish.git.in_the_way import in_the_way
from burnish.git.listing import GITLINK
from burnish.git.names import first_line, shown
from burnish.git.trees import ABSENT, Delta, deltas
from burnish.git.user_tree import UserTree
from burnish.model.change import Snapshot

_HINT = "nothing was changed; take the result from its branch instead"


class Apply:
    """The user's index is not touched: the result shows up as unstaged changes."""

    def __init__(self, user_tree: UserTree) -> None:
        self._tree = user_tree
        self._root = user_tree.repository.root
        self._git = user_tree.repository.git
        self._intent = user_tree.store.folder / "applying"

    async def apply(self, start: str, result: str) -> None:
        """From the tree the user had when the run started to the run's result, or refuse and change nothing.

        NotApplied is a refusal. After any other error, as after a kill, calling this again finishes the work.
        """
        intent = f"{start} {result}".encode()
        again = read_small(self._intent) == intent
        snapshot = await self._tree.snapshot()
        place = await self._tree.place()
        if snapshot.tree != start and snapshot.tree != result:
            await self._only_half_done(snapshot.tree, start, result, again=again)
        changed = await deltas(self._git, place, snapshot.tree, result)
        if changed:
            await self._check(changed, snapshot, again=again)
            with trouble_told("noting what is about to be applied"):
                await asyncio.to_thread(write_atomically, self._intent, intent)
            answer = await self._git.ask("read-tree", "-m", "-u", snapshot.tree, result, at=place)
            if answer.code:
                raise await self._failed(answer, snapshot.tree)
        self._intent.unlink(missing_ok=True)

    async def _failed(self, answer: Answer, before: str) -> WorkspaceError:
        """Git refuses before it changes anything; killed, or without room, it may have written half of it."""
        said = first_line(answer.err)
        if answer.code > 0 and (await self._tree.snapshot()).tree == before:
            return NotApplied(f"the result was not applied, git said: {said}.", hint=_HINT)
        ended = f"git said: {said}" if said else f"git ended with {answer.code}"
        return WorkspaceError(
            f"the result may be applied in part only, {ended}.",
            hint="resume the run: it finishes what was begun",
        )

    async def _only_half_done(self, now: str, start: str, result: str, *, again: bool) -> None:
        """Whatever differs from the start must be our own unfinished work."""
        place = self._tree.store.place
        ours = {delta.path: delta for delta in await deltas(self._git, place, start, result)}
        for found in await deltas(self._git, place, start, now):
            delta = ours.get(found.path)
            if not again or delta is None or not await self._is_ours(found, delta):
                raise NotApplied(
                    f"{shown(found.path)} changed since the run started, so the result was not applied.",
                    hint=_HINT,
                )

    async def _is_ours(self, found: Delta, wanted: Delta) -> bool:
        """Gone, done already, or the beginning of what was being written."""
        if found.mode == ABSENT or (found.mode, found.object) == (wanted.mode, wanted.object):
            return True
        if wanted.mode == ABSENT:
            return False
        place = self._tree.store.place
        whole = await self._git("cat-file", "blob", wanted.object, at=place)
        return whole.startswith(await self._git("cat-file", "blob", found.object, at=place))

    async def _check(self, changed: Sequence[Delta], snapshot: Snapshot, *, again: bool) -> None:
        left_out = {dropped.path for dropped in snapshot.dropped}
        filters = await self._tree.filters([delta.path for delta in changed])
        for delta in changed:
            why = ""
            if GITLINK in (delta.mode, delta.old_mode):
                why = "is a submodule"
            elif shown(delta.path) in left_out:
                why = "was not part of what the run started from"
            elif delta.path in filters:
                why = f"has the content filter {filters[delta.path]!r}"
            if why:
                raise NotApplied(f"{shown(delta.path)} {why}, so the result was not applied.", hint=_HINT)
        removed = {delta.path for delta in changed if delta.mode == ABSENT}
        for delta in changed:
            if delta.old_mode == ABSENT:
                await asyncio.to_thread(self._check_free, delta, removed, again)

    def _check_free(self, delta: Delta, removed: set[bytes], again: bool) -> None:
        found = in_the_way(self._root, delta.path, removed)
        if found is None:
            return
        algorithm = self._tree.repository.object_format
        ours = again and found == delta.path
        if ours and blob_name(self._root / os.fsdecode(found), algorithm) == delta.object:
            return
        raise self._in_the_way(found)

    def _in_the_way(self, path: bytes) -> NotApplied:
        return NotApplied(
            f"{shown(path)} is in the way of a file the result adds, and is in no snapshot.",
            hint=_HINT,
        )
