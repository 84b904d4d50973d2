"""The object name git gives to bytes, without asking git."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from burnish.git.files import open_regular

CHUNK_BYTES = 1 << 20


def blob_hash(algorithm: str, data: bytes) -> str:
    return hashlib.new(algorithm, b"blob %d\0%s" % (len(data), data), usedforsecurity=False).hexdigest()


def blob_name(path: Path, algorithm: str) -> str:
    """The name of a file's bytes as they are on disk; empty for anything but a regular file."""
    file = open_regular(path)
    if file is None:
        return ""
    with file:
        size = os.fstat(file.fileno()).st_size
        state = hashlib.new(algorithm, b"blob %d\0" % size, usedforsecurity=False)
        while chunk := file.read(CHUNK_BYTES):
            state.update(chunk)
    return state.hexdigest()
