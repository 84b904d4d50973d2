"""The object name git gives to bytes, without asking git."""

from __future__ import annotations

import hashlib
import os
import stat
from pathlib import Path

CHUNK_BYTES = 1 << 20


def blob_hash(algorithm: str, data: bytes) -> str:
    return hashlib.new(algorithm, b"blob %d\0%s" % (len(data), data), usedforsecurity=False).hexdigest()


def blob_name(path: Path, algorithm: str) -> str:
    """The name of a file's bytes as they are on disk; empty for anything but a regular file."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return ""
    with os.fdopen(descriptor, "rb") as file:
        info = os.fstat(descriptor)
        if not stat.S_ISREG(info.st_mode):
            return ""
        state = hashlib.new(algorithm, b"blob %d\0" % info.st_size, usedforsecurity=False)
        while chunk := file.read(CHUNK_BYTES):
            state.update(chunk)
    return state.hexdigest()
