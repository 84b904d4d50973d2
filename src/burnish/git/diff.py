"""The text between two trees, cut to a size by leaving whole files out and naming them."""

from __future__ import annotations

import asyncio
import os
import re
import tempfile
from dataclasses import dataclass
from mmap import ACCESS_READ, mmap
from pathlib import Path

from burnish.git.files import trouble_told
from burnish.git.names import shown
from burnish.git.run_store import RunStore
from burnish.git.trees import Delta, deltas
from burnish.ports import Diff

_HEADER = re.compile(rb"(?:\A|\n)(?P<header>diff --git )")


@dataclass(frozen=True)
class Part:
    """Where one file's text lies in the whole."""

    delta: Delta
    start: int
    end: int

    @property
    def size(self) -> int:
        return self.end - self.start


async def make_diff(store: RunStore, before: str, after: str, cap: int) -> Diff:
    """At most `cap` bytes of text. The largest files are left out first, binary ones are one line each.

    Made in our bare git directory: a .gitattributes in the change cannot hide its own files from the reader.
    """
    changed = await deltas(store.git, store.place, before, after, renames=True)
    if not changed:
        return Diff("", ())
    with trouble_told("making a diff"):
        handle, name = tempfile.mkstemp(prefix="diff-", dir=store.scratch)
        os.close(handle)
    path = Path(name)
    try:
        await store.git(
            "diff-tree", "-r", "-p", "-M", "--no-ext-diff", "--no-textconv", "--no-color", "--unified=3",
            "--ignore-submodules=none", "--submodule=short", "--src-prefix=a/", "--dst-prefix=b/",
            before, after, at=store.place, output=path,
        )  # fmt: skip
        return await asyncio.to_thread(_cut, path, changed, cap)
    finally:
        path.unlink(missing_ok=True)


def _cut(path: Path, changed: list[Delta], cap: int) -> Diff:
    parts = _parts(path, changed)
    kept: set[int] = set()
    room = cap
    smallest_first = sorted(range(len(parts)), key=lambda number: (parts[number].size, number))
    for number in smallest_first:
        if parts[number].size > room:
            break
        room -= parts[number].size
        kept.add(number)
    with path.open("rb") as file:
        texts = [_read(file.fileno(), part) for number, part in enumerate(parts) if number in kept]
    left_out = [_name(parts[number].delta) for number in smallest_first if number not in kept]
    files = dict.fromkeys(name for delta in changed for name in (delta.old_path, delta.path) if name)
    return Diff(
        b"".join(texts).decode("utf8", "replace"),
        tuple(shown(name) for name in files),
        tuple(dict.fromkeys(left_out)),
    )


def _read(descriptor: int, part: Part) -> bytes:
    return os.pread(descriptor, part.size, part.start)


def _name(delta: Delta) -> str:
    return shown(delta.path)


def _parts(path: Path, changed: list[Delta]) -> list[Part]:
    """One part per changed path. A changed kind of file (T) is printed as a removal and an addition."""
    starts = _starts(path)
    size = path.stat().st_size
    expected = [delta for delta in changed for _ in range(2 if delta.status == b"T" else 1)]
    if len(starts) != len(expected):
        # Never guess which text belongs to which file: all of it, or none.
        return [Part(changed[0], 0, size)]
    merged: dict[bytes, Part] = {}
    for delta, start, end in zip(expected, starts, [*starts[1:], size], strict=True):
        first = merged.get(delta.path)
        merged[delta.path] = Part(delta, first.start if first else start, end)
    return list(merged.values())


def _starts(path: Path) -> list[int]:
    """Where a line begins with `diff --git `. Lines of contents begin with a space, +, - or \\."""
    if path.stat().st_size == 0:
        return []
    with path.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as data:
        return [match.start("header") for match in _HEADER.finditer(data)]
