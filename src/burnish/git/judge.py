"""The tree a gate judges: the change, with the tests and settings that judge it as the base has them."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path

from burnish.git.files import trouble_told
from burnish.git.names import shown
from burnish.git.run_store import RunStore
from burnish.git.trees import ABSENT, deltas


async def judge_tree(
    store: RunStore, tree: str, base: str, patterns: tuple[str, ...], *, keep_new: bool = True
) -> tuple[str, tuple[str, ...]]:
    """Every file of the base that a pattern names and the tree has otherwise comes from the base.

    New files stay, or without `keep_new` are left out. Patterns are git's globs over the whole path; a
    folder's name stands for all in it. The second answer names what was put back or left out.
    """
    if not patterns:
        return tree, ()
    changed = await deltas(store.git, store.place, base, tree, only=patterns)
    edited = [delta for delta in changed if not keep_new or delta.old_mode != ABSENT]
    if not edited:
        return tree, ()
    with (
        trouble_told("preparing the tree for the gate"),
        tempfile.TemporaryDirectory(prefix="judge-", dir=store.scratch) as folder,
    ):
        place = replace(store.place, index=Path(folder) / "index")
        await store.git("read-tree", tree, at=place)
        lines = [
            b"%s %s 0\t%s\0" % (delta.old_mode, delta.old_object.encode(), delta.path)
            for delta in sorted(edited, key=lambda delta: delta.old_mode != ABSENT)  # what goes, goes first
        ]
        await store.git(
            "update-index", "--add", "--replace", "-z", "--index-info", at=place, stdin=b"".join(lines)
        )
        judged = (await store.git("write-tree", at=place)).decode().strip()
    return judged, tuple(shown(delta.path) for delta in edited)
