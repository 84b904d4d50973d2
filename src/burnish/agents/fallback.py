"""Agent `fallback`: agents asked in turn until one answers. `fallback:CMD1|CMD2` asks CMD1 first."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from burnish.agents._around import InnerSession
from burnish.agents._choose import choose
from burnish.agents._setup import AgentSetup
from burnish.agents.embedded import EMBEDDED
from burnish.errors import (
    AgentError,
    AgentFailed,
    AgentLimited,
    AgentMissing,
    AgentTimedOut,
    AgentUnfit,
    UsageError,
)
from burnish.model.agent import Reply, Request, Usage
from burnish.model.agent_events import AgentTrouble
from burnish.model.trouble import trouble_of
from burnish.ports import Agent, AgentSession
from burnish.sanitise import clean_line

# Between quotes a bar belongs to the command line.
_PART = re.compile(r"""(?:[^|'"\\]|\\.|'[^']*'|"(?:[^"\\]|\\.)*")+""", re.S)
SAID_CHARS = 300
_SOONEST = (AgentTrouble.RATE_LIMIT, AgentTrouble.QUOTA, AgentTrouble.OVERLOADED)
_KINDS = {
    AgentUnfit: "not made for this",
    AgentLimited: "rate limit",
    AgentMissing: "not installed",
    AgentTimedOut: "out of time",
}


def make(spec: str, setup: AgentSetup) -> FallbackAgent:
    found = _PART.findall(spec)
    parts = tuple(part.strip() for part in found)
    if len(parts) < 2 or not all(parts) or "|".join(found) != spec:
        raise UsageError(
            f"expected fallback:AGENT|AGENT with two agents or more, found 'fallback:{spec}'.",
            hint="for example 'fallback:./first-agent|./second-agent'",
        )
    return FallbackAgent(f"fallback:{spec}", tuple(choose(part, setup) for part in parts))


@dataclass(frozen=True)
class FallbackAgent:
    """A later agent works in the workspace as an earlier one left it."""

    name: str
    agents: tuple[Agent, ...]

    def check(self) -> None:
        """One that is there is enough; one that can only stand in is not."""
        missing = []
        agents = [agent for agent in self.agents if agent.name != EMBEDDED]
        for agent in agents:
            try:
                agent.check()
            except AgentMissing as error:
                missing.append(error)
        if missing and len(missing) == len(agents):
            raise missing[0]

    def session(self) -> AgentSession:
        return _Session(self)


class _Session(InnerSession):
    def __init__(self, agent: FallbackAgent) -> None:
        super().__init__(agent.name)
        self._agent = agent
        self._request: Request | None = None
        self._turn = 0
        self._errors: list[AgentError] = []

    async def spawn(self, request: Request) -> None:
        self._request = request
        await self._start()

    async def wait(self, timeout_s: float) -> Reply | None:
        """Whoever comes next gets the whole time again: the time of one that failed was not its own."""
        while True:
            try:
                reply = await self._at_work().wait(timeout_s)
            except AgentError as error:
                await self._next(error)
                continue
            if reply is None:
                return None
            name = reply.agent or self._agent.agents[self._turn].name
            passed_over = (*self._passed_over, *reply.passed_over)
            return replace(reply, agent=name, usage=self._spent + reply.usage, passed_over=passed_over)

    async def _start(self) -> None:
        """The agent whose turn it is, or the next one that can be started."""
        assert self._request is not None
        self._inner = self._agent.agents[self._turn].session()
        try:
            await self._inner.spawn(self._request)
        except AgentError as error:
            await self._next(error)

    async def _next(self, error: AgentError) -> None:
        await self.close()
        self._errors.append(error)
        if error.trouble is AgentTrouble.BUDGET:
            # The next one would spend what there is not.
            error.usage = self._spent
            raise error
        self._turn += 1
        if self._turn == len(self._agent.agents):
            error = self._nobody()
            error.usage = self._spent
            raise error
        await self._start()

    @property
    def _spent(self) -> Usage:
        """By those who gave no answer."""
        total = Usage()
        for error in self._errors:
            total += error.usage
        return total

    @property
    def _passed_over(self) -> tuple[str, ...]:
        """Whoever was asked and gave no answer, with the kind of it first."""
        names = (agent.name for agent in self._agent.agents)
        return tuple(
            f"{clean_line(name)}: {_kind(error)} ({clean_line(_said(name, error))})"
            for name, error in zip(names, self._errors, strict=False)
        )

    def _nobody(self) -> AgentError:
        """One error for all of them, of the kind that says what could help."""
        names = (agent.name for agent in self._agent.agents)
        told = "; ".join(
            f"{name}: {_said(name, error)}" for name, error in zip(names, self._errors, strict=True)
        )
        message = f"none of {len(self._errors)} agents answered: {told}"
        # Who is not made for it would not be after a while either: the others say what could help.
        errors = [error for error in self._errors if not isinstance(error, AgentUnfit)] or self._errors
        limits = [error for error in errors if isinstance(error, AgentLimited)]
        if len(limits) == len(errors):
            waits = [error.retry_after_s for error in limits if error.retry_after_s is not None]
            limited = AgentLimited(message, retry_after_s=min(waits, default=None))
            kinds = {error.trouble for error in limits}
            # What is soonest over of what they said decides whether waiting for all of them is any use.
            limited.trouble = next((one for one in _SOONEST if one in kinds), None)
            return limited
        last = errors[-1]
        if isinstance(last, AgentTimedOut):
            return AgentTimedOut(message, hint=last.hint)
        return AgentFailed(message, hint=last.hint, agent_exit=last.agent_exit)


def _kind(error: AgentError) -> str:
    if error.trouble is not None:
        return error.trouble.words
    known = next((word for kind, word in _KINDS.items() if isinstance(error, kind)), None)
    return known or trouble_of(error.message) or "failed"


def _said(name: str, error: AgentError) -> str:
    return error.message.removeprefix(name)[:SAID_CHARS].strip()
