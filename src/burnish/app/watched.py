"""An agent of agents: looks at the user's repository around an agent that no sandbox holds."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from burnish.agents._around import Around, InnerSession
from burnish.git.witness import Sighting, Witness
from burnish.model.agent import Request
from burnish.ports import AgentSession

Report = Callable[[str, str], Awaitable[None]]
MOST = 5


@dataclass(frozen=True)
class WatchedAgent(Around):
    """`report` gets a key and a sentence for each request during which something changed."""

    witness: Witness
    report: Report

    def session(self) -> AgentSession:
        return _Watched(self, self.inner.session())


class _Watched(InnerSession):
    def __init__(self, agent: WatchedAgent, inner: AgentSession) -> None:
        super().__init__(agent.name, inner)
        self._agent = agent
        self._before: Sighting | None = None
        self._label = ""

    async def spawn(self, request: Request) -> None:
        self._before = await self._agent.witness.look()
        self._label = f"{request.role}/{request.variables.get('BURNISH_CYCLE', '')}"
        await super().spawn(request)

    async def close(self) -> None:
        await super().close()
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
