"""The three pipes of a child, read and fed without ever blocking the event loop."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable

CHUNK_BYTES = 256 * 1024


class Pipes:
    """Our ends and theirs. Theirs are closed as soon as the child has them, or the end would never come."""

    def __init__(self) -> None:
        self._open: set[int] = set()
        self.their_stdin, self.stdin = self._pipe()
        self.stdout, self.their_stdout = self._pipe()
        self.stderr, self.their_stderr = self._pipe()
        for fd in (self.stdin, self.stdout, self.stderr):
            os.set_blocking(fd, False)

    def _pipe(self) -> tuple[int, int]:
        try:
            ends = os.pipe()
        except OSError:
            self.close()
            raise
        self._open |= set(ends)
        return ends

    @property
    def theirs(self) -> tuple[int, int, int]:
        return self.their_stdin, self.their_stdout, self.their_stderr

    def close(self, *fds: int) -> None:
        """Close these ends, or all that are still open."""
        for fd in self._open & set(fds) if fds else set(self._open):
            self._open.discard(fd)
            os.close(fd)


async def read_all(fd: int, take: Callable[[bytes], None]) -> None:
    """Hand over everything until the end of the stream; yields to the loop after each chunk."""
    loop = asyncio.get_running_loop()
    ready = asyncio.Event()
    loop.add_reader(fd, ready.set)
    try:
        while True:
            try:
                data = os.read(fd, CHUNK_BYTES)
            except BlockingIOError:
                ready.clear()
                await ready.wait()
                continue
            if not data:
                return
            take(data)
            await asyncio.sleep(0)
    finally:
        loop.remove_reader(fd)


async def write_all(fd: int, data: bytes) -> None:
    """Feed everything; a reader that does not want it (any more) is no error."""
    loop = asyncio.get_running_loop()
    ready = asyncio.Event()
    left = memoryview(data)
    loop.add_writer(fd, ready.set)
    try:
        while left:
            try:
                left = left[os.write(fd, left) :]
            except BlockingIOError:
                ready.clear()
                await ready.wait()
            except BrokenPipeError:
                return
            else:
                await asyncio.sleep(0)
    finally:
        loop.remove_writer(fd)
