"""Files below a repository: the one place that opens them, and never through a link.

A repository is written by others. A committed link such as `prompt.md -> ~/.ssh/id_ed25519` would bring a
file of the user's into a prompt, so every part of a path is opened by itself from the folder before it:
what is swapped meanwhile is refused as well.
"""

from __future__ import annotations

import errno
import os
import re
import stat
from functools import lru_cache
from pathlib import Path, PurePath, PurePosixPath
from typing import BinaryIO

LINK, THROUGH_LINK = "it is a symlink", "it goes through a symlink"
OUTSIDE = "it leads out of the repository"
NOT_A_FILE = "it is not a regular file"
OF_GIT = "it lies in .git"

_FOLDER = getattr(os, "O_PATH", os.O_RDONLY) | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
# O_NONBLOCK: a named pipe must not stop us before its kind is known.
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
# Code points HFS+ ignores in file names, so that ".g<here>it" is ".git" on a Mac.
_IGNORED_ON_MAC = dict.fromkeys(
    [*range(0x200C, 0x2010), *range(0x202A, 0x202F), *range(0x206A, 0x2070), 0x200B, 0xFEFF]
)
_DISGUISED = re.compile(r"(\.git|git~[0-9]+)[ .]*(:.*)?", re.DOTALL)


@lru_cache(maxsize=65536)
def means_git(name: bytes) -> bool:
    """True for a name that some file system takes for `.git`: other case, `.git.`, `git~1`, zero width."""
    if name == b".git":
        return True
    text = name.decode("utf8", "replace").translate(_IGNORED_ON_MAC).casefold()
    return any(_DISGUISED.fullmatch(part) for part in set(text.split("\\")))


def open_below(root: Path, path: str | PurePath) -> BinaryIO:
    """A regular file below `root`, opened for reading. Raises OSError with the reason in words."""
    parts = _parts(path)
    folder = os.open(root, _FOLDER & ~os.O_NOFOLLOW)
    try:
        for part in parts[:-1]:
            inner = _opened(part, _FOLDER, folder, path)
            os.close(folder)
            folder = inner
        descriptor = _opened(parts[-1], _FILE, folder, path)
    finally:
        os.close(folder)
    return _regular(descriptor, path)


def read_below(root: Path, path: str | PurePath, most: int) -> bytes:
    """At most one byte more than `most`, which tells that a file is too large. Raises OSError."""
    with open_below(root, path) as file:
        return file.read(most + 1)


def read_named(root: Path, path: Path, most: int) -> bytes:
    """The same for a file that the user named: what lies outside of the repository is the user's own."""
    inside = below(root, path)
    if inside is not None:
        return read_below(root, inside, most)
    with _regular(os.open(path, _FILE & ~os.O_NOFOLLOW), path) as file:
        return file.read(most + 1)


def below(root: Path, path: Path) -> PurePosixPath | None:
    """The path from `root` on, without resolving a link below it; None for a path that is elsewhere."""
    whole, top = Path(os.path.abspath(path)), os.stat(root)  # noqa: PTH100, PTH116 - resolve() follows links
    for parent in whole.parents:
        try:
            if os.path.samestat(os.stat(parent), top):  # noqa: PTH116
                return PurePosixPath(whole.relative_to(parent))
        except OSError:
            continue
    return None


def is_foreign(path: str) -> bool:
    """Whether a path is absolute, of somebody's home folder or climbs: no path of a file of a repository."""
    pure = PurePosixPath(path)
    return pure.is_absolute() or path.startswith("~") or ".." in pure.parts or "\0" in path


def _parts(path: str | PurePath) -> tuple[str, ...]:
    name = os.fspath(path)
    parts = PurePosixPath(name).parts
    if not parts or is_foreign(name):
        raise OSError(errno.EXDEV, OUTSIDE, name)
    if any(means_git(os.fsencode(part)) for part in parts):
        raise OSError(errno.EACCES, OF_GIT, name)
    return parts


def _opened(part: str, flags: int, folder: int, path: str | PurePath) -> int:
    try:
        return os.open(part, flags, dir_fd=folder)
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.ENOTDIR, errno.EMLINK) and _is_link(part, folder):
            why = LINK if flags == _FILE else THROUGH_LINK
            raise OSError(errno.ELOOP, why, os.fspath(path)) from None
        raise OSError(error.errno, error.strerror, os.fspath(path)) from None


def _is_link(part: str, folder: int) -> bool:
    try:
        return stat.S_ISLNK(os.stat(part, dir_fd=folder, follow_symlinks=False).st_mode)
    except OSError:
        return False


def _regular(descriptor: int, path: str | PurePath) -> BinaryIO:
    if stat.S_ISREG(os.fstat(descriptor).st_mode):
        return os.fdopen(descriptor, "rb")
    os.close(descriptor)
    raise OSError(errno.EINVAL, NOT_A_FILE, os.fspath(path))
