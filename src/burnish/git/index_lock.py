"""The lock of the user's index, taken as git takes it, and known as ours again after a crash."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from burnish.errors import WorkspaceError
from burnish.git.files import read_small, trouble_told, write_atomically

_NOTED = "noting what is about to be changed"
_BEGUN = b"begun"
RETRIES = 10
RETRY_S = 0.1


@dataclass(frozen=True)
class Note:
    """What is about to be done, and which lock files of the user's repository are ours, by their inodes."""

    path: Path

    def read(self) -> bytes:
        return (read_small(self.path) or b"").partition(b"\n")[0]

    def write(self, text: bytes) -> None:
        with trouble_told(_NOTED):
            write_atomically(self.path, text + b"\n")

    def own(self, *locks: Path) -> None:
        """Locks that exist, and that nobody but us can have made."""
        self._add(*(b"%d" % lock.stat().st_ino for lock in locks if lock.exists()))

    def begin(self) -> None:
        """From here on files of the user's may be half written."""
        self._add(_BEGUN)

    @property
    def begun(self) -> bool:
        return _BEGUN in self._more()

    def _add(self, *lines: bytes) -> None:
        with trouble_told(_NOTED):
            kept = read_small(self.path) or b""
            write_atomically(self.path, kept + b"".join(line + b"\n" for line in lines))

    def _more(self) -> list[bytes]:
        return (read_small(self.path) or b"").splitlines()[1:]

    def sweep(self, *locks: Path) -> None:
        """Remove those that a killed process of this run left: we hold the run, so it is dead."""
        for lock in locks:
            if self.owns(lock):
                lock.unlink()

    def owns(self, lock: Path) -> bool:
        return lock.is_file() and b"%d" % lock.stat().st_ino in self._more()

    def forget(self) -> None:
        self.path.unlink(missing_ok=True)


class IndexLock:
    """While it is held, no other git writes the index. `install` puts a new one in its place."""

    def __init__(self, index: Path, lock: Path) -> None:
        self._index = index
        self._lock = lock

    def install(self, made: Path) -> None:
        """What a git of ours wrote becomes the user's index, with its date: git compares files by that."""
        with trouble_told("writing the index of your repository"):
            info = made.stat()
            with self._lock.open("r+b") as file:
                file.write(made.read_bytes())
                file.flush()
                os.fsync(file.fileno())
            os.utime(self._lock, ns=(info.st_atime_ns, info.st_mtime_ns))
            self._lock.replace(self._index)


@asynccontextmanager
async def index_lock(git_dir: Path, note: Note) -> AsyncIterator[IndexLock]:
    """Waits a little for another git: editors ask for the status of a checkout all the time."""
    index, lock = git_dir / "index", git_dir / "index.lock"
    fresh = git_dir / f"burnish-{note.path.parent.name}.lock"
    with trouble_told("locking the index of your repository"):
        fresh.unlink(missing_ok=True)
        fresh.touch(mode=index.stat().st_mode & 0o777 if index.exists() else 0o644)
    note.own(fresh)
    try:
        for _ in range(RETRIES):
            if _linked(fresh, lock):
                break
            await asyncio.sleep(RETRY_S)
        else:
            raise WorkspaceError(
                f"another git process is at work: expected no file {lock}.",
                hint="wait for it and try again; if none runs, remove that lock file",
            )
    finally:
        fresh.unlink(missing_ok=True)
    try:
        yield IndexLock(index, lock)
    finally:
        note.sweep(lock)


def _linked(fresh: Path, lock: Path) -> bool:
    """Made with its inode known beforehand, so that no moment is left in which a lock of ours is nobody's."""
    with trouble_told("locking the index of your repository"):
        try:
            lock.hardlink_to(fresh)
        except FileExistsError:
            return False
    return True
