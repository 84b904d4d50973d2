"""The supervisor: runs one child, watches its clock and its output, and leaves nothing of it behind."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable
from dataclasses import replace
from enum import StrEnum

from burnish.process import bubblewrap
from burnish.process.capture import Capture, Lines, Spill
from burnish.process.child import CannotStart, Command, Finished
from burnish.process.containment import Contained, Ended, uninterrupted
from burnish.process.guarded import Guarded
from burnish.process.pipes import Pipes, read_all, write_all
from burnish.process.program import Lookup, find_program
from burnish.process.sandboxed import Sandboxed

DRAIN_S = 2.0
ERROR_CHARS = 500


class Stopped(StrEnum):
    """Why we ended a child that had not ended by itself."""

    TIMEOUT = "timeout"
    STALL = "stall"


async def run(command: Command, on_line: Callable[[bytes], None] | None = None) -> Finished:
    """Run a child to its end, whatever that end is; then its whole process tree is gone.

    `on_line` gets each line of stdout. Cancelling kills the tree first. Raises CannotStart when it never ran.
    """
    if not os.path.isabs(command.argv[0]):  # noqa: PTH117
        lookup = Lookup(command.env.get("PATH", ""), command.cwd, (command.cwd,))
        command = replace(command, argv=(str(find_program(command.argv[0], lookup)), *command.argv[1:]))
    pipes = Pipes(sockets=command.sockets)
    try:
        watch = Watch(command, pipes, on_line)
        try:
            contained = await _started(command, pipes)
            return await watch.over(contained)
        finally:
            watch.close()
    finally:
        pipes.close()


async def _started(command: Command, pipes: Pipes) -> Contained:
    """Cancelled while it starts, a child is first started to the end, then killed: half of one cannot be."""
    starting = asyncio.create_task(_start(command, pipes))
    try:
        return await asyncio.shield(starting)
    except asyncio.CancelledError:
        await uninterrupted(_kill_started(starting))
        raise


async def _kill_started(starting: asyncio.Task[Contained]) -> None:
    try:
        contained = await starting
    except CannotStart:
        return
    await contained.kill()


async def _start(command: Command, pipes: Pipes) -> Contained:
    bwrap = bubblewrap.usable() if command.sandbox is not None else None
    if bwrap is not None:
        return await Sandboxed.start(bwrap, command, pipes)
    return await Guarded.start(command, pipes)


class Watch:
    """One child being watched."""

    def __init__(self, command: Command, pipes: Pipes, on_line: Callable[[bytes], None] | None) -> None:
        self._command = command
        self._pipes = pipes
        self._lines = Lines(on_line) if on_line else None
        self._stdout = Capture(command.keep_bytes)
        self._stderr = Capture(command.keep_bytes)
        self._spill = Spill(command.spill) if command.spill else None
        self._began = self._heard = time.monotonic()

    def close(self) -> None:
        if self._spill:
            self._spill.close()

    async def over(self, contained: Contained) -> Finished:
        feed = asyncio.create_task(self._feed())
        pumps = {
            asyncio.create_task(read_all(self._pipes.stdout, self._take_stdout)),
            asyncio.create_task(read_all(self._pipes.stderr, self._take_stderr)),
        }
        end = asyncio.create_task(contained.wait())
        try:
            stopped = await self._until_end(end, set(pumps))
            if stopped is not None:
                await uninterrupted(contained.kill())
            ended = await self._end(end)
            drained, _ = await asyncio.wait(pumps, timeout=DRAIN_S)
            for pump in drained:
                pump.result()
            if self._lines and self._lines.unfinished:
                self._lines.finish()
        finally:
            await uninterrupted(_clean_up(contained, {feed, end, *pumps}))
        return self._finished(contained.isolation, ended, stopped)

    async def _feed(self) -> None:
        try:
            await write_all(self._pipes.stdin, self._command.stdin)
        finally:
            self._pipes.close(self._pipes.stdin)

    async def _until_end(self, end: asyncio.Task[Ended], pumps: set[asyncio.Task[None]]) -> Stopped | None:
        """Wait for the end; None if it came by itself. A failing `on_line` is raised from here."""
        deadline = self._began + self._command.timeout_s
        while True:
            stall = self._heard + self._command.stall_s if self._command.stall_s else deadline
            left = min(deadline, stall) - time.monotonic()
            if left <= 0 and not end.done():
                return Stopped.TIMEOUT if deadline <= stall else Stopped.STALL
            done, _ = await asyncio.wait(
                {end, *pumps}, timeout=max(left, 0), return_when=asyncio.FIRST_COMPLETED
            )
            for pump in done & pumps:
                pump.result()
                pumps.discard(pump)
            if end in done:
                return None

    async def _end(self, end: asyncio.Task[Ended]) -> Ended:
        try:
            return await end
        except CannotStart as error:
            said = self._stderr.captured.text.strip()[-ERROR_CHARS:]
            raise type(error)(
                f"{error.message}: {said}" if said else error.message, hint=error.hint
            ) from None

    def _take_stdout(self, data: bytes) -> None:
        self._stdout.take(data)
        self._heard_of(data)
        if self._lines:
            self._lines.take(data)

    def _take_stderr(self, data: bytes) -> None:
        self._stderr.take(data)
        self._heard_of(data)

    def _heard_of(self, data: bytes) -> None:
        self._heard = time.monotonic()
        if self._spill:
            self._spill.take(data)

    def _finished(self, isolation: str, ended: Ended, stopped: Stopped | None) -> Finished:
        return Finished(
            exit=ended.exit if stopped is None else None,
            signal=ended.signal if stopped is None else 9,
            stdout=self._stdout.captured,
            stderr=self._stderr.captured,
            timed_out=stopped is Stopped.TIMEOUT,
            stalled=stopped is Stopped.STALL,
            duration_s=time.monotonic() - self._began,
            isolation=isolation,
            left=ended.left,
        )


async def _clean_up(contained: Contained, tasks: set[asyncio.Task[None] | asyncio.Task[Ended]]) -> None:
    await contained.kill()
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
