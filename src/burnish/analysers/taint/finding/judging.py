"""Whether what arrives at a dangerous place can hurt there, and what the report learns of it."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from enum import IntEnum
from typing import Any

from burnish.analysers.taint.finding.proving import is_proved
from burnish.analysers.taint.memory import marks
from burnish.analysers.taint.memory.frame import Arguments, Frame
from burnish.analysers.taint.memory.things import Class, Obj
from burnish.analysers.taint.memory.values import HARMLESS_MARKS, TAINTED, UNSEEN, External, Taint, Value

ABSENT = "absent"


class Guard(IntEnum):
    """What stands before a place where data hurts all the same; what counts most comes first."""

    NONE = 0
    WEAK = 1
    ASSERT = 2


def judge(at: Frame, place: str, value: Value, node: ast.AST, *, what: str, framework: str = "") -> None:
    """A finding for the shortest way that nobody cleared; else that this place is clean, or not known.

    `place` is a class, or one of its contexts: `ldap:dn`.
    """
    flaw = place.partition(":")[0]
    bad = [
        taint
        for taint in value.taints
        if taint.origin.kind != UNSEEN and hurts(at, taint, place, value.shape)
    ]
    if bad:
        weak = {id(taint): _weak_guard(at, taint, place, value.shape) for taint in bad}
        worst = min(bad, key=lambda one: (one.origin.rank, weak[id(one)], one.doubts, one.cell.length))
        guard = weak[id(worst)]
        if guard is Guard.ASSERT:
            what = f"{what}, checked by an assert only"
        at.engine.report.found(at, flaw, worst, node, what, weak_guards=int(guard is not Guard.NONE))
    else:
        stands(at, place, value, node)


def stands(at: Frame, place: str, value: Value, node: ast.AST) -> None:
    """What is known of a place where nothing was found: that it is proved to be clean, or nothing."""
    line, flaw = getattr(node, "lineno", 0), place.partition(":")[0]
    if is_proved(place, value, at.heap.proof(value)):
        at.engine.report.clean(at.file, line, flaw)
    else:
        at.engine.report.open(at.file, line, flaw)


def hurts(at: Frame, taint: Taint, place: str, shape: str = TAINTED) -> bool:
    if (taint.origin.kind == "weak") != (place == "weak_random"):
        return False
    return _can_hurt(at.heap.clean(taint), place, shape)


def _weak_guard(at: Frame, taint: Taint, place: str, shape: str) -> Guard:
    clean = at.heap.clean(taint)
    if not _can_hurt(marks.with_asserts(clean), place, shape):
        return Guard.ASSERT
    return Guard.WEAK if f"weak:{place.partition(':')[0]}" in clean else Guard.NONE


def _can_hurt(clean: frozenset[str], place: str, shape: str) -> bool:
    if not clean.isdisjoint(HARMLESS_MARKS):
        return False
    if place in clean:
        if place == "command":
            return marks.quoted_twice(clean, shape)
        return place == "xss" and marks.still_an_address(clean, shape)
    return not marks.rules_out(place, clean, shape)


def matches(given: Arguments, wanted: Mapping[str, Any]) -> bool:
    """Whether these arguments were given these constants, or things of these names.

    A list holds alternatives, `absent` is "not given"; `1|Loader` is by place or by name.
    """
    return all(_given(given, places, constants) for places, constants in wanted.items())


def _given(given: Arguments, places: str, constants: Any) -> bool:
    allowed = constants if isinstance(constants, list) else [constants]
    value = argument(given, places)
    if value is None:
        return ABSENT in allowed and given.stars is None and given.star is None
    if value.consts is not None and any(_same(const, one) for const in value.consts for one in allowed):
        return True
    return any(name in allowed for name in names_of(value))


def surely_matches(given: Arguments, wanted: Mapping[str, Any]) -> bool:
    """The same, for everything that was given there, whichever way the program took."""
    for places, constants in wanted.items():
        allowed = constants if isinstance(constants, list) else [constants]
        value = argument(given, places)
        if value is None:
            if ABSENT not in allowed or given.stars is not None or given.star is not None:
                return False
        elif value.taints or not (_all_of(value, allowed) if value.sure else _all_named(value, allowed)):
            return False
    return True


def _all_of(value: Value, allowed: list[Any]) -> bool:
    consts = value.consts or ()
    return bool(consts) and all(any(_same(const, one) for one in allowed) for const in consts)


def _all_named(value: Value, allowed: list[Any]) -> bool:
    return bool(value.refs) and value.consts is None and all(name in allowed for name in names_of(value))


def argument(given: Arguments, places: str) -> Value | None:
    """The first of these that was given: `1|Loader` is the second argument, or the one named Loader."""
    for place in places.split("|"):
        value = given.get(int(place) if place.isdigit() else place)
        if value is not None and (value is not given.star or not place.isdigit()):
            return value
    return None


def _same(const: Any, wanted: Any) -> bool:
    """`shell=1` is as good as True."""
    return bool(const) is wanted if isinstance(wanted, bool) else bool(const == wanted)


def names_of(value: Value) -> Iterator[str]:
    """What the things a value can be are called, classes of the tree by what they inherit."""
    for ref in value.refs:
        if isinstance(ref, External):
            yield ref.name
        elif isinstance(ref, Class):
            yield from ref.foreign()
        elif isinstance(ref, Obj):
            name = ref.table.get(".called")
            if isinstance(name, Value) and name.text is not None:
                yield name.text
            if ref.cls is not None:
                yield from ref.cls.foreign()
