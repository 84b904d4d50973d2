"""Everything that can change while a program runs, with a log: branches are undone, and joined again.

Names of a frame, attributes and elements of objects and the facts of guards all lie in tables that are
written through `Heap.put`; so a branch costs what it changes, and two names of one object stay one object.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeAlias

from burnish.analysers.taint.memory.facts import ABOUT_NOTHING, Guards, agreed, cleared, proved, settled
from burnish.analysers.taint.memory.proofs import Proof
from burnish.analysers.taint.memory.values import NEVER, UNKNOWN, Fact, Key, Taint, Value, join

Table: TypeAlias = "dict[Any, Any]"
ABSENT: Any = object()
MAX_SHARED = 200
FILLED_LATER = frozenset({"dict", "list", "set", "deque"})
# The keys of a dict that were surely set after everything whose key nobody knows.
OVER = "*over"
# What a branch wrote: where, under which key, and the last value.
Changes: TypeAlias = "dict[tuple[int, Any], tuple[Table, Any]]"


class Heap:
    def __init__(self) -> None:
        self._log: list[tuple[Table, Any, Any]] = []
        self.facts: dict[Key, frozenset[str]] = {}
        # Tables that outlive a call from outside: globals, classes, objects of modules.
        self.shared: dict[int, Table] = {}
        # Equal where the same untrusted data lies at the same shared places.
        self.version = 0

    def put(self, table: Table, key: Any, value: Any) -> None:
        old = table.get(key, ABSENT)
        self._log.append((table, key, old))
        table[key] = value
        if id(table) in self.shared:
            self.version ^= _print(table, key, old) ^ _print(table, key, value)

    def mark(self) -> int:
        return len(self._log)

    def since(self, mark: int) -> Changes:
        """What is different now from what was at `mark`."""
        log = self._log
        found: Changes = {}
        for number in range(mark, len(log)):
            table, key, _ = log[number]
            found[id(table), key] = (table, table.get(key, ABSENT))
        return found

    def passed_through(self, mark: int) -> Changes:
        """Everything that each place has held since `mark`, for whoever may have left in between.

        No facts: whoever left may have left before they were found out.
        """
        found: Changes = {}
        for table, key, old in self._log[mark:]:
            if table is not self.facts:
                place = id(table), key
                known = _joined(found[place][1], old) if place in found else ABSENT
                found[place] = table, known
        for place, (table, held) in found.items():
            found[place] = table, _joined(held, table.get(place[1], ABSENT))
        return found

    def undo(self, mark: int) -> None:
        log = self._log
        while len(log) > mark:
            table, key, old = log.pop()
            if id(table) in self.shared:
                self.version ^= _print(table, key, old) ^ _print(table, key, table.get(key))
            if old is ABSENT:
                table.pop(key, None)
            else:
                table[key] = old

    def redo(self, changes: Changes) -> None:
        for (_, key), (table, value) in changes.items():
            if value is ABSENT:
                self.drop(table, key)
            else:
                self.put(table, key, value)

    def go_to(self, mark: int, changes: Changes) -> None:
        """Be where `changes` left off after `mark`; the log goes on, so that it can be undone."""
        first: Changes = {}
        for table, key, old in self._log[mark:]:
            first.setdefault((id(table), key), (table, old))
        self.redo({place: found for place, found in first.items() if place not in changes})
        self.redo(changes)

    def drop(self, table: Table, key: Any) -> None:
        if key in table:
            self._log.append((table, key, table[key]))
            if id(table) in self.shared:
                self.version ^= _print(table, key, table[key])
            del table[key]

    @contextmanager
    def apart(self) -> Iterator[None]:
        """What happens inside stays, whatever is undone around it: a module is run once, for everybody."""
        around, facts = self._log, self.facts
        self._log, self.facts = [], {}
        try:
            yield
        finally:
            self._log, self.facts = around, facts

    def keep(self) -> set[int]:
        """All since the log began may have happened, or not: what was there before may be there still.

        The tables that others share and that untrusted data has come to.
        """
        first: Changes = {}
        for table, key, old in self._log:
            first.setdefault((id(table), key), (table, old))
        stirred: set[int] = set()
        for (place, key), (table, old) in first.items():
            if table is self.facts:
                continue
            new = _joined(old, table.get(key, ABSENT))
            if new is ABSENT:
                continue
            table[key] = new if key != OVER else ABOUT_NOTHING
            for ref in new.refs if place in self.shared and isinstance(new, Value) else ():
                _filled_by_somebody(ref)
            if place in self.shared and _tainted(new):
                if not _tainted(old):
                    stirred.add(place)
                self.share(new)
        self._log.clear()
        return stirred

    def share(self, found: Any, depth: int = 3) -> None:
        """Objects that can be reached from what everybody can reach."""
        if isinstance(found, tuple):
            for one in found[:MAX_SHARED]:
                self.share(one, depth)
        for ref in found.refs if isinstance(found, Value) else ():
            table = getattr(ref, "table", None)
            if table is not None and id(table) not in self.shared and depth:
                self.shared[id(table)] = table
                _filled_by_somebody(ref)
                for inner in list(table.values())[:MAX_SHARED]:
                    self.share(inner, depth - 1)

    def join(self, branches: Sequence[Changes]) -> None:
        """The state after any of these; we are where they parted."""
        if len(branches) == 1:
            self.redo(branches[0])
            return
        guards = [self.facts_in(branch) for branch in branches]
        keys = {key: table for branch in branches for key, (table, _) in branch.items()}
        for (place, key), table in keys.items():
            old = table.get(key, ABSENT)
            found = [branch[place, key][1] if (place, key) in branch else old for branch in branches]
            if table is self.facts or key == OVER:
                total = agreed([ABOUT_NOTHING if one is ABSENT else one for one in found])
            else:
                total = _all(settled(one, known) for one, known in zip(found, guards, strict=True))
            if total is ABSENT:
                self.drop(table, key)
                continue
            if total is not old:
                self.put(table, key, total)
            if type(key) is tuple and key[0] == "k" and any(one is ABSENT for one in found):
                self.put(table, ("maybe", key[1]), NEVER)

    def take_back_facts(self, mark: int) -> None:
        """What was assumed since then no longer holds; everything else that happened stays."""
        changes = self.since(mark)
        if any(table is self.facts for table, _ in changes.values()):
            self.undo(mark)
            self.redo({place: found for place, found in changes.items() if found[0] is not self.facts})

    def assume(self, facts: frozenset[Fact]) -> None:
        new: dict[Key, set[str]] = {}
        for key, flaw in facts:
            new.setdefault(key, set()).add(flaw)
        for key, flaws in new.items():
            known = self.facts.get(key, ABOUT_NOTHING)
            if not flaws <= known:
                self.put(self.facts, key, known | flaws)

    def clean(self, taint: Taint) -> frozenset[str]:
        """The classes that sanitizers and guards have cleared what this is made of for."""
        return taint.clean | cleared(taint, self.facts)

    def proof(self, value: Value) -> Proof | None:
        """What is proved of its text now."""
        return proved(value, self.facts)

    def settle(self, value: Value) -> Value:
        """The value with what guards say of it now kept for good, wherever it goes from here."""
        settled_value: Value = settled(value, self.facts)
        return settled_value

    def facts_in(self, branch: Changes) -> Guards:
        """What guards said there; what was taken back is not said any more."""
        return {
            key: value
            for (_, key), (table, value) in branch.items()
            if table is self.facts and value is not ABSENT
        }


def _filled_by_somebody(ref: Any) -> None:
    """What is empty and lies where everybody can reach it does not stay so."""
    if getattr(ref, "kind", "") in FILLED_LATER and not any(ref.table.values()):
        ref.table["rest"] = UNKNOWN


def _all(found: Iterable[Any]) -> Any:
    total = ABSENT
    for one in found:
        total = _joined(total, one)
    return total


def _joined(one: Any, other: Any) -> Any:
    if one is other or other is ABSENT:
        return one
    if one is ABSENT:
        return other
    if isinstance(one, Value) and isinstance(other, Value):
        return join(one, other)
    if type(one) is frozenset and type(other) is frozenset:
        return one & other
    # Elements of the same number, one by one; what is unequal already has none to go by.
    if type(one) is tuple and type(other) is tuple and len(one) == len(other):
        return tuple(_joined(a, b) for a, b in zip(one, other, strict=True))
    return Unequal((one, other))


def _print(table: Table, key: Any, found: Any) -> int:
    """A number for untrusted data at a place that others share; 0 for everything else."""
    if isinstance(found, Value):
        if not found.taints:
            return 0
        return hash((id(table), key, tuple(taint.same for taint in found.taints)))
    if isinstance(found, tuple) and _tainted(found):
        return hash((id(table), key, tuple(_print(table, key, one) for one in found)))
    return 0


def _tainted(found: Any) -> bool:
    if isinstance(found, Value):
        return bool(found.taints)
    return isinstance(found, tuple) and any(_tainted(one) for one in found)


class Unequal(tuple[Any, ...]):
    """Elements that two branches left in different numbers: only together do they say anything."""
