"""An agent of agents: looks at the user's repository around an agent that no sandbox holds."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from burnish.git.witness import Sighting, Witness
from burnish.model.agent import Reply, Request
from burnish.ports import Agent, AgentSession

Report = Callable[[str, str], Awaitable[None]]
MOST = 5


@dataclass(frozen=True)
class WatchedAgent:
    """`report` gets a key and a sentence for each request during which something changed."""

    inner: Agent
    witness: Witness
    report: Report

    @property
    def name(self) -> str:
        return self.inner.name

    def check(self) -> None:
        self.inner.check()

    def session(self) -> AgentSession:
        return _Watched(self, self.inner.session())


class _Watched:
    def __init__(self, agent: WatchedAgent, inner: AgentSession) -> None:
        self._agent = agent
        self._inner = inner
        self._before: Sighting | None = None
        self._label = ""

    async def spawn(self, request: Request) -> None:
        self._before = await self._agent.witness.look()
        self._label = f"{request.role}/{request.variables.get('BURNISH_CYCLE', '')}"
        await self._inner.spawn(request)

    async def wait(self, timeout_s: float) -> Reply | None:
        return await self._inner.wait(timeout_s)

    async def send(self, text: str) -> None:
        await self._inner.send(text)

    async def close(self) -> None:
        await self._inner.close()
        before, self._before = self._before, None
        if before is None:
            return
        witness = self._agent.witness
        found = await witness.differences(before, await witness.look())
        if found:
            more = f", and {len(found) - MOST} more" if len(found) > MOST else ""
            what = f"{', '.join(found[:MOST])}{more}"
            text = f"while {self._agent.name} ran unsandboxed, your repository changed: {what}"
            await self._agent.report(f"misdeed/{self._label}/{what}", text)
