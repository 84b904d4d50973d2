"""An agent that is listened to while it works: for people who look on, never for the work itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from burnish.agents._around import Around, InnerSession
from burnish.model.agent import OnLine, Request
from burnish.ports import AgentSession

# The run that it works for, and what it said last.
Ear = Callable[[str, str], None]


@dataclass(frozen=True)
class HeardAgent(Around):
    hear: OnLine

    def session(self) -> AgentSession:
        return _Heard(self, self.inner.session())


class _Heard(InnerSession):
    def __init__(self, agent: HeardAgent, inner: AgentSession) -> None:
        super().__init__(agent.name, inner)
        self._hear = agent.hear

    async def spawn(self, request: Request) -> None:
        await super().spawn(replace(request, on_line=self._hear))
