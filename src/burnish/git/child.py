"""A git child at work: fed, read, and stopped with all it started when it takes too long or is not wanted."""

from __future__ import annotations

import asyncio
import os
import signal
from asyncio.subprocess import Process
from collections.abc import Coroutine
from contextlib import suppress
from dataclasses import dataclass
from typing import BinaryIO

from burnish.errors import WorkspaceError
from burnish.git.files import DISK_HINT
from burnish.git.pipes import Watch

CHUNK_BYTES = 1 << 16
MAX_STDERR_BYTES = 64 * 1024
DRAIN_S = 2.0


@dataclass(frozen=True)
class Answer:
    """How a git call ended; a negative `code` is the signal that killed it."""

    code: int
    out: bytes
    err: bytes


async def started(spawning: asyncio.Future[Process]) -> Process:
    """A child that is being started is not cancelled half way: it is started, then stopped as a whole.

    asyncio itself would kill the first process only, and wait for the pipes its children hold.
    """
    try:
        return await asyncio.shield(spawning)
    except asyncio.CancelledError:
        with suppress(WorkspaceError):
            await asyncio.shield(stop(await spawning))
        raise


async def finish(
    child: Process, verb: str, seconds: float, talk: Coroutine[None, None, Answer], watch: Watch
) -> Answer:
    """The answer in time; whatever happens instead, no git is left behind."""
    try:
        async with asyncio.timeout(seconds) as limit:
            watch.begin(limit)
            try:
                answer = await talk
                await watch.looked()
            finally:
                watch.end()
        if watch.found:  # the look itself let git go on, as if the pipe were an empty file
            raise TimeoutError
        return answer
    except BaseException as error:
        await asyncio.shield(stop(child))
        if isinstance(error, TimeoutError):
            if watch.found:
                raise WorkspaceError(
                    f"git would wait for ever: expected a file, found the named pipe {watch.found}.",
                    hint="remove that pipe, or put a regular file in its place, then try again",
                ) from None
            raise WorkspaceError(
                f"git {verb} did not finish within {seconds:g} s and was stopped.",
                hint="look for a stuck file system or a named pipe in the repository, then try again",
            ) from None
        raise


async def stop(child: Process) -> None:
    """Kill the whole process group, and let go of its pipes even if someone else holds them open."""
    _kill(child)
    assert child.stdout and child.stderr
    with suppress(TimeoutError):
        async with asyncio.timeout(DRAIN_S):
            await asyncio.gather(_drain(child.stdout), _drain(child.stderr), child.wait())
    # The only way to close pipes that never end; asyncio offers it on the transport alone.
    child._transport.close()  # type: ignore[attr-defined]


def _kill(child: Process) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(child.pid, signal.SIGKILL)


async def _drain(stream: asyncio.StreamReader) -> None:
    while await stream.read(CHUNK_BYTES):
        pass


async def talk(child: Process, stdin: bytes, sink: BinaryIO | None, most: int) -> Answer:
    assert child.stdout and child.stderr
    async with asyncio.TaskGroup() as group:
        out = group.create_task(_read(child, sink, most))
        err = group.create_task(_read_head(child.stderr))
        group.create_task(_feed(child, stdin))
    code, printed = await child.wait(), out.result()
    if isinstance(printed, WorkspaceError):
        raise printed
    return Answer(code, printed, err.result())


async def _read(child: Process, sink: BinaryIO | None, most: int) -> bytes | WorkspaceError:
    """All that git prints. Stops git, and says why, when that is too much or cannot be written."""
    assert child.stdout
    kept, total = [], 0
    while chunk := await child.stdout.read(CHUNK_BYTES):
        total += len(chunk)
        if total > most:
            _kill(child)
            await _drain(child.stdout)
            return WorkspaceError(
                f"git printed more than {most / (1024 * 1024):g} MB and was stopped.",
                hint="the repository is larger than Burnish can serve",
            )
        try:
            sink.write(chunk) if sink else kept.append(chunk)
        except OSError as error:
            _kill(child)
            await _drain(child.stdout)
            return WorkspaceError(f"what git printed could not be written: {error.strerror}.", hint=DISK_HINT)
    return b"".join(kept)


async def _read_head(stream: asyncio.StreamReader) -> bytes:
    """The beginning of a stream, drained to its end so that the writer never waits."""
    head = b""
    while chunk := await stream.read(CHUNK_BYTES):
        head += chunk[: max(0, MAX_STDERR_BYTES - len(head))]
    return head


async def _feed(child: Process, data: bytes) -> None:
    if child.stdin is None:
        return
    # A git that fails early closes its end; its exit status and words tell more than the broken pipe.
    with suppress(BrokenPipeError, ConnectionResetError):
        child.stdin.write(data)
        await child.stdin.drain()
    child.stdin.close()
    with suppress(BrokenPipeError, ConnectionResetError):
        await child.stdin.wait_closed()
