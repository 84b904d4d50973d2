"""What both isolations share: a child that is contained with its whole process tree, and how it ended."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Coroutine, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from burnish.process.child import CannotStart
from burnish.process.pipes import Pipes

T = TypeVar("T")


@dataclass(frozen=True)
class Ended:
    """The main child's end; both None when it was killed before it could tell. `left` could not be killed."""

    exit: int | None = None
    signal: int | None = None
    left: int = 0


class Contained(Protocol):
    """A running child. `wait` returns when it is over, `kill` when its whole process tree is gone too.

    `kill` comes last however the child ended: it may have left somebody behind.
    """

    @property
    def isolation(self) -> str: ...
    async def wait(self) -> Ended: ...
    async def kill(self) -> None: ...


async def start_process(
    argv: list[str], pipes: Pipes, env: Mapping[str, str], pass_fds: tuple[int, ...]
) -> asyncio.subprocess.Process:
    """Start a child on our pipes, from this very thread: bubblewrap dies with the thread that started it."""
    stdin, stdout, stderr = pipes.theirs
    try:
        process = await asyncio.create_subprocess_exec(
            *argv,
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
            env=dict(env),
            pass_fds=pass_fds,
            cwd="/",
            # Ctrl-C in our terminal is for us: we end the child, in order.
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        raise CannotStart(
            f"{argv[0]!r} could not be started: {error}",
            hint="check the free memory, the open files and the number of processes, then resume the run",
        ) from error
    pipes.close(*pipes.theirs)
    return process


def close_fds(fds: set[int]) -> None:
    """Close each once, however often this is called."""
    while fds:
        os.close(fds.pop())


async def uninterrupted(work: Coroutine[Any, Any, T]) -> T:
    """Finish `work` even when we are cancelled meanwhile; the cancellation is passed on afterwards."""
    task = asyncio.create_task(work)
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.shield(task)
        except asyncio.CancelledError as error:
            cancelled = error
    if cancelled is not None and not task.cancelled() and task.exception() is None:
        raise cancelled
    return task.result()
