"""What analysers saw in a tree, asked once: the tree after one fix is the tree before the next."""

from __future__ import annotations

import asyncio
from collections import OrderedDict

from burnish.model.assessment import Analysis
from burnish.workflows.fix_crew import Recheck

MOST_KEPT = 256


class LookedOnce:
    """A Recheck that remembers its latest answers, unless a tool failed. Those who ask at once share one."""

    def __init__(self, recheck: Recheck, most: int = MOST_KEPT) -> None:
        self._recheck = recheck
        self._most = most
        self._known: OrderedDict[tuple[str, frozenset[str]], tuple[Analysis, ...]] = OrderedDict()
        self._turns: dict[tuple[str, frozenset[str]], asyncio.Lock] = {}

    async def __call__(self, tree: str, files: tuple[str, ...]) -> tuple[Analysis, ...]:
        key = (tree, frozenset(files))
        async with self._turns.setdefault(key, asyncio.Lock()):
            if key in self._known:
                self._known.move_to_end(key)
                return self._known[key]
            found = await self._recheck(tree, files)
            if not any(analysis.failed for analysis in found):
                self._known[key] = found
                self._forget()
            return found

    def _forget(self) -> None:
        while len(self._known) > self._most:
            key, _ = self._known.popitem(last=False)
            self._turns.pop(key, None)
