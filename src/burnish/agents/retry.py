"""Agent `retry`: an agent asked again while it is limited. `retry:3:CMD` asks three times at most.

The only place where Burnish repeats a question because of a limit: agents and workflows just report one.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace

from burnish.agents._around import InnerSession
from burnish.agents._choose import choose
from burnish.agents._setup import AgentSetup
from burnish.errors import AgentError, AgentLimited, UsageError
from burnish.model.agent import Reply, Request, Usage
from burnish.model.trouble import Trouble, asked_to_wait_s, trouble_of
from burnish.ports import Agent, AgentSession

MOST_ASKS = 20
FIRST_PAUSE_S = 2.0
LONGEST_PAUSE_S = 300.0


def make(spec: str, setup: AgentSetup) -> RetryAgent:
    times, colon, rest = spec.partition(":")
    if not colon or not rest.strip() or not (times.isdecimal() and 1 <= int(times) <= MOST_ASKS):
        raise UsageError(
            f"expected retry:TIMES:AGENT with 1 to {MOST_ASKS} times, found 'retry:{spec}'.",
            hint="for example retry:3:./my-agent",
        )
    return RetryAgent(f"retry:{spec}", choose(rest, setup), int(times))


@dataclass(frozen=True)
class RetryAgent:
    """`sleep` and `chance` (0 to 1) are what makes it wait, and wait unevenly."""

    name: str
    inner: Agent
    times: int
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    chance: Callable[[], float] = random.random

    def check(self) -> None:
        self.inner.check()

    def session(self) -> AgentSession:
        return _Session(self)

    def pause_s(self, asked: int, error: AgentError) -> float:
        """Twice as long each time, spread so that seven reviewers do not come back in the same moment;
        never shorter than what the agent itself asked for."""
        most = min(FIRST_PAUSE_S * 2.0 ** (asked - 1), LONGEST_PAUSE_S)
        spread = most / 2 + most / 2 * self.chance()
        return spread + (wanted_pause_s(error) or 0.0)


class _Session(InnerSession):
    def __init__(self, agent: RetryAgent) -> None:
        super().__init__(agent.name)
        self._agent = agent
        self._request: Request | None = None
        self._ends = 0.0
        self._asked = 0
        self._spent = Usage()

    async def spawn(self, request: Request) -> None:
        self._request = request
        self._ends = time.monotonic() + request.timeout_s
        await self._start(request)

    async def wait(self, timeout_s: float) -> Reply | None:
        """All attempts and pauses together take no longer than one attempt may."""
        until = time.monotonic() + timeout_s
        while True:
            try:
                reply = await self._at_work().wait(max(until - time.monotonic(), 0.0))
            except AgentError as error:
                await self._again(error, min(until, self._ends) - time.monotonic())
                continue
            if reply is None:
                return None
            name, usage = reply.agent or self._agent.inner.name, self._spent + reply.usage
            return replace(reply, agent=name, usage=usage)

    async def _again(self, error: AgentError, left_s: float) -> None:
        """A new attempt after a pause, or the error itself where another attempt is no use or has no time."""
        agent, request = self._agent, self._request
        assert request is not None
        self._spent += error.usage
        pause_s = agent.pause_s(self._asked, error)
        if not is_limit(error) or self._asked >= agent.times or pause_s >= left_s:
            error.usage = self._spent
            raise error
        await self.close()
        await agent.sleep(pause_s)
        await self._start(replace(request, timeout_s=max(self._ends - time.monotonic(), 0.001)))

    async def _start(self, request: Request) -> None:
        self._asked += 1
        self._inner = self._agent.inner.session()
        await self._inner.spawn(request)


def is_limit(error: AgentError) -> bool:
    """By its words only where nobody knows better: a login that failed may speak of limits as well."""
    if isinstance(error, AgentLimited) or error.trouble is not None:
        return isinstance(error, AgentLimited)
    return trouble_of(error.message) is Trouble.LIMIT


def wanted_pause_s(error: AgentError) -> float | None:
    given = error.retry_after_s if isinstance(error, AgentLimited) else None
    return asked_to_wait_s(error.message) if given is None else given
