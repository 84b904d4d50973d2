"""Limits that a run was told of itself, and that nobody else needs to know."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from burnish.model.cooldown import Cooldown


class OwnCooldowns:
    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._known: dict[str, tuple[float, str, str]] = {}

    async def of(self, agent: str) -> Cooldown | None:
        ends, until, why = self._known.get(agent, (0.0, "", ""))
        left_s = ends - self._monotonic()
        return Cooldown(agent, until, why, left_s) if until and left_s > 0 else None

    async def cool(self, agent: str, seconds: float, why: str) -> Cooldown:
        until = (datetime.now(UTC) + timedelta(seconds=seconds)).isoformat(timespec="milliseconds")
        self._known[agent] = (self._monotonic() + seconds, until, why)
        return Cooldown(agent, until, why, seconds)

    async def over(self, found: Cooldown) -> None:
        self._known.pop(found.agent, None)
