"""A green gate, looked at again: is it green without what the change brings along to look green?"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from burnish.gates import canary
from burnish.gates.added_lines import Hunk, read_hunks
from burnish.gates.suppressions import added_suppressions, disarm
from burnish.ports import Workspaces
from burnish.process.child import Finished

DIFF_CAP = 8 * 1024 * 1024
MOST_NAMED = 3


@dataclass(frozen=True)
class Seen:
    """How the gate ended; `own` is what it needed of the change's own, `fault` why its green is none."""

    finished: Finished
    own: tuple[str, ...] = ()
    fault: str = ""


class Gate(Protocol):
    """What the second look needs of a gate: runs over a tree as it is, and over one with an edit."""

    @property
    def workspaces(self) -> Workspaces: ...
    async def checked(self, tree: str) -> Finished: ...
    async def checked_after(self, tree: str, edit: Callable[[Path], bool]) -> Finished | None: ...
    async def without_its_own_judges(self, tree: str, base: str) -> tuple[str, tuple[str, ...]]: ...


@dataclass(frozen=True)
class SecondLook:
    """Costs another run of the gate only where the change brings something that could have made it green."""

    gate: Gate
    tree: str
    judged: str
    base: str

    async def taken(self, first: Seen) -> Seen:
        without, brought = await self.gate.without_its_own_judges(self.tree, self.base)
        again = first.finished if without == self.judged else await self.gate.checked(without)
        if not again.ok:
            return Seen(again, brought)
        # What it said before the base's judges alone is what can be compared with the base.
        first = Seen(again)
        diff = await self.gate.workspaces.diff(self.base, self.judged, DIFF_CAP)
        hunks = read_hunks(diff.text)
        return await self._unsuppressed(hunks) or await self._with_canary(hunks, first) or first

    async def _unsuppressed(self, hunks: Sequence[Hunk]) -> Seen | None:
        """Red once the suppression comments that the change adds say nothing any more?"""
        added = added_suppressions(hunks)
        if not added:
            return None
        finished = await self.gate.checked_after(self.judged, lambda root: bool(disarm(root, added)))
        if finished is None or finished.ok:
            return None
        where = some(str(one) for one in added)
        return Seen(
            finished, fault=f"it is green only with suppression comments that this change adds: {where}"
        )

    async def _with_canary(self, hunks: Sequence[Hunk], first: Seen) -> Seen | None:
        """Green with a test that must fail, though the base was red with it?"""
        reaching = canary.reaching(hunks)
        if not reaching:
            return None
        here = await self.gate.checked_after(self.judged, canary.send_in)
        if here is None or not here.ok:
            return None
        there = await self.gate.checked_after(self.base, canary.send_in)
        heeded = there is not None and not there.ok
        if there is None or not heeded or canary.NAME not in there.stdout.text + there.stderr.text:
            return None
        return replace(first, fault=f"it stays green with a test that must fail: see {some(reaching)}")


def some(names: Iterable[str]) -> str:
    """The first few of them, safe to print, and how many more there are."""
    listed = ["".join(char if char.isprintable() else "?" for char in name) for name in dict.fromkeys(names)]
    more = f" and {len(listed) - MOST_NAMED} more" if len(listed) > MOST_NAMED else ""
    return f"{', '.join(listed[:MOST_NAMED])}{more}"
