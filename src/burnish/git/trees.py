"""What differs between two trees, entry by entry."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from burnish.git.call import Git, Place

ABSENT = b"000000"


@dataclass(frozen=True)
class Delta:
    """One path that two trees have differently; `old_mode` or `mode` is 000000 where one has nothing."""

    status: bytes
    old_mode: bytes
    old_object: str
    mode: bytes
    object: str
    path: bytes
    old_path: bytes = b""


async def deltas(
    git: Git, place: Place, before: str, after: str, *, renames: bool = False, only: Sequence[str] = ()
) -> list[Delta]:
    """In path order. `only` are git's globs over the whole path: `tests/`, `**/test_*.py`; one that says so
    itself (`:(glob,icase)**/agents.md`) is taken as it is."""
    magic = (pattern if pattern.startswith(":(") else f":(glob){pattern}" for pattern in only)
    globs = ["--", *magic] if only else []
    out = await git(
        "diff-tree", "-r", "-z", "--raw", "--no-abbrev", "--no-ext-diff", "--no-textconv",
        "--ignore-submodules=none", "-M" if renames else "--no-renames", before, after, *globs, at=place,
    )  # fmt: skip
    return parse_raw(out)


def parse_raw(out: bytes) -> list[Delta]:
    """The -z raw format: `:modes objects status`, then one path, or two for a rename."""
    fields = iter(out.split(b"\0"))
    found = []
    for about in fields:
        if not about.startswith(b":"):
            continue
        old_mode, mode, old_object, name, status = about[1:].split(b" ")
        path, old_path = next(fields), b""
        if status[:1] in (b"R", b"C"):
            old_path, path = path, next(fields)
        found.append(Delta(status[:1], old_mode, old_object.decode(), mode, name.decode(), path, old_path))
    return found
