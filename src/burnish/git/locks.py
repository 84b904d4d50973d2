"""A lock that git children inherit, and what a killed git leaves in a folder of ours."""

from __future__ import annotations

import asyncio
import fcntl
import os
import time
from contextlib import suppress
from pathlib import Path
from types import TracebackType

from burnish.errors import WorkspaceError
from burnish.git.files import remove_folder, trouble_told

RETRY_S = 0.02
_LEFT_BY_A_KILLED_GIT = (
    "*.lock",
    "objects/pack/tmp_*",
    "objects/pack/.tmp-*",
    "objects/??/tmp_obj_*",
    "objects/tmp_*",
    "objects/incoming-*",
    "objects/info/*.lock",
)


class Lock:
    """Held while `fd` is open anywhere: by us, or by a git child we started with it and that outlives us.

    So whoever gets it knows that no git of an earlier holder still runs, and may sweep what those left.
    """

    def __init__(self, path: Path, *, wait_s: float) -> None:
        self._path = path
        self._wait_s = wait_s
        self.fd: int | None = None

    async def take(self) -> None:
        with trouble_told("making a lock"):
            self._path.parent.mkdir(parents=True, exist_ok=True)
        until = time.monotonic() + self._wait_s
        while not self._try():
            if time.monotonic() > until:
                raise WorkspaceError(
                    f"{self._path.parent.name} is in use by another Burnish process.",
                    hint="wait until it has ended, then try again",
                )
            await asyncio.sleep(RETRY_S)

    def _try(self) -> bool:
        with trouble_told("making a lock"):
            fd = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # The folder may have been removed and made again between open and flock.
            if os.fstat(fd).st_ino == self._path.stat().st_ino:
                self.fd = fd
                return True
        except (BlockingIOError, FileNotFoundError):
            pass
        os.close(fd)
        return False

    def release(self) -> None:
        if self.fd is not None:
            os.close(self.fd)
            self.fd = None

    async def __aenter__(self) -> Lock:
        await self.take()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()


def sweep(git_dir: Path) -> None:
    """Remove what dead git processes left half-written. Only for a folder of ours, and under its lock."""
    found = [path for pattern in _LEFT_BY_A_KILLED_GIT for path in git_dir.glob(pattern)]
    # There may be thousands of refs, and globbing through them takes several times as long.
    found += [
        Path(at, name) for at, _, names in os.walk(git_dir / "refs") for name in names if _is_lock(name)
    ]
    for path in found:
        if path.is_dir() and not path.is_symlink():
            remove_folder(path)
        else:
            with suppress(FileNotFoundError):
                path.unlink()


def _is_lock(name: str) -> bool:
    return name.endswith(".lock")
