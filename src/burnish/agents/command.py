"""Agent `command`: any program. Prompt on stdin, answer in a file or on stdout, exit status 0 for done.

A reviewer answers on stdout alone: all that it runs inherits its environment and can write its files.
"""

from __future__ import annotations

import asyncio
import shlex
import time
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from burnish.agents import _outbox
from burnish.agents._sandboxing import sandbox_for
from burnish.agents._setup import AgentSetup
from burnish.agents._toolbox import forget_calls, tool_variables, without_tools
from burnish.agents._version import version_of
from burnish.errors import AgentError, AgentFailed, AgentMissing, AgentTimedOut, UsageError
from burnish.model.agent import Reply, Request
from burnish.model.step import Role
from burnish.ports import AgentSession
from burnish.process.child import Captured, Command, Finished, ProgramMissing
from burnish.process.containment import uninterrupted
from burnish.process.environment import child_environment
from burnish.process.isolation import usable_sandbox
from burnish.process.program import Lookup, find_program
from burnish.process.supervisor import run

ERROR_CHARS = 2000
# How far before its own end a command is simply waited for, so that its supervisor tells what happened.
AT_THE_END_S = 1.0
# Of a line that it prints while it works so much is passed on.
LINE_BYTES = 400
OUTPUT = "BURNISH_OUTPUT"
Start = Callable[[Command, Callable[[bytes], None] | None], Coroutine[Any, Any, Finished]]


def make(spec: str, setup: AgentSetup) -> CommandAgent:
    """An agent from a command line, split like a shell would and run without one."""
    try:
        argv = tuple(shlex.split(spec))
    except ValueError as error:
        raise UsageError(
            f"the agent {spec!r} cannot be split into words: {error}", hint="check its quotes"
        ) from None
    if not argv or not argv[0]:
        raise UsageError(
            f"expected a command line for an agent, found {spec!r}", hint="name a program to run"
        )
    if any("\0" in word for word in argv):
        raise UsageError(f"the agent {spec!r} holds a NUL character", hint="remove it")
    return CommandAgent(spec, argv, setup)


@dataclass(frozen=True)
class CommandAgent:
    """A program as an agent; each session is one run of it. `start` runs a child, or plays a recorded one.

    `ours` is a program of our own that runs nothing of the repository: also as a reviewer it may write files.
    """

    name: str
    argv: tuple[str, ...]
    setup: AgentSetup
    start: Start = run
    ours: bool = False

    def session(self) -> AgentSession:
        return CommandSession(self)

    def check(self) -> None:
        self.locate()

    def locate(self, outside: tuple[Path, ...] = ()) -> Path:
        """Where the program is; raises AgentMissing. Never in `outside`, the workspace."""
        path = child_environment(self.setup.environ).get("PATH", "")
        try:
            return find_program(self.argv[0], Lookup(path, self.setup.start.absolute(), outside))
        except ProgramMissing as error:
            raise AgentMissing(error.message, hint=error.hint) from None

    @property
    def version(self) -> str:
        """Of its bytes as they are now."""
        try:
            return version_of(self.locate(), self.argv[1:], self.setup.start.absolute())
        except AgentMissing:
            return ""

    def command(self, request: Request) -> Command:
        """The child that answers `request`."""
        program = self.locate(outside=(request.workspace,))
        reviews = request.role is Role.REVIEW
        return Command(
            argv=(str(program), *self.argv[1:]),
            cwd=request.workspace,
            env=self._environment(request),
            timeout_s=request.timeout_s,
            # A file name in the diff may hold bytes that are no UTF-8: they must not stop the prompt.
            stdin=request.prompt.encode("utf8", "backslashreplace"),
            stall_s=self.setup.stall_s,
            sandbox=usable_sandbox(self.setup.mode, sandbox_for(self.setup, without_tools(request))),
            sockets=reviews,
            apart=reviews,
        )

    def answers_on_stdout(self, request: Request) -> bool:
        """Whether files are no answer of it."""
        return request.role is Role.REVIEW and not self.ours

    def _environment(self, request: Request) -> Mapping[str, str]:
        return {
            **child_environment(self.setup.environ, self.setup.pass_names),
            **request.variables,
            "BURNISH_ROLE": str(request.role),
            "BURNISH_MODEL": request.model,
            "BURNISH_TIER": str(request.tier),
            # Where tokens are told; what stands there is counted, and never read as an answer.
            "BURNISH_USAGE": str(request.outbox / _outbox.USAGE),
            **({} if self.answers_on_stdout(request) else {OUTPUT: str(request.outbox / _outbox.MESSAGE)}),
            **tool_variables(request),
        }


class CommandSession:
    """One run of the program. It cannot be told anything while it runs: `send` says so."""

    def __init__(self, agent: CommandAgent) -> None:
        self._agent = agent
        self._request: Request | None = None
        self._task: asyncio.Task[Finished] | None = None
        self._ends = 0.0

    async def spawn(self, request: Request) -> None:
        if self._task is not None:
            raise AgentError(f"{self._agent.name} was already started in this session")
        command = self._agent.command(request)
        _outbox.clear(request.outbox)
        forget_calls(request)
        self._request = request
        self._ends = time.monotonic() + command.timeout_s
        self._task = asyncio.create_task(self._agent.start(command, _passed_on(request)))

    async def wait(self, timeout_s: float) -> Reply | None:
        """The reply, or None while it still works; raises when it failed or ran out of its own time."""
        if self._task is None or self._request is None:
            raise AgentError(f"{self._agent.name} was not started, or is closed")
        to_the_end = time.monotonic() + timeout_s + AT_THE_END_S >= self._ends
        await asyncio.wait({self._task}, timeout=None if to_the_end else timeout_s)
        if not self._task.done():
            return None
        try:
            finished = self._task.result()
        except ProgramMissing as error:
            raise AgentMissing(f"{self._agent.name}: {error.message}", hint=error.hint) from None
        return self._reply(finished, self._request)

    async def send(self, text: str) -> None:
        raise AgentError(
            f"{self._agent.name} is a program that runs once; it cannot be told anything while it runs"
        )

    async def close(self) -> None:
        """Kill it with everything it started, if it still runs."""
        task, self._task = self._task, None
        if task is None:
            return
        task.cancel()
        # Cancelled ourselves meanwhile, we still do not leave before it is dead.
        await uninterrupted(_over(task))

    def _reply(self, finished: Finished, request: Request) -> Reply:
        name, on_stdout = self._agent.name, self._agent.answers_on_stdout(request)
        usage, model = _outbox.usage(request.outbox, self._agent.setup.prices)
        if finished.timed_out or finished.stalled:
            what = (
                f"did not finish within {request.timeout_s:g} s"
                if finished.timed_out
                else f"printed nothing for {self._agent.setup.stall_s:g} s"
            )
            raise AgentTimedOut(
                _with_tail(f"{name} {what}", finished),
                hint="give it more time, or a smaller task",
                usage=usage,
            )
        if not finished.ok:
            raise AgentFailed(
                _with_tail(f"{name} ended with status {_status(finished)}", finished),
                agent_exit=finished.status,
                usage=usage,
            )
        try:
            message = None if on_stdout else _outbox.read(request.outbox, _outbox.MESSAGE)
            report = _outbox.read(request.outbox, _outbox.REPORT)
        except AgentFailed as error:
            error.usage = usage
            raise
        said: Captured = finished.stdout if message is None else message
        return Reply(
            text=said.text,
            report=None if report is None else report.text,
            report_witnessed=report is not None and self._agent.ours,
            agent_exit=finished.status,
            isolation=finished.isolation,
            truncated=bool(said.left_out or (report and report.left_out)),
            version=self._agent.version,
            usage=usage,
            model=model,
        )


def _passed_on(request: Request) -> Callable[[bytes], None] | None:
    hear = request.on_line
    if hear is None:
        return None

    def line(data: bytes) -> None:
        if text := data[:LINE_BYTES].decode("utf8", "replace").strip():
            hear(text)

    return line


async def _over(task: asyncio.Task[Finished]) -> None:
    await asyncio.gather(task, return_exceptions=True)


def _status(finished: Finished) -> str:
    signal = finished.status - 128
    return f"{finished.status} (signal {signal})" if 0 < signal <= 64 else str(finished.status)


def _with_tail(message: str, finished: Finished) -> str:
    said = finished.stderr.text.strip() or finished.stdout.text.strip()
    return f"{message}: {said[-ERROR_CHARS:]}" if said else message
