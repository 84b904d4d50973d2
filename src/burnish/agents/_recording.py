"""An agent that is recorded: everything it is asked and does goes to a cassette as well."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from burnish.agents import _file_changes
from burnish.agents._around import Around, InnerSession
from burnish.agents._cassette import CLI, COMMAND, RecordedCall, asked, write
from burnish.agents._cli_runner import CliAgent
from burnish.agents._file_changes import Look
from burnish.agents.command import CommandAgent
from burnish.agents.fallback import FallbackAgent
from burnish.agents.retry import RetryAgent
from burnish.errors import AgentError
from burnish.model.agent import Reply, Request
from burnish.ports import Agent, AgentSession
from burnish.process.child import Command, Finished


def recorded(agent: Agent, folder: Path) -> Agent:
    """The agent with a recorder around whoever really answers."""
    if isinstance(agent, FallbackAgent):
        return replace(agent, agents=tuple(recorded(part, folder) for part in agent.agents))
    if isinstance(agent, RetryAgent):
        return replace(agent, inner=recorded(agent.inner, folder))
    return RecordingAgent(agent, folder) if isinstance(agent, CliAgent | CommandAgent) else agent


@dataclass(frozen=True)
class RecordingAgent(Around):
    folder: Path

    def session(self) -> AgentSession:
        return _Recording(self)


@dataclass
class Tape:
    """What the last child of a session printed, and how it ended."""

    lines: list[tuple[float, bytes]] = field(default_factory=list)
    finished: Finished | None = None

    def around_cli(self, agent: CliAgent) -> CliAgent:
        async def start(command: Command, on_line: Callable[[bytes], None]) -> Finished:
            began = time.monotonic()
            # A session that was reminded has a second child, which tells the whole answer.
            self.lines, self.finished = [], None

            def hear(data: bytes) -> None:
                self.lines.append((time.monotonic() - began, data))
                on_line(data)

            self.finished = await agent.start(command, hear)
            return self.finished

        return replace(agent, start=start)

    def around_command(self, agent: CommandAgent) -> CommandAgent:
        async def start(command: Command, on_line: Callable[[bytes], None] | None) -> Finished:
            self.finished = await agent.start(command, on_line)
            return self.finished

        return replace(agent, start=start)

    def around(self, agent: Agent) -> Agent:
        if isinstance(agent, CliAgent):
            return self.around_cli(agent)
        return self.around_command(agent) if isinstance(agent, CommandAgent) else agent


class _Recording(InnerSession):
    def __init__(self, agent: RecordingAgent) -> None:
        self._tape = Tape()
        super().__init__(agent.name, self._tape.around(agent.inner).session())
        self._agent = agent
        self._request: Request | None = None
        self._before: Look = {}
        self._began = 0.0

    async def spawn(self, request: Request) -> None:
        self._before = await asyncio.to_thread(_file_changes.look, request.workspace)
        self._began = time.monotonic()
        await super().spawn(request)
        self._request = request

    async def wait(self, timeout_s: float) -> Reply | None:
        try:
            reply = await super().wait(timeout_s)
        except AgentError:
            await self._keep(None)
            raise
        if reply is not None:
            await self._keep(reply)
        return reply

    async def close(self) -> None:
        """One that was never waited for to its end is kept as stopped."""
        await super().close()
        await self._keep(None)

    async def _keep(self, reply: Reply | None) -> None:
        request, self._request = self._request, None
        if request is not None:
            await asyncio.to_thread(self._write, request, reply)

    def _write(self, request: Request, reply: Reply | None) -> None:
        inner = self._agent.inner
        call = RecordedCall(
            kind=CLI if isinstance(inner, CliAgent) else COMMAND,
            agent=inner.name,
            adapter=inner.adapter.name if isinstance(inner, CliAgent) else "",
            request=asked(request),
            lines=tuple(self._tape.lines),
            finished=self._tape.finished,
            answered=reply is not None,
            seconds=time.monotonic() - self._began,
            version=reply.version if reply else "",
            isolation=reply.isolation if reply else "",
            files=_file_changes.changes(request.workspace, self._before),
            outbox=_file_changes.changes(request.outbox, {}),
            calls=request.open_tools.made() if request.open_tools else (),
        )
        write(self._agent.folder, call)
