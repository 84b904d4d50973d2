"""A child in bubblewrap: its own process namespace, so the end of its first process is the end of all."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import time
from collections.abc import Callable
from pathlib import Path

from burnish.process.bubblewrap import arguments, isolation_name
from burnish.process.child import CannotStart, Command
from burnish.process.containment import Ended, close_fds, start_process
from burnish.process.pipes import Pipes
from burnish.process.seccomp import filter_file

STARTS_S = 30.0
SETUP_S = 2.0
GONE_S = 5.0
# What bubblewrap itself ends with when it cannot set something up.
BWRAP_FAILED = 1
FIRST_PID = re.compile(rb'"child-pid": (\d+)')
NAMESPACE = re.compile(rb'"pid-namespace": (\d+)')
# The end of the first line: written in pieces, and the last thing before the first process may go on.
RELEASED = re.compile(rb'"child-pid": (\d+)[^}]*\}\n')
EXIT_CODE = re.compile(rb'"exit-code": (\d+)')


class Sandboxed:
    """Bubblewrap's outer process, and what it wrote about the first process inside."""

    def __init__(
        self, process: asyncio.subprocess.Process, isolation: str, status: int, control: int
    ) -> None:
        self._process = process
        self._isolation = isolation
        self._status = status
        self._killed = False
        self._to_close = {status, control}

    @property
    def isolation(self) -> str:
        return self._isolation

    @classmethod
    async def start(cls, bwrap: Path, command: Command, pipes: Pipes) -> Sandboxed:
        # A file in memory, not a pipe: were we to die now, a broken pipe would stop bubblewrap half-way.
        status = os.memfd_create("bwrap-status")
        their_control, control = os.pipe()
        refused = filter_file(apart=command.apart)
        passed = (status, their_control, *(() if refused is None else (refused,)))
        try:
            argv = arguments(bwrap, command, status, their_control, refused)
            process = await start_process(argv, pipes, command.env, passed)
        except BaseException:
            close_fds({status, control})
            raise
        finally:
            close_fds({their_control, *passed[2:]})
        return cls(process, isolation_name(command.sandbox), status, control)

    async def wait(self) -> Ended:
        await self._process.wait()
        code = self._told(EXIT_CODE)
        if code is not None:
            return Ended(exit=code)
        if self._process.returncode == BWRAP_FAILED and not self._killed:
            raise CannotStart("bubblewrap could not make the sandbox", hint="see `burnish doctor`")
        return Ended(signal=int(signal.SIGKILL))

    async def kill(self) -> None:
        """Kill the first process inside: the kernel then kills all others, and bubblewrap itself ends."""
        self._killed = True
        # Never the outer one before it has let the first one go on: that would wait for it for ever.
        await self._until(lambda: self._told(RELEASED) is not None, STARTS_S)
        first = self._first()
        if first is not None:
            _signal(first)
            os.close(first)
            await self._until(lambda: False, SETUP_S)
        if self._process.returncode is None:
            self._process.kill()
        await self._process.wait()
        await self._gone()
        close_fds(self._to_close)

    async def _until(self, told: Callable[[], bool], limit_s: float) -> None:
        """Wait for bubblewrap to have told us something, or to be over."""
        until = time.monotonic() + limit_s
        # Polled: the file in memory that bubblewrap writes to has no event to wait for.
        while not told() and self._process.returncode is None and time.monotonic() < until:  # noqa: ASYNC110
            await asyncio.sleep(0.001)

    async def _gone(self) -> None:
        """Wait for the first process: it is dead only when all others in its namespace are."""
        first = self._first()
        if first is None:
            return
        try:
            if not await _ends(first, SETUP_S):
                _signal(first)
                await _ends(first, GONE_S)
        finally:
            os.close(first)

    def _first(self) -> int | None:
        """A handle on the first process inside, if it still lives; a reused number is not mistaken for it."""
        pid = self._told(FIRST_PID)
        if pid is None:
            return None
        try:
            handle = os.pidfd_open(pid)
        except OSError:
            return None
        try:
            space = os.readlink(f"/proc/{pid}/ns/pid")  # noqa: PTH115
        except OSError:
            space = ""
        if space == f"pid:[{self._told(NAMESPACE)}]":
            return handle
        os.close(handle)
        return None

    def _told(self, what: re.Pattern[bytes]) -> int | None:
        if not self._to_close:
            return None
        found = what.search(os.pread(self._status, 4096, 0))
        return int(found[1]) if found else None


def _signal(handle: int) -> None:
    try:
        signal.pidfd_send_signal(handle, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return


async def _ends(handle: int, limit_s: float) -> bool:
    loop = asyncio.get_running_loop()
    over = asyncio.Event()
    loop.add_reader(handle, over.set)
    try:
        await asyncio.wait_for(over.wait(), limit_s)
    except TimeoutError:
        return False
    finally:
        loop.remove_reader(handle)
    return True
