"""Truth: what a condition can be, and the facts that hold when it is true and when it is false."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from burnish.analysers.taint.memory.heap import Changes, Heap
from burnish.analysers.taint.memory.things import Class, Function, ModuleRef, Obj
from burnish.analysers.taint.memory.values import Const, Fact, Value, shared

NO_FACTS: frozenset[Fact] = frozenset()
When = tuple[frozenset[Fact], frozenset[Fact]]


def truth(value: Value) -> bool | None:
    """True or False where it can only be that; None where it is either."""
    if value.consts:
        found = {bool(const) for const in value.consts}
        return found.pop() if len(found) == 1 else None
    if value.refs and not value.taints and value.sure and all(isinstance(ref, Obj) for ref in value.refs):
        known = {_filled(ref) for ref in value.refs if isinstance(ref, Obj)}
        return known.pop() if len(known) == 1 else None
    if value.refs and all(isinstance(ref, Function | Class | ModuleRef) for ref in value.refs):
        return True
    return None


def _filled(ref: Obj) -> bool | None:
    items = ref.items()
    if items is None or "rest" in ref.table:
        return None
    return bool(items)


def facts(value: Value, *, true: bool) -> frozenset[Fact]:
    if value.when is None:
        return NO_FACTS
    return value.when[0] if true else value.when[1]


def negated(when: When | None) -> When | None:
    return None if when is None else (when[1], when[0])


def every(values: list[Value]) -> When | None:
    """The facts of `a and b`: when it is true all hold, when it is false only what each would say."""
    return _combined([value.when or (NO_FACTS, NO_FACTS) for value in values])


def either(values: list[Value]) -> When | None:
    return negated(_combined([negated(value.when) or (NO_FACTS, NO_FACTS) for value in values]))


def _combined(whens: list[When]) -> When | None:
    true = NO_FACTS.union(*(when[0] for when in whens))
    false = shared([when[1] for when in whens]) if whens else NO_FACTS
    return (true, false) if true or false else None


def about(value: Value, flaws: frozenset[str]) -> frozenset[Fact]:
    """That every untrusted part of this value is safe for these classes."""
    return frozenset(
        (taint.cell.key, flaw) for taint in value.taints if taint.origin.kind != "weak" for flaw in flaws
    )


def answers(exits: list[tuple[Value, Changes]], heap: Heap) -> When | None:
    """For a function that says yes or no: what held wherever it can have said yes, and wherever no."""
    sides: list[frozenset[Fact]] = []
    for wanted in (True, False):
        known = [
            facts(value, true=wanted) | _established(changes, heap)
            for value, changes in exits
            if truth(value) is not (not wanted)
        ]
        sides.append(shared(known) if known else NO_FACTS)
    return (sides[0], sides[1]) if any(sides) else None


def _established(changes: Changes, heap: Heap) -> frozenset[Fact]:
    return frozenset((key, flaw) for key, flaws in heap.facts_in(changes).items() for flaw in flaws)


def compared(operator: str, one: Const, other: Const) -> bool | None:
    """What a comparison of two constants gives; None where Python would raise."""
    try:
        return bool(_COMPARISONS[operator](one, other))
    except (TypeError, ValueError, KeyError):
        return None


_COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    "Eq": lambda a, b: a == b,
    "NotEq": lambda a, b: a != b,
    "Lt": lambda a, b: a < b,
    "LtE": lambda a, b: a <= b,
    "Gt": lambda a, b: a > b,
    "GtE": lambda a, b: a >= b,
    "Is": lambda a, b: a is b or (a == b and type(a) is type(b)),
    "IsNot": lambda a, b: not (a is b or (a == b and type(a) is type(b))),
    "In": lambda a, b: a in b,
    "NotIn": lambda a, b: a not in b,
}
