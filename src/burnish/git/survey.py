"""A look through a workspace before git does: what git would hang on, skip or not say a word about."""

from __future__ import annotations

import os
from pathlib import Path

from burnish.git.listing import DISGUISED, NESTED, SPECIAL
from burnish.git.names import means_git

# Git opens these by name; on a pipe it would wait for ever.
_READ_BY_GIT = (b".gitignore", b".gitattributes")


def survey(root: Path) -> dict[bytes, str]:
    """Open up locked folders and remove pipes in git's way; what cannot be taken, and why, by path.

    Only for workspaces of ours: it changes them.
    """
    top = os.fsencode(root)
    found: dict[bytes, str] = {}
    waiting = [b""]
    while waiting:
        folder = waiting.pop()
        for entry in _entries(top, folder, found):
            path = folder + entry.name
            if means_git(entry.name):
                if path != b".git":
                    found[path] = NESTED if entry.name == b".git" else DISGUISED
            elif entry.is_symlink():
                continue
            elif entry.is_dir(follow_symlinks=False):
                waiting.append(path + b"/")
            elif not entry.is_file(follow_symlinks=False):
                found[path] = SPECIAL
                if entry.name in _READ_BY_GIT:
                    os.unlink(entry.path)  # noqa: PTH108 - bytes
    return found


def _entries(top: bytes, folder: bytes, found: dict[bytes, str]) -> list[os.DirEntry[bytes]]:
    path = os.path.join(top, folder)  # noqa: PTH118 - bytes
    try:
        with os.scandir(path) as entries:
            return list(entries)
    except PermissionError:
        os.chmod(path, 0o700)  # noqa: PTH101 - bytes
        with os.scandir(path) as entries:
            return list(entries)
    except OSError as error:
        found[folder] = f"cannot be read: {error.strerror}"
        return []
