"""What a search is at, said every second to whoever looks on."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from burnish.fixers.search._search import Search
from burnish.process.tool_setup import Progress

# What is over sooner needs no words.
FIRST_S = 2.0
EVERY_S = 1.0


@dataclass
class Telling:
    """`search` is what is at work; None while the tests are run to see which lines are suspicious."""

    test: str
    limit_s: float
    began: float = field(default_factory=time.monotonic)
    search: Search | None = None
    tried_before: int = 0

    def goes_on_with(self, search: Search) -> None:
        """All failing tests together come first, then the one alone; it is one search to whoever looks on."""
        self.tried_before += self.search.tried if self.search is not None else 0
        self.search = search

    def words(self, now: float) -> str:
        what = "searching a repair" + (f" for {short(self.test)}" if self.test else "")
        at = "running the tests" if self.search is None else counted(self.search, self.tried_before)
        return f"{what}: {at}, {min(now - self.began, self.limit_s):.0f} s of {self.limit_s:.0f} s"


@asynccontextmanager
async def telling(
    progress: Progress, test: str, limit_s: float, first_s: float = FIRST_S
) -> AsyncIterator[Telling]:
    """Nothing is said any more when it is left."""
    state = Telling(test, limit_s)
    saying = asyncio.create_task(_say(state, progress, first_s))
    try:
        yield state
    finally:
        saying.cancel()
        progress("")


async def _say(state: Telling, progress: Progress, first_s: float) -> None:
    await asyncio.sleep(first_s)
    while True:
        progress(state.words(time.monotonic()))
        await asyncio.sleep(EVERY_S)


def counted(search: Search, before: int = 0) -> str:
    count = before + search.tried
    tried = "1 candidate" if count == 1 else f"{count} candidates"
    sound = sum(1 for one in search.plausible if one.sound)
    return f"{tried} tried, {sound or 'none'} {'pass' if sound > 1 else 'passes'}"


def short(test: str) -> str:
    """`test_x` of `tests/test_it.py::Case::test_x`, and of `test_x (test_it.Case)`."""
    name, bracket, values = test.partition("[")
    return name.rpartition("::")[2].partition(" (")[0] + bracket + values
