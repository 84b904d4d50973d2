"""An agent that was waited for in vain, in a run that is alone: the run is left to be resumed, not failed."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from burnish.agents._around import Around, InnerSession
from burnish.app.allowance import Allowance
from burnish.errors import AgentWaitedFor, LimitOutlasts
from burnish.model.agent import Reply, Request
from burnish.ports import AgentSession


@dataclass(frozen=True)
class WaitingAgent(Around):
    """`book` keeps what was spent until then: a step that is done again has no other record."""

    book: Allowance

    def session(self) -> AgentSession:
        return _Session(self)


class _Session(InnerSession):
    def __init__(self, agent: WaitingAgent) -> None:
        super().__init__(agent.name, agent.inner.session())
        self._book = agent.book
        self._request: Request | None = None

    async def spawn(self, request: Request) -> None:
        self._request = request
        try:
            await super().spawn(request)
        except AgentWaitedFor as error:
            await self._leave(error)

    async def wait(self, timeout_s: float) -> Reply | None:
        try:
            return await super().wait(timeout_s)
        except AgentWaitedFor as error:
            await self._leave(error)
            return None

    async def _leave(self, error: AgentWaitedFor) -> None:
        assert self._request is not None
        await asyncio.to_thread(self._book.cut_short, self._request, error)
        run = self._request.variables.get("BURNISH_RUN", "RUN")
        raise LimitOutlasts(error.message, hint=f"when it is over, go on with: burnish resume {run}")
