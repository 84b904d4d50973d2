"""A green gate, looked at again: is it green before the base's judges, and would it be red if it had to be?

What a green costs, in runs of the gate: one before the base's judges, one with tests that must fail, and
one of the change as it is where it brings or edits judges of its own. One more where it adds suppression
comments; two more on the base, once for each base, where tests do not all fail as they must. A red costs
two at most.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Protocol

from burnish.gates.added_lines import Hunk, read_hunks
from burnish.gates.canary import Canary
from burnish.gates.probes import Shape
from burnish.gates.suppressions import added_suppressions, disarm, own_marks
from burnish.model.judges import Judged
from burnish.ports import Workspaces
from burnish.process.child import Finished
from burnish.suite_output.counting import Counted, count_tests

DIFF_CAP = 8 * 1024 * 1024
MOST_NAMED = 3


@dataclass(frozen=True)
class Seen:
    """How the gate ended; `own` is what it needed of the change's own, `fault` why its green is none."""

    finished: Finished
    own: tuple[str, ...] = ()
    fault: str = ""
    doubts: tuple[str, ...] = ()


@dataclass
class Known:
    """What was seen of a base: its plain run, and those with decoys and canaries in its tests.

    `fallen`: the files whose canaries its output shows, by their shape.
    """

    runs: dict[str, Finished | None] = field(default_factory=dict)
    fallen: dict[str, frozenset[str]] = field(default_factory=dict)


class Gate(Protocol):
    """What the second look needs of a gate: runs over a tree as it is, and over one with an edit."""

    @property
    def workspaces(self) -> Workspaces: ...
    async def checked(self, tree: str) -> Finished: ...
    async def checked_after(self, tree: str, edit: Callable[[Path], bool]) -> Finished | None: ...


# No honest program assigns to these; a test script ends with its status through them.
_ENDS = re.compile(
    r"\b(?:sys\.exit|os\._exit|builtins\.(?:exit|quit|SystemExit|AssertionError)|process\.exit)\s*=(?!=)"
    r"|\bsetattr\(\s*(?:sys|os|builtins)\s*,\s*['\"](?:exit|_exit|quit|SystemExit|AssertionError)['\"]"
)


@dataclass(frozen=True)
class SecondLook:
    """`judged` is the change before the base's judges. `allowed`: a person accepts edits of the judges.

    `words` stand in the scripts that the gate starts.
    """

    gate: Gate
    tree: str
    judged: Judged
    base: str
    canary: Canary
    known: Known
    words: frozenset[str] = frozenset()
    allowed: bool = False

    async def taken(self) -> Seen:
        """Green only before the base's judges, with the change's own, and where it can go red."""
        theirs = await self._before_base_judges()
        if not theirs.finished.ok or theirs.fault:
            return await self._red(theirs)
        own = await self._own()
        if own is not None and not own.ok:
            return Seen(own)
        fewer = await self._fewer(own, theirs.finished)
        if fewer and not self.allowed:
            return replace(theirs, own=self._brought, fault=fewer)
        seen = replace(theirs, doubts=(fewer,) if fewer else ())
        return await self._unsuppressed() or await self._with_canary(self.judged.tree, seen) or seen

    @property
    def _brought(self) -> tuple[str, ...]:
        return (*self.judged.new, *self.judged.extended)

    async def _before_base_judges(self) -> Seen:
        """With decoys in the tests first: code that knows the tests by their bytes shows itself there."""
        tree = self.judged.tree
        base = self.known.runs.get("plain")
        decoyed = None
        if base is None or base.ok:
            decoyed = await self._run_with(tree, Shape.DECOY)
        if decoyed is not None and (decoyed.ok or decoyed.timed_out):
            return Seen(decoyed)
        plain = await self.gate.checked(tree)
        if not plain.ok or decoyed is None:
            return Seen(plain)
        there = await self._of_base(Shape.DECOY)
        again = await self._run_with(tree, Shape.DECOY) if there is not None and there.ok else None
        if again is None or again.ok:
            return Seen(plain)  # the decoys are not harmless here, or a test is not always green
        return Seen(plain, fault="it is green only while the test files are byte for byte those of the base")

    async def _red(self, theirs: Seen) -> Seen:
        """Red before the base's judges: names what of the change's own it is green with, if it is."""
        if theirs.fault:
            return theirs
        own = await self._own() if self._brought or self.allowed else None
        if own is None or not own.ok:
            return theirs
        if self.allowed:
            seen = Seen(own, doubts=("it is green only with the judges that this change edits or brings",))
            return await self._with_canary(self.tree, seen) or seen
        return replace(theirs, own=self._brought)

    async def _own(self) -> Finished | None:
        """The change exactly as it is; None where that was run, or where its edits block it anyway."""
        if self.judged.tree == self.tree or (self.judged.edited and not self.allowed):
            return None
        return await self.gate.checked(self.tree)

    async def _fewer(self, own: Finished | None, theirs: Finished) -> str:
        """What the change's own settings and tests take away from the count, if they do."""
        before = count_tests(_text(theirs))
        if own is None or before is None or not before.passed:
            return ""
        now = count_tests(_text(own))
        if now is None:  # settings that only quiet the runner leave it able to go red
            failing = await self._run_with(self.tree, Shape.PLAIN)
            heeded = failing is not None and not failing.ok
            return "" if heeded else "with the change's own judges it counts no tests and stays green"
        if now.passed >= before.passed:
            return ""
        return f"{now.passed} tests passed with the change's own judges, {before.passed} do with the base's"

    async def _unsuppressed(self) -> Seen | None:
        """Red once the suppression comments that the change adds say nothing any more?"""
        if self.allowed:
            return None
        diff = await self.gate.workspaces.diff(self.base, self.judged.tree, DIFF_CAP)
        hunks: Sequence[Hunk] = read_hunks(diff.text)
        if replaced := _replaces_exit(hunks):
            plain = await self.gate.checked(self.judged.tree)
            return Seen(plain, fault=f"this change replaces how a process ends: {replaced}")
        form = own_marks(self.words, hunks)
        added = added_suppressions(hunks, form)
        if not added:
            return None
        finished = await self.gate.checked_after(
            self.judged.tree, lambda root: bool(disarm(root, added, form))
        )
        if finished is None or finished.ok:
            return None
        where = some(str(one) for one in added)
        return Seen(
            finished, fault=f"it is green only with suppression comments that this change adds: {where}"
        )

    async def _with_canary(self, tree: str, seen: Seen) -> Seen | None:
        """Does every test fail that must fail, as on the base?"""
        passed = count_tests(_text(seen.finished))
        if passed is None and await self._deaf(Shape.FULL):
            return None  # no test that can be edited is run here
        for shape in (Shape.FULL, Shape.PLAIN):
            sent: dict[str, str] = {}
            here = await self._run_with(tree, shape, sent)
            if here is None:
                return None
            if lost := await self._lost(here, shape, passed, sent):
                return replace(seen, fault=f"tests that must fail do not run any more: {lost}")
            if passed and not here.ok and _all_fail(here, passed):
                return None
            if not await self._deaf(shape):
                return await self._compared(here, shape, passed, seen)
        return None

    async def _compared(
        self, here: Finished, shape: Shape, passed: Counted | None, seen: Seen
    ) -> Seen | None:
        there = await self._of_base(shape)
        before = count_tests(_text(await self._plain_base()))
        stays = "it stays green with tests that must fail"
        if here.ok:
            return replace(seen, fault=stays)
        now, then = count_tests(_text(here)), count_tests(_text(there)) if there else None
        if now is None or then is None or passed is None or before is None:
            return None
        more = max(0, passed.passed - before.passed)
        if now.passed > then.passed + more or not now.failed:
            return replace(
                seen, fault=f"{stays}: {now.passed} of them pass, {then.passed + more} do on the base"
            )
        return None

    async def _lost(self, here: Finished, shape: Shape, passed: Counted | None, sent: dict[str, str]) -> str:
        """Where it counts fewer tests than the base: the files whose canaries only fall there."""
        before = count_tests(_text(await self._plain_base())) if passed else None
        if passed is None or before is None or passed.passed >= before.passed:
            return ""
        await self._of_base(shape)
        missing = self.known.fallen.get(shape, frozenset()) & {*sent.values()} - _fallen(here, sent)
        return some(sorted(missing))

    async def _deaf(self, shape: Shape) -> bool:
        """Whether the base itself is not red by its tests with tests that must fail."""
        there = await self._of_base(shape)
        if there is None or there.ok:
            return True
        plain = count_tests(_text(await self._plain_base()))
        counted = count_tests(_text(there))
        return bool(plain and plain.passed) and not (counted and counted.failed)

    async def _plain_base(self) -> Finished:
        known = self.known.runs.get("plain")
        if known is None:
            known = self.known.runs["plain"] = await self.gate.checked(self.base)
        return known

    async def _of_base(self, shape: Shape) -> Finished | None:
        if shape not in self.known.runs:
            sent: dict[str, str] = {}
            there = self.known.runs[shape] = await self._run_with(self.base, shape, sent)
            self.known.fallen[shape] = _fallen(there, sent) if there else frozenset()
        return self.known.runs[shape]

    async def _run_with(self, tree: str, shape: Shape, sent: dict[str, str] | None = None) -> Finished | None:
        return await self.gate.checked_after(tree, partial(self.canary.send_in, shape=shape, sent=sent))


def _fallen(finished: Finished, sent: dict[str, str]) -> frozenset[str]:
    """The files that the output shows a canary of."""
    text = _text(finished)
    return frozenset(name for made, name in sent.items() if made in text)


def _all_fail(here: Finished, passed: Counted) -> bool:
    now = count_tests(_text(here))
    return now is not None and not now.passed and now.failed >= passed.passed


def _text(finished: Finished) -> str:
    return f"{finished.stdout.text}\n{finished.stderr.text}"


def some(names: Iterable[str]) -> str:
    """The first few of them, safe to print, and how many more there are."""
    listed = ["".join(char if char.isprintable() else "?" for char in name) for name in dict.fromkeys(names)]
    more = f" and {len(listed) - MOST_NAMED} more" if len(listed) > MOST_NAMED else ""
    return f"{', '.join(listed[:MOST_NAMED])}{more}"


def _replaces_exit(hunks: Sequence[Hunk]) -> str:
    """Where a change puts something else in the place of the interpreter's own ways to end with a status."""
    found = (hunk.path for hunk in hunks if any(_ENDS.search(line) for line in hunk.added))
    return some(found)
