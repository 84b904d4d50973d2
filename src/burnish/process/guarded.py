"""A child under the guard process: the isolation that works everywhere and forbids nothing."""

from __future__ import annotations

import asyncio
import errno
import os
import signal
import sys
from dataclasses import replace
from pathlib import Path

from burnish.process import guard
from burnish.process.child import CannotStart, Command, ProgramMissing
from burnish.process.containment import Ended, close_fds, start_process
from burnish.process.isolation import UNSANDBOXED
from burnish.process.pipes import Pipes

PATIENCE_S = guard.GIVE_UP_S + 2.0
NOT_A_PROGRAM = (errno.ENOENT, errno.EACCES, errno.ENOEXEC, errno.ENOTDIR, errno.EISDIR, errno.ELOOP)


class Guarded:
    """The guard's process and the two pipes to it."""

    isolation = UNSANDBOXED

    def __init__(self, process: asyncio.subprocess.Process, control: int, report: int) -> None:
        self._process = process
        self._control = {control}
        self._report = report
        self._to_close = {report}
        self._said: dict[str, int] = {}

    @classmethod
    async def start(cls, command: Command, pipes: Pipes) -> Guarded:
        their_control, control = os.pipe()
        report, their_report = os.pipe()
        os.set_blocking(report, False)
        theirs, ours = {their_control, their_report}, {control, report}
        argv = [sys.executable, "-I", "-S", str(Path(guard.__file__)), str(their_control), str(their_report)]
        try:
            process = await start_process(
                [*argv, str(command.cwd), *command.argv], pipes, command.env, tuple(theirs)
            )
            # Not before now: a guard that we lose while starting it must not have started anything.
            os.write(control, b"g")
        except BaseException:
            close_fds(ours)
            raise
        finally:
            close_fds(theirs)
        return cls(process, control, report)

    async def wait(self) -> Ended:
        await self._process.wait()
        self._listen()
        if "errno" in self._said:
            raise _not_started(self._said["errno"], self._process.pid)
        ended = Ended(self._said.get("exit"), self._said.get("signal"), self._said.get("left", 0))
        if ended.exit is None and ended.signal is None:
            return replace(ended, signal=int(signal.SIGKILL))
        return ended

    async def kill(self) -> None:
        """Closing the pipe makes the guard kill everything; a guard that was stopped is woken for it."""
        close_fds(self._control)
        try:
            if self._process.returncode is None:
                self._process.send_signal(signal.SIGCONT)
                await asyncio.wait_for(self._process.wait(), PATIENCE_S)
        except (TimeoutError, ProcessLookupError):
            if self._process.returncode is None:
                self._process.kill()
                await self._process.wait()
        self._listen()
        if not {"exit", "signal", "errno"} & self._said.keys():
            self._sweep()
        close_fds(self._to_close)

    def _listen(self) -> None:
        if not self._to_close:
            return
        try:
            text = os.read(self._report, 4096).decode()
        except BlockingIOError:
            return
        for line in text.splitlines():
            what, _, number = line.partition(" ")
            self._said[what] = int(number)

    def _sweep(self) -> None:
        """The guard itself was killed (its child may do that): kill what is still in the child's session."""
        child = self._said.get("pid")
        if child is None:
            return
        table = guard.processes()
        found = {pid for pid, (_, group, session) in table.items() if child in (pid, group, session)}
        found |= {below for pid in found for below in guard.descendants(pid, table)}
        for pid in found:
            guard.kill(pid)


def _not_started(number: int, pid: int) -> CannotStart:
    why = os.strerror(number)
    if number in NOT_A_PROGRAM:
        return ProgramMissing(f"the program could not be started: {why}", hint="check its path and its mode")
    return CannotStart(f"the child of guard {pid} could not be started: {why}")
