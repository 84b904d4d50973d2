"""The day's budget, asked for before each question to an agent: whoever finds it used up stops, resumably."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

from burnish.agents._around import Around, InnerSession
from burnish.app.metered import PRICE_HINT, both, no_more_than
from burnish.errors import AgentError, DayBudgetUsed
from burnish.model.agent import OnUsed, Reply, Request, Usage
from burnish.model.ceiling import Ceiling
from burnish.model.change import Failure, FailureKind
from burnish.model.step import Step
from burnish.ports import AgentSession, Clock
from burnish.store import spending
from burnish.store.clock import SystemClock
from burnish.store.database import Database

DAY = timedelta(hours=24)
HINT = "go on with burnish resume or burnish work then, or raise budget.day_*"


@dataclass(frozen=True)
class Allowance:
    """What everything in one database may spend in 24 hours."""

    database: Database
    ceiling: Ceiling
    clock: Clock = field(default_factory=SystemClock)

    def check(self) -> None:
        """Raises DayBudgetUsed, with the time when enough of it is a day old."""
        if self.ceiling.open:
            return
        rows = self._rows()
        reached = self.ceiling.reached(_sum(usage for _, usage in rows))
        if reached:
            again = _local(self._free_again(rows))
            raise DayBudgetUsed(
                f"the budget of these 24 hours is used up ({reached}); it can go on at {again}", hint=HINT
            )

    def left(self) -> Ceiling:
        return self.ceiling.left(_sum(usage for _, usage in self._rows()))

    def cut_short(self, request: Request, error: AgentError) -> None:
        """A call that was stopped has no finished step to be counted with."""
        told = request.variables
        step = Step(request.role, int(told.get("BURNISH_CYCLE", "1")), part=told.get("BURNISH_PART", ""))
        result = Failure(request.role, FailureKind.EXIT, error.message, usage=error.usage)
        with self.database.write() as connection:
            spending.record(connection, told.get("BURNISH_RUN", ""), step, result, self.clock.now())

    def _rows(self) -> list[tuple[datetime, Usage]]:
        """A clock that was once years ahead must not forbid everything until then: a day is the most."""
        now = _moment(self.clock.now())
        found = spending.rows_since(self.database, _text(now - DAY))
        return [(at, usage) for at, usage in ((_moment(at), usage) for at, usage in found) if at <= now + DAY]

    def _free_again(self, rows: list[tuple[datetime, Usage]]) -> datetime:
        """Seen from now backwards: what makes it full must be a day old first."""
        total = Usage()
        for at, usage in reversed(rows):
            total += usage
            if self.ceiling.reached(total):
                return at + DAY
        return _moment(self.clock.now())


@dataclass(frozen=True)
class AllowedAgent(Around):
    """An agent that is asked only while the day's budget lasts. What is remembered costs nothing."""

    allowance: Allowance

    def session(self) -> AgentSession:
        return _Session(self.name, self.inner.session(), self.allowance)


class _Session(InnerSession):
    def __init__(self, name: str, inner: AgentSession, allowance: Allowance) -> None:
        super().__init__(name, inner)
        self._allowance = allowance
        self._request: Request | None = None
        self._check: OnUsed = _fine
        self._over = False

    async def spawn(self, request: Request) -> None:
        await asyncio.to_thread(self._allowance.check)
        left = await asyncio.to_thread(self._allowance.left)
        self._request = request
        self._check = no_more_than(left, f"{self._name} was stopped", "these 24 hours")
        await super().spawn(replace(request, on_used=both(request.on_used, self._watch)))

    async def wait(self, timeout_s: float) -> Reply | None:
        """Stopped because of the day, the run is left to be resumed; what was spent stays spent."""
        try:
            return await super().wait(timeout_s)
        except AgentError as error:
            if not self._over or self._request is None:
                raise
            await asyncio.to_thread(self._allowance.cut_short, self._request, error)
            raise DayBudgetUsed(
                error.message, hint=error.hint if error.hint == PRICE_HINT else HINT
            ) from None

    def _watch(self, used: Usage) -> None:
        try:
            self._check(used)
        except AgentError:
            self._over = True
            raise


def _fine(used: Usage) -> None:
    """Nothing is watched yet."""


def _sum(usages: Iterable[Usage]) -> Usage:
    total = Usage()
    for usage in usages:
        total += usage
    return total


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text).astimezone(UTC)


def _text(moment: datetime) -> str:
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _local(moment: datetime) -> str:
    return moment.astimezone().strftime("%Y-%m-%d %H:%M")
