"""Streams of any length in little memory: the head, the tail, whole lines, and a capped copy on disk."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from burnish.process.child import Captured

LINE_BYTES = 8 * 1024 * 1024
SPILL_BYTES = 64 * 1024 * 1024


class Capture:
    """Keeps the first and the last half of `keep_bytes`."""

    def __init__(self, keep_bytes: int) -> None:
        self._half = max(keep_bytes // 2, 1)
        self._head = bytearray()
        self._tail = bytearray()
        self._total = 0

    def take(self, data: bytes) -> None:
        self._total += len(data)
        room = self._half - len(self._head)
        if room > 0:
            self._head += data[:room]
            data = data[room:]
        self._tail += data
        # Cut only when twice too long: each byte is then moved once on average, not once a chunk.
        if len(self._tail) > 2 * self._half:
            del self._tail[: -self._half]

    @property
    def captured(self) -> Captured:
        return Captured(bytes(self._head), bytes(self._tail[-self._half :]), self._total)


class Lines:
    """Calls back for each line, without its end; of a line over `LINE_BYTES` only the beginning is given."""

    def __init__(self, on_line: Callable[[bytes], None]) -> None:
        self._on_line = on_line
        self._begun = bytearray()

    def take(self, data: bytes) -> None:
        first, *others = data.split(b"\n")
        self._grow(first)
        if others:
            self.finish()
            rest = others.pop()
            for line in others:
                self._on_line(line[:LINE_BYTES])
            self._grow(rest)

    def finish(self) -> None:
        """The line so far is over; called at the end for text that has no last newline."""
        line, self._begun = bytes(self._begun), bytearray()
        self._on_line(line)

    @property
    def unfinished(self) -> bool:
        return bool(self._begun)

    def _grow(self, piece: bytes) -> None:
        self._begun += piece[: LINE_BYTES - len(self._begun)]


class Spill:
    """A copy of both streams on disk, capped. A disk that is full costs the copy, never the run."""

    def __init__(self, path: Path, cap_bytes: int = SPILL_BYTES) -> None:
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC
        self._fd = os.open(path, flags, 0o600)
        self._room = cap_bytes

    def take(self, data: bytes) -> None:
        piece = data[: self._room]
        if not piece:
            return
        try:
            written = os.write(self._fd, piece)
        except OSError:
            self._room = 0
            return
        self._room -= written

    def close(self) -> None:
        os.close(self._fd)
