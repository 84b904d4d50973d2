"""Loops: one round after another where that is known, else rounds until nothing new is carried on."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any, TypeAlias

from burnish.analysers.taint.library.iterating import each, in_order
from burnish.analysers.taint.memory.conditions import facts, truth
from burnish.analysers.taint.memory.frame import Frame, Loop
from burnish.analysers.taint.memory.heap import Changes
from burnish.analysers.taint.memory.values import Value
from burnish.analysers.taint.walking.branches import meet
from burnish.analysers.taint.walking.targets import assign

MAX_ROUNDS = 5
MAX_UNROLLED = 12
MAX_UNROLLED_NESTED = 48
AnyLoop: TypeAlias = "ast.For | ast.AsyncFor | ast.While"


def run_for(at: Frame, node: ast.For | ast.AsyncFor) -> None:
    given = at.value(node.iter)
    items = in_order(given)
    if items is not None and len(items) <= MAX_UNROLLED and _may_unroll(at, len(items)):
        _one_by_one(at, node, items)
        return
    item = at.moved(each(at, given, node), node)
    _rounds(at, node, lambda: assign(at, node.target, item), None)


def _may_unroll(at: Frame, times: int) -> bool:
    total = times
    for loop in at.loops:
        total *= loop.times
    return total <= MAX_UNROLLED_NESTED


def _one_by_one(at: Frame, node: ast.For | ast.AsyncFor, items: tuple[Value, ...]) -> None:
    """Each element for itself, in order."""
    loop = _begin(at, len(items) or 1)
    for item in items:
        if not at.live:
            break
        assign(at, node.target, at.moved(item, node))
        _body(at, node, loop)
    _end(at, node, loop)


def _begin(at: Frame, times: int = 1) -> Loop:
    loop = Loop(at.heap.mark(), times)
    at.loops.append(loop)
    return loop


def _body(at: Frame, node: AnyLoop, loop: Loop, skipped: tuple[Changes, ...] = ()) -> None:
    at.run(node.body)
    loop.continues, again = [], loop.continues
    meet(at, [*skipped, *again], loop.mark)


def _end(at: Frame, node: AnyLoop, loop: Loop) -> None:
    at.loops.pop()
    if at.live:
        at.run(node.orelse)
    meet(at, loop.breaks, loop.mark)


def run_while(at: Frame, node: ast.While) -> None:
    """While its condition is known to hold each round is run; a condition that cannot change is endless."""
    if isinstance(node.test, ast.Constant):
        if node.test.value:
            _endless(at, node)
        else:
            at.run(node.orelse)
        return
    if truth(at.value(node.test)) is True and _may_unroll(at, MAX_UNROLLED) and _counted(at, node):
        return
    _rounds(at, node, lambda: None, node.test)


def _counted(at: Frame, node: ast.While) -> bool:
    """Run round by round; False, and everything as before, where that comes to no end."""
    loop = _begin(at, MAX_UNROLLED)
    exits = len(at.exits)
    for _ in range(MAX_UNROLLED):
        known = truth(at.value(node.test)) if at.live else False
        if known is False:
            _end(at, node, loop)
            return True
        if known is None:
            break
        _body(at, node, loop)
    at.loops.pop()
    at.heap.undo(loop.mark)
    del at.exits[exits:]
    at.live = True
    return False


def _endless(at: Frame, node: ast.While) -> None:
    loop = _begin(at)
    _until_settled(at, node, loop, lambda: None, None, skips=False)
    at.live = False
    at.loops.pop()
    meet(at, loop.breaks, loop.mark)


def _rounds(at: Frame, node: AnyLoop, begin: Callable[[], None], test: ast.expr | None) -> None:
    loop = _begin(at)
    _until_settled(at, node, loop, begin, test, skips=True)
    if at.live and test is not None:
        at.heap.assume(facts(at.value(test), true=False))
    _end(at, node, loop)


def _until_settled(
    at: Frame, node: AnyLoop, loop: Loop, begin: Callable[[], None], test: ast.expr | None, *, skips: bool
) -> None:
    """What one round hands to the next is seen; numbers and texts that change are not followed."""
    before: frozenset[Any] | None = None
    known: dict[Any, Any] = {}
    for _ in range(MAX_ROUNDS):
        skipped = (at.heap.since(loop.mark),) if skips else ()
        if test is not None:
            condition = at.value(test)
            if truth(condition) is False:
                break
            at.heap.assume(facts(condition, true=True))
        begin()
        _body(at, node, loop, skipped)
        if not at.live:
            break
        widened = _widen(at, at.heap.since(loop.mark), known) if before is not None else False
        changes = at.heap.since(loop.mark)
        after = _carried(changes)
        if after == before and not widened:
            break
        before = after
        known = {place: value.consts for place, (_, value) in changes.items() if isinstance(value, Value)}


def _carried(changes: Changes) -> frozenset[Any]:
    """Which places hold what untrusted data."""
    return frozenset(
        (place, taint.cell.key)
        for place, (_, value) in changes.items()
        if isinstance(value, Value)
        for taint in value.taints
    )


def _widen(at: Frame, changes: Changes, known: dict[Any, Any]) -> bool:
    """What each round changes once more is no constant."""
    widened = False
    for place, (table, value) in changes.items():
        if isinstance(value, Value) and value.consts and value.consts != known.get(place):
            at.heap.put(table, place[1], value.blurred())
            widened = True
    return widened
