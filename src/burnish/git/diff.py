"""The text between two trees, of a size that fits into a prompt."""

from __future__ import annotations

import asyncio
import os
import re
import tempfile
from mmap import ACCESS_READ, mmap
from pathlib import Path

from burnish.git.files import trouble_told
from burnish.git.names import shown
from burnish.git.reduction import Part, reduced
from burnish.git.run_store import RunStore
from burnish.git.trees import Delta, deltas
from burnish.ports import Diff

_GLOB_SIGNS = re.compile(r"[*?\[\]\\]")
_HEADER = re.compile(rb"(?:\A|\n)(?P<header>diff --git )")


async def make_diff(
    store: RunStore, before: str, after: str, cap: int, *, only: tuple[str, ...] = ()
) -> Diff:
    """At most `cap` bytes of text, by the rules of `reduction`; binary files are one line each.

    `only` are paths as git has them, not patterns; without any it is about all that changed.
    Made in our bare git directory: a .gitattributes in the change cannot hide its own files from the reader.
    """
    paths = tuple(_GLOB_SIGNS.sub(r"\\\g<0>", path) for path in only)
    changed = await deltas(store.git, store.place, before, after, renames=True, only=paths)
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
            before, after, *(["--", *(f":(glob){path}" for path in paths)] if paths else []),
            at=store.place, output=path,
        )  # fmt: skip
        return await asyncio.to_thread(_cut, path, changed, cap)
    finally:
        path.unlink(missing_ok=True)


def _cut(path: Path, changed: list[Delta], cap: int) -> Diff:
    names = dict.fromkeys(name for delta in changed for name in (delta.old_path, delta.path) if name)
    files = tuple(shown(name) for name in names)
    if path.stat().st_size == 0:
        return Diff("", files)
    with path.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as data:
        parts = _parts(data, changed)
        if not parts:
            # Never guess which text belongs to which file: all of it, or none.
            whole = data[:] if len(data) <= cap else b""
            left_out = () if whole else tuple(f"{name} (too large together)" for name in files)
            return Diff(whole.decode("utf8", "replace"), files, left_out)
        found = reduced(data, parts, cap)
    missing = [f"{part.name} ({one.missing})" for part, one in zip(parts, found, strict=True) if one.missing]
    text = b"".join(one.text for one in found).decode("utf8", "replace")
    return Diff(text, files, tuple(missing))


def _parts(data: mmap, changed: list[Delta]) -> list[Part]:
    """One part per changed path. A changed kind of file (T) is printed as a removal and an addition.

    None at all where the texts are not as many as the paths.
    """
    # Lines of contents begin with a space, +, - or \\.
    starts = [match.start("header") for match in _HEADER.finditer(data)]
    expected = [delta for delta in changed for _ in range(2 if delta.status == b"T" else 1)]
    if len(starts) != len(expected):
        return []
    merged: dict[bytes, Part] = {}
    for delta, start, end in zip(expected, starts, [*starts[1:], len(data)], strict=True):
        first = merged.get(delta.path)
        merged[delta.path] = Part(delta, first.start if first else start, end, one_text=first is None)
    return list(merged.values())
