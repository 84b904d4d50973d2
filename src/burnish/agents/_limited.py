"""At most so many at once: agents that share one account wait for a free place before they are asked."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass

from burnish.agents._around import Around, InnerSession
from burnish.errors import AgentLimited, UsageError
from burnish.model.agent import Request
from burnish.ports import AgentSession

_FORM = re.compile(r"([^=\s]+)=([1-9][0-9]{0,5})", re.A)


class StillLimited(AgentLimited):
    """There is a place, but meanwhile somebody found out that the agent must not be asked now."""


class Places:
    """The places of each agent, shared by all runs of this process. Without a limit there is always room."""

    def __init__(self, limits: Iterable[str] = ()) -> None:
        """`limits` are written `claude=2`, by the name of the program."""
        self._places: dict[str, asyncio.Semaphore] = {}
        for text in limits:
            found = _FORM.fullmatch(text)
            if found is None or found[1] in self._places:
                again = "" if found is None else " a second time"
                raise UsageError(
                    f"work.agents_at_once takes NAME=NUMBER, once for each agent, found {text!r}{again}",
                    hint='for example agents_at_once = ["claude=2"]',
                )
            self._places[found[1]] = asyncio.Semaphore(int(found[2]))

    def of(self, name: str) -> asyncio.Semaphore | None:
        return self._places.get(name)


@dataclass(frozen=True)
class LimitedAgent(Around):
    """Asked only when there is a place for it, and `waits` does not say that a limit came up meanwhile."""

    room: asyncio.Semaphore
    waits: Callable[[], Awaitable[bool]] | None = None

    def session(self) -> AgentSession:
        return _Session(self, self.inner.session())


class _Session(InnerSession):
    """Has its place from `spawn` until `close`."""

    def __init__(self, agent: LimitedAgent, inner: AgentSession) -> None:
        super().__init__(agent.name, inner)
        self._agent = agent
        self._inside = False

    async def spawn(self, request: Request) -> None:
        await self._agent.room.acquire()
        self._inside = True
        if self._agent.waits is not None and await self._agent.waits():
            raise StillLimited(f"{self._agent.name} is limited")
        await super().spawn(request)

    async def close(self) -> None:
        try:
            await super().close()
        finally:
            if self._inside:
                self._inside = False
                self._agent.room.release()
