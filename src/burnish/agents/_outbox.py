"""Files an agent left in its outbox: read without trusting what they are."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from burnish.errors import AgentFailed
from burnish.process.child import KEEP_BYTES, Captured

MESSAGE = "message.md"
REPORT = "report.md"
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
# Not blocking: the file may have been replaced by a pipe that nobody writes to.
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


def clear(outbox: Path) -> None:
    """Forget what an earlier answer left, or it would be taken for this one's."""
    for name in (MESSAGE, REPORT):
        (outbox / name).unlink(missing_ok=True)


def read(outbox: Path, name: str, cap_bytes: int = KEEP_BYTES) -> Captured | None:
    """A regular file's head and tail; None when there is none. Anything but a regular file is refused."""
    try:
        folder = os.open(outbox, _FOLDER)
        try:
            fd = os.open(name, _FILE, dir_fd=folder)
        finally:
            os.close(folder)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise AgentFailed(f"the agent's {name} is not a file that can be read: {error.strerror}") from None
    try:
        return _read(fd, name, cap_bytes)
    finally:
        os.close(fd)


def _read(fd: int, name: str, cap_bytes: int) -> Captured:
    found = os.fstat(fd)
    if not stat.S_ISREG(found.st_mode):
        raise AgentFailed(f"the agent's {name} is not a regular file", hint="it must write a plain file")
    if found.st_size <= cap_bytes:
        data = os.pread(fd, cap_bytes, 0)
        return Captured(data, b"", len(data))
    half = cap_bytes // 2
    return Captured(os.pread(fd, half, 0), os.pread(fd, half, found.st_size - half), found.st_size)
