"""The tree a gate judges: the change, with the tests and settings that judge it as the base has them."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path

from burnish.git.files import trouble_told
from burnish.git.names import shown
from burnish.git.run_store import RunStore
from burnish.git.trees import ABSENT, Delta, deltas
from burnish.model.judges import Judged, Judges

_FILE = (b"100644", b"100755")


async def judge_tree(store: RunStore, tree: str, base: str, judges: Judges) -> Judged:
    """The tree with the base's version of each judge, and without those that the base does not have."""
    intruders = [
        delta for delta in await _changed(store, base, tree, judges.intruders) if delta.old_mode == ABSENT
    ]
    put = await _replacements(store, tree, base, judges, intruders)
    unkept = await _unkept(store, tree, base, judges, {delta.path for delta, *_ in put})
    if not put:
        return Judged(tree, unkept=unkept)
    with (
        trouble_told("preparing the tree for the gate"),
        tempfile.TemporaryDirectory(prefix="judge-", dir=store.scratch) as folder,
    ):
        place = replace(store.place, index=Path(folder) / "index")
        await store.git("read-tree", tree, at=place)
        lines = [
            b"%s %s 0\t%s\0" % (mode, name.encode(), delta.path)
            for delta, mode, name in sorted(put, key=lambda one: one[1] != ABSENT)  # what goes, goes first
        ]
        await store.git(
            "update-index", "--add", "--replace", "-z", "--index-info", at=place, stdin=b"".join(lines)
        )
        judged = (await store.git("write-tree", at=place)).decode().strip()
    known = [delta for delta, *_ in put if delta.old_mode != ABSENT]
    extended = [delta for delta in known if await _only_extended(store, delta, judges)]
    return Judged(
        judged,
        tuple(shown(delta.path) for delta in known if delta not in extended),
        tuple(shown(delta.path) for delta, *_ in put if delta.old_mode == ABSENT),
        tuple(shown(delta.path) for delta in extended),
        tuple(shown(delta.path) for delta in intruders),
        unkept,
    )


async def _unkept(store: RunStore, tree: str, base: str, judges: Judges, put: set[bytes]) -> tuple[str, ...]:
    """Files that do not keep the examples of the base, among those that are not the base's anyway."""
    found = []
    for delta in await _changed(store, base, tree, judges.documented) if judges.keeps else []:
        if delta.path in put or delta.old_mode not in _FILE:
            continue
        old = await store.git("cat-file", "blob", delta.old_object, at=store.place)
        known = delta.mode in _FILE
        new = await store.git("cat-file", "blob", delta.object, at=store.place) if known else None
        if judges.keeps and not judges.keeps(shown(delta.path), old, new):
            found.append(shown(delta.path))
    return tuple(found)


async def _only_extended(store: RunStore, delta: Delta, judges: Judges) -> bool:
    if judges.extends is None or delta.mode != delta.old_mode or delta.mode not in _FILE:
        return False
    old = await store.git("cat-file", "blob", delta.old_object, at=store.place)
    new = await store.git("cat-file", "blob", delta.object, at=store.place)
    return judges.extends(shown(delta.path), old, new)


async def _replacements(
    store: RunStore, tree: str, base: str, judges: Judges, intruders: list[Delta]
) -> list[tuple[Delta, bytes, str]]:
    """What changed among the judges, with the mode and object that each is to have; ABSENT for none."""
    found: dict[bytes, tuple[Delta, bytes, str]] = {}
    for delta in await _changed(store, base, tree, judges.whole):
        found[delta.path] = (delta, delta.old_mode, delta.old_object)
    for delta in intruders:
        found[delta.path] = (delta, delta.old_mode, delta.old_object)
    for delta in await _changed(store, base, tree, judges.parts):
        if delta.path in found:
            continue
        mode, name = await _merged(store, delta, judges)
        if (mode, name) != (delta.mode, delta.object):
            found[delta.path] = (delta, mode, name)
    return list(found.values())


async def _changed(store: RunStore, base: str, tree: str, globs: tuple[str, ...]) -> list[Delta]:
    return await deltas(store.git, store.place, base, tree, only=globs) if globs else []


async def _merged(store: RunStore, delta: Delta, judges: Judges) -> tuple[bytes, str]:
    """The mode and object of a file of several purposes; anything but a plain file is the base's."""
    plain = delta.mode in _FILE and delta.old_mode in (ABSENT, *_FILE)
    if judges.merge is None or not plain:
        return delta.old_mode, delta.old_object
    new = await store.git("cat-file", "blob", delta.object, at=store.place)
    known = delta.old_mode != ABSENT
    old = await store.git("cat-file", "blob", delta.old_object, at=store.place) if known else None
    made = judges.merge(shown(delta.path), old, new)
    if made is None or made == old:
        return delta.old_mode, delta.old_object
    if made == new:
        return delta.mode, delta.object
    name = await store.git("hash-object", "-w", "--stdin", "-t", "blob", at=store.place, stdin=made)
    return delta.old_mode if known else delta.mode, name.decode().strip()
