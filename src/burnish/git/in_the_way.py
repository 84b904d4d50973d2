"""Whether a new file has its place free: git itself overwrites ignored files without a word."""

from __future__ import annotations

import os
import stat
from pathlib import Path


def in_the_way(root: Path, path: bytes, removed: set[bytes]) -> bytes | None:
    """What is where a new file goes, links not followed; `removed` are files that go at the same time."""
    top = os.fsencode(root) + b"/"
    parts = path.split(b"/")
    for count in range(1, len(parts)):
        folder = b"/".join(parts[:count])
        info = _look(top + folder)
        if info is None:
            return None
        if folder in removed and not stat.S_ISDIR(info.st_mode):
            return None
        if not stat.S_ISDIR(info.st_mode) or _look(top + folder + b"/.git"):
            return folder
    info = _look(top + path)
    if info is None or (stat.S_ISDIR(info.st_mode) and _emptied(top, path, removed)):
        return None
    return path


def _emptied(top: bytes, folder: bytes, removed: set[bytes]) -> bool:
    """All files in a folder are ones that go away."""
    for parent, folders, names in os.walk(top + folder):
        links = [name for name in folders if os.path.islink(os.path.join(parent, name))]  # noqa: PTH118, PTH114
        for name in (*names, *links):
            if os.path.join(parent, name)[len(top) :] not in removed:  # noqa: PTH118
                return False
    return True


def _look(path: bytes) -> os.stat_result | None:
    try:
        return os.lstat(path)
    except OSError:
        return None
