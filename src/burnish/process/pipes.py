"""The three streams of a child, read and fed without ever blocking the event loop."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Callable

CHUNK_BYTES = 256 * 1024


class Pipes:
    """Our ends and theirs. Theirs are closed as soon as the child has them, or the end would never come.

    With `sockets` the child writes to sockets: `open("/proc/PID/fd/1")` and `open("/dev/stdout")` then fail
    for every process, while a pipe can be opened and written by all that the child starts.
    """

    def __init__(self, *, sockets: bool = False) -> None:
        self._open: set[int] = set()
        self.their_stdin, self.stdin = self._joined(os.pipe)
        output = _socket_pair if sockets else os.pipe
        self.stdout, self.their_stdout = self._joined(output)
        self.stderr, self.their_stderr = self._joined(output)
        for fd in (self.stdin, self.stdout, self.stderr):
            os.set_blocking(fd, False)

    def _joined(self, make: Callable[[], tuple[int, int]]) -> tuple[int, int]:
        try:
            ends = make()
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


def _socket_pair() -> tuple[int, int]:
    """One to read from and one to write to; neither works the other way round."""
    ours, theirs = socket.socketpair()
    ours.shutdown(socket.SHUT_WR)
    return ours.detach(), theirs.detach()


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
