"""What an agent outside a sandbox could have done to the user's repository: seen before and after it ran."""

from __future__ import annotations

import asyncio
import os
from dataclasses import dataclass, field
from pathlib import Path

from burnish.git import traces
from burnish.git.names import shown
from burnish.git.trees import ABSENT, deltas
from burnish.git.user_tree import UserTree

# Files of the git folder that decide what git does; their contents are compared, never run.
WATCHED = ("config", "config.worktree", "HEAD", "info/exclude", "info/attributes", "packed-refs")


@dataclass(frozen=True)
class Sighting:
    """The repository at one moment."""

    tree: str
    refs: tuple[tuple[str, str], ...]
    files: tuple[tuple[str, str], ...]
    traces: traces.Traces


@dataclass(frozen=True)
class Witness:
    """Tells what changed, not who did it: the user may have worked there at the same time."""

    user_tree: UserTree
    ours: str = "burnish/"
    # Several agents may run at once, and all looks share one index.
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def look(self) -> Sighting:
        async with self._turn:
            # First, because each call of git writes our own settings anew.
            files, left = await asyncio.to_thread(self._on_disk)
            snapshot, refs = await asyncio.gather(self.user_tree.snapshot_again(), self._refs())
            return Sighting(snapshot.tree, refs, files, left)

    async def differences(self, before: Sighting, after: Sighting) -> list[str]:
        """One short phrase for each thing that is not as it was."""
        found = [f"{name} in .git {what}" for name, what in _changes(before.files, after.files)]
        found += [f"{_ref(name)} {what}" for name, what in _changes(before.refs, after.refs)]
        if before.tree != after.tree:
            store = self.user_tree.store
            for delta in await deltas(store.git, store.place, before.tree, after.tree):
                what = "is gone" if delta.mode == ABSENT else "changed"
                what = "appeared" if delta.old_mode == ABSENT else what
                found.append(f"the file {shown(delta.path)} {what}")
        object_bytes = len(self.user_tree.repository.zero) // 2
        found += traces.differences(before.traces, after.traces, object_bytes)
        return found + await self._ignored(before, after)

    async def _ignored(self, before: Sighting, after: Sighting) -> list[str]:
        """Files somebody wrote that are in neither tree: what git ignores, or a snapshot leaves out."""
        touched = traces.touched_files(before.traces, after.traces)
        store = self.user_tree.store
        for tree in dict.fromkeys((before.tree, after.tree)):
            if touched:
                names = await store.git("ls-tree", "-r", "-z", "--name-only", tree, at=store.place)
                known = set(names.split(b"\0"))
                touched = [path for path in touched if path not in known]
        return [f"ignored file(s) ({traces.some(touched)}) changed"] if touched else []

    def _on_disk(self) -> tuple[tuple[tuple[str, str], ...], traces.Traces]:
        return self._files(), traces.look(self.user_tree.repository, self.user_tree.store)

    async def _refs(self) -> tuple[tuple[str, str], ...]:
        repository = self.user_tree.repository
        out = await repository.git("for-each-ref", "--format=%(objectname) %(refname)", at=repository.place)
        pairs = (line.split(" ", 1) for line in os.fsdecode(out).splitlines())
        # Another run may land meanwhile: its branches are no misdeed.
        ours = f"refs/heads/{self.ours}"
        return tuple((name, value) for value, name in pairs if not name.startswith(ours))

    def _files(self) -> tuple[tuple[str, str], ...]:
        repository = self.user_tree.repository
        hooks = repository.common_dir / "hooks"
        paths = [repository.common_dir / name for name in WATCHED]
        paths += [repository.git_dir / "HEAD", *(sorted(hooks.iterdir()) if hooks.is_dir() else ())]
        found = {_name(path, repository.common_dir): traces.digest(path) for path in dict.fromkeys(paths)}
        return tuple((name, digest) for name, digest in found.items() if digest and name != "packed-refs")


def _changes(
    before: tuple[tuple[str, str], ...], after: tuple[tuple[str, str], ...]
) -> list[tuple[str, str]]:
    old, new = dict(before), dict(after)
    touched = [name for name in old if old[name] != new.get(name)]
    found = [(name, "changed" if name in new else "is gone") for name in touched]
    return [*found, *((name, "appeared") for name in new if name not in old)]


def _ref(name: str) -> str:
    return f"the branch {name.removeprefix('refs/heads/')}" if name.startswith("refs/heads/") else name


def _name(path: Path, top: Path) -> str:
    return str(path.relative_to(top)) if path.is_relative_to(top) else path.name
