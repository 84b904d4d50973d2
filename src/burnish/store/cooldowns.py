"""Which agents are not to be asked before when: one row each, for every process that works here."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import sqlalchemy as sa

from burnish.model.cooldown import LONGEST_COOLDOWN_S, Cooldown
from burnish.ports import Clock
from burnish.store.clock import SystemClock
from burnish.store.database import Database
from burnish.store.queue_schema import cooldowns


@dataclass(frozen=True)
class Cooldowns:
    """The table as agents use it."""

    database: Database
    clock: Clock = field(default_factory=SystemClock)

    async def of(self, agent: str) -> Cooldown | None:
        """The cooldown of an agent that is still in force."""
        return await asyncio.to_thread(self._of, agent)

    async def cool(self, agent: str, seconds: float, why: str) -> Cooldown:
        """Nobody asks this agent for so long. A later end that somebody else has set stays."""
        return await asyncio.to_thread(self._cool, agent, min(seconds, LONGEST_COOLDOWN_S), why)

    async def over(self, found: Cooldown) -> None:
        """Somebody has waited for it to the end, whatever the clock says."""
        await asyncio.to_thread(self._over, found)

    def _over(self, found: Cooldown) -> None:
        same = sa.and_(cooldowns.c.agent == found.agent, cooldowns.c.until == found.until)
        with self.database.write() as connection:
            connection.execute(cooldowns.delete().where(same))

    def _of(self, agent: str) -> Cooldown | None:
        with self.database.read() as connection:
            return _find(connection, agent, self.clock.now())

    def _cool(self, agent: str, seconds: float, why: str) -> Cooldown:
        now = self.clock.now()
        until = _text(_moment(now) + timedelta(seconds=seconds))
        with self.database.write() as connection:
            before = _find(connection, agent, now)
            if before is not None and before.until >= until:
                return before
            connection.execute(cooldowns.delete().where(cooldowns.c.agent == agent))
            connection.execute(cooldowns.insert().values(agent=agent, until=until, why=why))
        return Cooldown(agent, until, why, seconds)


def in_force(database: Database, now: str) -> tuple[Cooldown, ...]:
    """Every agent that is waited for, the soonest first: what `status` shows."""
    with database.read() as connection:
        rows = connection.execute(sa.select(cooldowns).order_by(cooldowns.c.until, cooldowns.c.agent)).all()
    found = (_left(row.agent, row.until, row.why, now) for row in rows)
    return tuple(cooldown for cooldown in found if cooldown is not None)


def _find(connection: sa.Connection, agent: str, now: str) -> Cooldown | None:
    row = connection.execute(sa.select(cooldowns).where(cooldowns.c.agent == agent)).one_or_none()
    return None if row is None else _left(row.agent, row.until, row.why, now)


def _left(agent: str, until: str, why: str, now: str) -> Cooldown | None:
    """None when it is over. More than there can be means that the clock was set back: that is over too."""
    left_s = (_moment(until) - _moment(now)).total_seconds()
    return Cooldown(agent, until, why, left_s) if 0 < left_s <= LONGEST_COOLDOWN_S else None


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text).astimezone(UTC)


def _text(moment: datetime) -> str:
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
