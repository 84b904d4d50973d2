"""Where the loops of one build see each other: how far each is, and when all are to be looked at."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from burnish.app.build_facts import ROUND, Round
from burnish.loops.standing import Standing, checkpoint_due, others_summary
from burnish.model.step import Role, Step
from burnish.ports import Run


@dataclass
class BuildBoard:
    """`interval` is in iterations, None for never; `called_rounds` has those of before a restart."""

    run: Run
    interval: int | None
    called_rounds: dict[int, Round] = field(default_factory=dict)
    standings: dict[str, Standing] = field(default_factory=dict)
    _changed: asyncio.Condition = field(default_factory=asyncio.Condition, init=False)
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock, init=False)

    def join(self, loop: str, title: str) -> None:
        """A loop is at work; it takes part in every round that is called from now on."""
        self.standings[loop] = Standing(loop, title, active=True, checkpoint_at=self._last(loop))

    def again(self, loop: str, rounds_before: int) -> None:
        """An attempt begins: its iterations count from 0, and earlier rounds were about other attempts."""
        last = self._last(loop, rounds_before)
        self.standings[loop] = replace(self.standings[loop], doing="", iteration=0, checkpoint_at=last)

    def leave(self, loop: str, how: str) -> None:
        """A loop is over: its reviewers look at it no more, those of the others still read of it."""
        self.standings[loop] = replace(self.standings[loop], doing=how, active=False)

    async def post(self, loop: str, iteration: int, doing: str) -> None:
        async with self._turn:
            self.standings[loop] = replace(self.standings[loop], doing=doing, iteration=iteration)
            active = [one for one in self.standings.values() if one.active]
            if checkpoint_due(active, self.interval):
                await self._call(loop, {one.loop: one.iteration for one in active})

    def others(self, loop: str) -> str:
        return others_summary(self.standings.values(), loop)

    def rounds(self, loop: str) -> tuple[int, ...]:
        return tuple(number for number, one in sorted(self.called_rounds.items()) if loop in one.loops)

    async def called(self, loop: str, known: int) -> None:
        async with self._changed:
            await self._changed.wait_for(lambda: len(self.rounds(loop)) > known)

    async def _call(self, loop: str, at: Mapping[str, int]) -> None:
        """Remembered first: after a crash the same loops owe the same round."""
        number = max(self.called_rounds, default=0) + 1

        async def called() -> Round:
            return Round(at, loop)

        made = await self.run.do(Step(Role.LAND, number, part=ROUND), called)
        async with self._changed:
            self.called_rounds[number] = made
            for name, iteration in made.loops.items():
                if standing := self.standings.get(name):
                    self.standings[name] = replace(standing, checkpoint_at=iteration)
            self._changed.notify_all()

    def _last(self, loop: str, after: int = 0) -> int:
        later = (one for number, one in self.called_rounds.items() if number > after)
        return max((one.loops[loop] for one in later if loop in one.loops), default=0)
