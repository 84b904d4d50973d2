"""Folders and files handled without trusting what is in them."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from burnish.errors import WorkspaceError
from burnish.git.names import shown

MAX_SMALL_BYTES = 64 * 1024
DISK_HINT = "free some disk space, then try again"
_HINTS = {
    errno.ENOSPC: DISK_HINT,
    errno.EDQUOT: DISK_HINT,
    errno.EROFS: "make that file system writable, or set BURNISH_STATE to a folder that is",
    errno.EACCES: "check who owns it, or set BURNISH_STATE to a folder of your own",
}


@contextmanager
def trouble_told(doing: str) -> Iterator[None]:
    """What the file system refuses becomes one sentence: what was being done, to which file, and why not."""
    try:
        yield
    except TimeoutError:
        raise
    except OSError as error:
        where = f" ({shown(os.fsencode(error.filename))})" if error.filename else ""
        hint = _HINTS.get(error.errno or 0, "look at that place, then try again")
        raise WorkspaceError(f"{doing} failed: {error.strerror}{where}.", hint=hint) from error


def write_atomically(path: Path, data: bytes) -> None:
    """The old file or the new one, never half of it."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC
    descriptor = os.open(temporary, flags, 0o644)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise


def open_regular(path: Path) -> BinaryIO | None:
    """A regular file opened for reading, not through a symlink and without waiting on a pipe; else None."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return None
    if stat.S_ISREG(os.fstat(descriptor).st_mode):
        return os.fdopen(descriptor, "rb")
    os.close(descriptor)
    return None


def read_small(path: Path) -> bytes | None:
    """A regular file of at most 64 KiB; None for anything else."""
    file = open_regular(path)
    if file is None:
        return None
    with file:
        data = file.read(MAX_SMALL_BYTES + 1)
        return data if len(data) <= MAX_SMALL_BYTES else None


def remove_folder(folder: Path) -> bool:
    """Remove a folder whatever is in it: locked folders, symlinks, any depth. True when it is gone.

    Each sub-folder is first moved up beside the others, so that no path grows too long for the system and
    nothing recurses.
    """
    if folder.is_symlink() or not folder.is_dir():
        folder.unlink(missing_ok=True)
        return True
    try:
        _empty(folder)
        folder.rmdir()
    except OSError:
        return False
    return True


def empty_folder(folder: Path) -> None:
    """Remove everything in a folder, and keep the folder itself."""
    _empty(folder)


def _empty(folder: Path) -> None:
    folder.chmod(0o700)
    waiting, moved = [folder], 0
    while waiting:
        current = waiting[-1]
        inner = list(_unlink_files(current))
        if not inner:
            waiting.pop()
            if current != folder:
                current.rmdir()
            continue
        for name in inner:
            path = current / name
            path.chmod(0o700)
            if current != folder:
                # A name that no tree can hold in front, so that it meets nothing already there.
                moved += 1
                path = path.rename(_free_name(folder, moved))
            waiting.append(path)


def _free_name(folder: Path, number: int) -> Path:
    while True:
        target = folder / f".burnish-removing-{number}"
        if not os.path.lexists(target):
            return target
        number += 1_000_000


def _unlink_files(folder: Path) -> Iterator[str]:
    """Unlink all that is not a real folder; name the folders."""
    with os.scandir(folder) as entries:
        listed = list(entries)
    for entry in listed:
        if entry.is_dir(follow_symlinks=False):
            yield entry.name
        else:
            os.unlink(entry.path)  # noqa: PTH108 - entry names may not be text
