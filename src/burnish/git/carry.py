"""What changed between two trees, put onto a third one path by path."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from burnish.git.files import trouble_told
from burnish.git.names import shown
from burnish.git.run_store import RunStore
from burnish.git.trees import ABSENT, Delta, deltas


async def carry(store: RunStore, onto: str, before: str, after: str) -> tuple[str, tuple[str, ...]]:
    """`onto` with the change; or `onto` itself, and the paths that it has neither as before nor as after.

    Whole files only: two changes of one file are never mixed, because nobody has seen or tested the mixture.
    """
    if onto == before or before == after:
        return (after, ()) if onto == before else (onto, ())
    wanted = await deltas(store.git, store.place, before, after)
    there = await deltas(store.git, store.place, before, onto)
    both = _contested(wanted, there)
    if both:
        return onto, tuple(shown(path) for path in sorted(both))
    with (
        trouble_told("joining the fixes of several groups"),
        tempfile.TemporaryDirectory(prefix="carry-", dir=store.scratch) as folder,
    ):
        place = replace(store.place, index=Path(folder) / "index")
        await store.git("read-tree", onto, at=place)
        await store.git(
            "update-index", "--add", "--replace", "-z", "--index-info", at=place, stdin=_entries(wanted)
        )
        return (await store.git("write-tree", at=place)).decode().strip(), ()


def _contested(wanted: Iterable[Delta], there: Iterable[Delta]) -> set[bytes]:
    """Paths that both changed differently, or where one made a folder of what is a file to the other."""
    others = {delta.path: delta for delta in there}
    files = {path for path, delta in others.items() if delta.mode != ABSENT}
    folders = {parent for path in files for parent in _parents(path)}
    found = set()
    for delta in wanted:
        other = others.get(delta.path)
        differs = other is not None and (other.mode, other.object) != (delta.mode, delta.object)
        in_the_way = delta.mode != ABSENT and (
            delta.path in folders or any(map(files.__contains__, _parents(delta.path)))
        )
        if differs or in_the_way:
            found.add(delta.path)
    return found


def _parents(path: bytes) -> list[bytes]:
    parts = path.split(b"/")
    return [b"/".join(parts[:count]) for count in range(1, len(parts))]


def _entries(wanted: Iterable[Delta]) -> bytes:
    """For `update-index --index-info`, to which the mode 000000 means that the path goes."""
    return b"".join(b"%s %s 0\t%s\0" % (delta.mode, delta.object.encode(), delta.path) for delta in wanted)
