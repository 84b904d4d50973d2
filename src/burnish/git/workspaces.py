"""The git side of one run: checkouts, the run's own line of commits, and what changed between trees."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from types import TracebackType

from burnish.git.carry import carry
from burnish.git.diff import make_diff
from burnish.git.files import trouble_told
from burnish.git.identity import Identity
from burnish.git.joining import Contested, Joined, join
from burnish.git.judge import judge_tree
from burnish.git.mirror import Mirror
from burnish.git.names import shown
from burnish.git.run_store import RunStore
from burnish.git.snapshot import Rules
from burnish.git.subject import last_subject
from burnish.git.trees import ABSENT, deltas
from burnish.git.user_settings import user_excludes
from burnish.git.workspace import Checkout, new_folder
from burnish.model.judges import Judged, Judges
from burnish.ports import Diff, Touched


class Workspaces:
    """Everything here happens in the run's own `folder`. `base` is a commit pinned in the mirror.

    Use it as a context manager (or `prepare` and `close`): that takes the run over from a process that died.
    """

    def __init__(
        self, mirror: Mirror, folder: Path, identity: Identity, base: str, rules: Rules | None = None
    ) -> None:
        self.store = RunStore(mirror, folder, identity)
        self.base = base
        self._rules = rules
        self._open: set[Path] = set()

    async def __aenter__(self) -> Workspaces:
        await self.prepare()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    async def prepare(self) -> None:
        """Of a killed process only checkouts of writers stay: theirs may hold work (`leftovers`)."""
        await self.store.prepare()
        for left in await self.leftovers():
            if not left.of_writer:
                await left.remove()
        if self._rules is None:
            self._rules = Rules(await user_excludes(self.store.mirror.repository))

    def close(self) -> None:
        self.store.close()

    @property
    def borrowed(self) -> Path:
        """The one folder outside a workspace that git needs in there, read-only."""
        return self.store.mirror.objects

    @asynccontextmanager
    async def open(self, tree: str, label: str) -> AsyncIterator[Checkout]:
        """A fresh private checkout of a tree; gone afterwards, whatever was done to it."""
        with trouble_told("making a workspace"):
            workspace = self._checkout(await asyncio.to_thread(new_folder, self._folder, label))
        self._open.add(workspace.folder)
        try:
            await workspace.fill(tree)
            yield workspace
        finally:
            await asyncio.shield(workspace.remove())
            self._open.discard(workspace.folder)

    async def leftovers(self) -> list[Checkout]:
        """Checkouts of a process that was killed: to be snapshotted if they were begun, and removed."""
        if not self._folder.is_dir():
            return []
        return [self._checkout(path) for path in sorted(self._folder.iterdir()) if path not in self._open]

    async def begin(self, start: str) -> None:
        await self.store.begin(start)

    async def commit(self, tree: str, parent: str, message: str) -> str:
        return await self.store.commit(tree, parent, message)

    async def advance(self, new: str, old: str) -> None:
        await self.store.advance(new, old)

    async def head(self) -> str:
        return await self.store.head()

    async def keep(self, tree: str, label: str) -> str:
        return f"{await self.store.keep(tree, label)} in {self.store.git_dir}"

    async def tree(self, commit: str) -> str:
        return await self.store.tree(commit)

    async def last_subject(self, workspace: Path) -> str:
        return await last_subject(self.store.git, self.store.place, workspace)

    async def diff(self, before: str, after: str, cap: int) -> Diff:
        return await make_diff(self.store, before, after, cap)

    async def touched(self, before: str, after: str) -> Touched:
        if before == after:
            return Touched()
        changed = await deltas(self.store.git, self.store.place, before, after)
        return Touched(
            tuple(shown(delta.path) for delta in changed if delta.old_mode != ABSENT),
            tuple(shown(delta.path) for delta in changed if delta.old_mode == ABSENT),
        )

    async def judge_tree(self, tree: str, base: str, judges: Judges) -> Judged:
        return await judge_tree(self.store, tree, base, judges)

    async def carry(self, onto: str, before: str, after: str) -> tuple[str, tuple[str, ...]]:
        return await carry(self.store, onto, before, after)

    async def join(self, onto: str, base: str, tip: str) -> Joined | Contested:
        """The commits base..tip on top of another commit, merged line by line."""
        return await join(self.store, onto, base, tip)

    @property
    def _folder(self) -> Path:
        return self.store.folder / "workspaces"

    def _checkout(self, folder: Path) -> Checkout:
        return Checkout(self.store, folder, self.base, self._rules or Rules())
