"""An agent that is waited for: when it reports a limit, everybody who wants it waits until it is over."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Protocol

from burnish.agents._around import Around, InnerSession
from burnish.agents._limited import StillLimited
from burnish.agents.retry import is_limit, wanted_pause_s
from burnish.errors import AgentError, AgentLimited, AgentTimedOut, AgentWaitedFor
from burnish.model.agent import Reply, Request, Usage
from burnish.model.agent_events import AgentTrouble
from burnish.model.cooldown import LONGEST_WAIT_S, Cooldown
from burnish.model.trouble import Trouble
from burnish.ports import AgentSession
from burnish.sanitise import clean_line

FIRST_PAUSE_S = 60.0
LONGEST_PAUSE_S = 1800.0
# How often the table is read again while waiting: another process may have set a later end.
LOOK_AGAIN_S = 20.0
# An agent that only seems to speak of a limit, and says no time, may mean something else.
MOST_GUESSES = 6
NAME_CHARS = 60
HALF_A_DAY_S = 12 * 3600.0
_WITH_A_TIME = (None, AgentTrouble.QUOTA)

Report = Callable[[str, str], Awaitable[None]]


class Cooldowns(Protocol):
    """Shared by all processes that may ask the same agents."""

    async def of(self, agent: str) -> Cooldown | None: ...
    async def cool(self, agent: str, seconds: float, why: str) -> Cooldown: ...
    async def over(self, found: Cooldown) -> None:
        """Somebody has waited for it to the end, whatever the clock says."""
        ...


@dataclass(frozen=True)
class PatientAgent(Around):
    """`known_as` is the name its limits are known by; `longest_s` is how long one question may wait in all.

    `most_asks` is for a run that is alone: it asks so often in all, and is given up as one waited for.
    `sleep`, `chance` (0 to 1) and `monotonic` are what makes it wait, and wait unevenly.
    """

    known_as: str
    cooldowns: Cooldowns
    report: Report
    longest_s: float = LONGEST_WAIT_S
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    chance: Callable[[], float] = random.random
    monotonic: Callable[[], float] = time.monotonic
    most_asks: int | None = None

    def session(self) -> AgentSession:
        return _Session(self)

    def pause_s(self, limits: int, error: AgentError) -> float:
        """What the agent asked for, else twice as long each time; spread a little, for others wait too."""
        wanted = wanted_pause_s(error)
        pause = min(FIRST_PAUSE_S * 2.0 ** (limits - 1), LONGEST_PAUSE_S) if wanted is None else wanted
        return pause + min(pause / 10, 30.0) * self.chance()


class _Session(InnerSession):
    def __init__(self, agent: PatientAgent) -> None:
        super().__init__(agent.name)
        self._agent = agent
        self._request: Request | None = None
        self._spent = Usage()
        self._waited_s = 0.0
        self._limits = 0
        self._said = ""
        self._began = 0.0

    async def spawn(self, request: Request) -> None:
        self._request = request
        await self._start()

    async def wait(self, timeout_s: float) -> Reply | None:
        """Each attempt has the whole time: waiting for the end of a limit is not the agent's time."""
        while True:
            try:
                reply = await self._at_work().wait(timeout_s)
            except AgentError as error:
                await self._after(error)
                await self._start()
                continue
            return reply and replace(reply, usage=self._spent + self._timed(reply.usage))

    async def _start(self) -> None:
        """Ask as soon as nobody knows of a limit any more; a limit told at once is waited for as well."""
        assert self._request is not None
        while True:
            await self._until_over()
            self._inner = self._agent.inner.session()
            try:
                await self._inner.spawn(self._request)
            except StillLimited:
                await self.close()
                continue
            except AgentError as error:
                self._began = self._agent.monotonic()
                await self._after(error)
                continue
            self._began = self._agent.monotonic()
            return

    async def _after(self, error: AgentError) -> None:
        """Note the limit for everybody, or raise the error where waiting is no use."""
        agent = self._agent
        self._spent += self._timed(error.usage)
        error.usage = self._spent
        # One that ran out of time may have spoken of limits for another reason, and would take as long again.
        if isinstance(error, AgentTimedOut) or not is_limit(error):
            raise error
        self._limits += 1
        self._said = error.message
        if agent.most_asks is not None:
            self._alone(error, agent.most_asks)
        sure = isinstance(error, AgentLimited) or wanted_pause_s(error) is not None
        if not sure and self._limits >= MOST_GUESSES:
            raise self._given_up(error.message)
        # Before its place is free: whoever gets that must know.
        await agent.cooldowns.cool(agent.known_as, agent.pause_s(self._limits, error), _kind(error))
        await self.close()

    def _alone(self, error: AgentError, most_asks: int) -> None:
        """Raises where somebody who looks on would wait for nothing: for what may never be over."""
        told = wanted_pause_s(error) is not None
        if error.trouble is AgentTrouble.QUOTA and not told:
            raise AgentWaitedFor(f"{error.message} (until when was not told)", usage=self._spent)
        waits = error.trouble is AgentTrouble.RATE_LIMIT or (told and error.trouble in _WITH_A_TIME)
        if not waits:
            raise error
        if self._limits >= most_asks:
            raise AgentWaitedFor(f"{error.message} (asked {self._limits} times)", usage=self._spent)

    async def _until_over(self) -> None:
        """Measured by the monotonic clock: a clock set back does not make it longer than it was."""
        agent, told, ends = self._agent, "", 0.0
        while True:
            found = await agent.cooldowns.of(agent.known_as)
            if found is None:
                return
            news = found.until != told
            if news:
                told, ends = found.until, agent.monotonic() + found.left_s
            left_s = min(ends - agent.monotonic(), found.left_s)
            if left_s <= 0:
                await agent.cooldowns.over(found)
                return
            if self._waited_s + left_s > agent.longest_s:
                until = _local(found.until, day=left_s > HALF_A_DAY_S)
                said = f" ({self._said})" if self._said else ""
                raise self._given_up(f"the limit lasts until {until}{said}")
            if news:
                await self._tell(found)
            began = agent.monotonic()
            await agent.sleep(min(left_s, LOOK_AGAIN_S))
            self._waited_s += agent.monotonic() - began

    async def _tell(self, found: Cooldown) -> None:
        name = clean_line(found.agent)
        short = name if len(name) <= NAME_CHARS else f"...{name[-NAME_CHARS:]}"
        text = f"waiting for {short} until {_local(found.until)} ({found.why})"
        await self._agent.report(f"waiting/{found.agent}/{found.until}", text)

    def _given_up(self, why: str) -> AgentLimited:
        waited = f" after waiting {self._waited_s:.0f} s" if self._waited_s else ""
        kind = AgentLimited if self._agent.most_asks is None else AgentWaitedFor
        return kind(f"{self._agent.name} is limited{waited}: {why}", usage=self._spent)

    def _timed(self, usage: Usage) -> Usage:
        return usage.timed(self._agent.monotonic() - self._began) if self._began else usage


def _kind(error: AgentError) -> str:
    """In the words of whoever knows the agent; else what its words sounded like."""
    return error.trouble.words if error.trouble else Trouble.LIMIT


def _local(until: str, *, day: bool = False) -> str:
    return datetime.fromisoformat(until).astimezone().strftime("%Y-%m-%d %H:%M" if day else "%H:%M:%S")
