"""Agents made of another one: what they do not change is the inner one's."""

from __future__ import annotations

from dataclasses import dataclass

from burnish.errors import AgentError
from burnish.model.agent import Reply, Request
from burnish.ports import Agent, AgentSession


@dataclass(frozen=True)
class Around:
    """Goes by the inner agent's name, and can work where that can."""

    inner: Agent

    @property
    def name(self) -> str:
        return self.inner.name

    def check(self) -> None:
        self.inner.check()


class InnerSession:
    """Hands everything on to a session, which may be changed for another one meanwhile."""

    def __init__(self, name: str, inner: AgentSession | None = None) -> None:
        self._name = name
        self._inner = inner

    async def spawn(self, request: Request) -> None:
        await self._at_work().spawn(request)

    async def wait(self, timeout_s: float) -> Reply | None:
        return await self._at_work().wait(timeout_s)

    async def send(self, text: str) -> None:
        await self._at_work().send(text)

    async def close(self) -> None:
        inner, self._inner = self._inner, None
        if inner is not None:
            await inner.close()

    def _at_work(self) -> AgentSession:
        if self._inner is None:
            raise AgentError(f"{self._name} was not started, or is closed")
        return self._inner
