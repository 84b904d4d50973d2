"""`try`: handlers begin anywhere in the body, and `finally` is run on every way out."""

from __future__ import annotations

import ast
import builtins
from typing import Any

from burnish.analysers.taint.memory.frame import Frame
from burnish.analysers.taint.memory.heap import Changes
from burnish.analysers.taint.memory.values import NEVER, UNKNOWN, External, Value, join
from burnish.analysers.taint.walking.branches import leave

MAX_EXITS = 6


def run_try(at: Frame, node: Any) -> None:
    """A handler may start from before the body, or from anything the body had done until then."""
    start, exits = at.heap.mark(), len(at.exits)
    raised, at.raised = at.raised, NEVER
    at.tries.append((start, []))
    at.run(node.body)
    thrown, (_, left) = at.raised, at.tries.pop()
    reached = at.heap.passed_through(start)
    at.raised = join(raised, thrown) if not node.handlers else raised
    if at.live:
        at.run(node.orelse)
    ends: list[Changes] = []
    leave(at, ends, start)
    ended = at.heap.since(start)
    for handler in node.handlers:
        at.heap.undo(start)
        at.heap.join([{}, reached, *left])
        # It may not have come to what was found out in there.
        at.heap.take_back_facts(start)
        at.live = True
        _handle(at, handler, thrown)
        leave(at, ends, start)
    at.heap.undo(start)
    at.live = bool(ends)
    at.heap.join(ends or [ended])
    if node.finalbody:
        _finally(at, node.finalbody, exits)


def _handle(at: Frame, handler: ast.ExceptHandler, thrown: Value) -> None:
    wanted = at.value(handler.type) if handler.type else UNKNOWN
    before, at.caught = at.caught, _caught(wanted, thrown)
    if handler.name:
        at.bind(handler.name, at.step(at.caught, handler))
    at.run(handler.body)
    at.caught = before


def _caught(wanted: Value, thrown: Value) -> Value:
    """What arrives: something foreign, or what was raised where this handler takes that."""
    types, made = _types(wanted), _types(thrown)
    if types and made and not any(issubclass(one, tuple(types)) for one in made):
        return UNKNOWN
    return join(UNKNOWN, thrown)


def _types(value: Value) -> list[type]:
    """The built-in exceptions it can be; empty where it can be another."""
    names = [ref.name if isinstance(ref, External) else "" for ref in value.refs]
    found = [getattr(builtins, name.removeprefix("builtins."), None) for name in names if name]
    types = [one for one in found if isinstance(one, type)]
    return types if len(types) == len(names) else []


def _finally(at: Frame, body: list[ast.stmt], exits: int) -> None:
    """Also behind each `return` inside; what is returned is what it was."""
    alive, at.live = at.live, True
    leaving = range(exits, min(len(at.exits), exits + MAX_EXITS))
    at.run(body)
    at.live = at.live and alive
    if not leaving:
        return
    alive = at.live
    for number in leaving:
        value, changes = at.exits[number]
        here = at.heap.mark()
        at.heap.go_to(at.mark, changes)
        at.live = True
        at.run(body)
        if at.live:
            at.exits[number] = value, at.heap.since(at.mark)
        at.heap.undo(here)
    at.live = alive
