"""Which program answered: nobody tells a command's version, so its own bytes do."""

from __future__ import annotations

import hashlib
import os
import stat
from functools import lru_cache
from pathlib import Path

MAX_BYTES = 64 * 1024 * 1024


def version_of(program: Path, arguments: tuple[str, ...], start: Path) -> str:
    """`sha256:…` over the program and the files its arguments name, such as a script; empty if unreadable."""
    files = [program, *(start / word for word in arguments if word and "\0" not in word)]
    known = [_hash(str(path), *stamp_of(path)) for path in files if stamp_of(path) != (0, 0)]
    if not known:
        return ""
    joined = known[0] if len(known) == 1 else hashlib.sha256("".join(known).encode()).hexdigest()
    return f"sha256:{joined[:16]}"


def stamp_of(path: Path) -> tuple[int, int]:
    """When a file was changed and how big it is; zeros for what is no file."""
    try:
        found = os.stat(path)  # noqa: PTH116
    except (OSError, ValueError):
        return 0, 0
    return (found.st_mtime_ns, found.st_size) if stat.S_ISREG(found.st_mode) else (0, 0)


@lru_cache(maxsize=256)
def _hash(path: str, changed_ns: int, size: int) -> str:
    if size > MAX_BYTES:
        return hashlib.sha256(f"{path} {size} {changed_ns}".encode("utf8", "surrogateescape")).hexdigest()
    try:
        with Path(path).open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return ""
