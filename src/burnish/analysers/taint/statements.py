"""Statements: what they change, which way they go on, and where branches come together again."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any

from burnish.analysers.taint import definitions, folding
from burnish.analysers.taint.conditions import facts, truth
from burnish.analysers.taint.frame import Arguments, Frame, Loop
from burnish.analysers.taint.heap import Changes
from burnish.analysers.taint.matching import run_match
from burnish.analysers.taint.members import attribute, element
from burnish.analysers.taint.targets import assign, forget
from burnish.analysers.taint.things import Obj
from burnish.analysers.taint.values import NONE, UNKNOWN, Value

ROUNDS = 2


def execute(at: Frame, body: Sequence[ast.stmt]) -> None:
    for statement in body:
        if not at.live:
            return
        at.engine.budget.step()
        handler = _STATEMENTS.get(type(statement))
        if handler:
            handler(at, statement)


def _expression(at: Frame, node: ast.Expr) -> None:
    at.value(node.value)


def _assign(at: Frame, node: ast.Assign) -> None:
    value = at.step(at.value(node.value), node)
    for target in node.targets:
        assign(at, target, value)


def _annotated(at: Frame, node: ast.AnnAssign) -> None:
    if node.value is not None:
        assign(at, node.target, at.step(at.value(node.value), node))


def _augmented(at: Frame, node: ast.AugAssign) -> None:
    before = at.value(_load(node.target))
    assign(at, node.target, at.step(folding.binary(at, node, before, at.value(node.value)), node))


def _load(target: ast.expr) -> ast.expr:
    """The same place, read."""
    match target:
        case ast.Name(id=name):
            return ast.copy_location(ast.Name(name, ast.Load()), target)
        case ast.Attribute(value=inner, attr=name):
            return ast.copy_location(ast.Attribute(inner, name, ast.Load()), target)
        case ast.Subscript(value=inner, slice=index):
            return ast.copy_location(ast.Subscript(inner, index, ast.Load()), target)
    return target


def _return(at: Frame, node: ast.Return) -> None:
    value = at.value(node.value) if node.value else NONE
    at.engine.returned(at, value, node)
    at.exits.append((at.heap.settle(value), at.heap.since(at.mark)))
    at.live = False


def _raise(at: Frame, node: ast.Raise) -> None:
    if node.exc:
        at.value(node.exc)
    at.live = False


def _assert(at: Frame, node: ast.Assert) -> None:
    at.heap.assume(facts(at.value(node.test), true=True))


def _delete(at: Frame, node: ast.Delete) -> None:
    for target in node.targets:
        forget(at, target)


def _if(at: Frame, node: ast.If) -> None:
    """An `elif` is a branch beside the others, not inside of one: there may be thousands."""
    start = at.heap.mark()
    branches: list[Changes] = []
    while at.live:
        test = at.value(node.test)
        known = truth(test)
        if known is not False:
            here = at.heap.mark()
            at.heap.assume(facts(test, true=True))
            at.run(node.body)
            if known is True:
                break
            _leave(at, branches, start)
            at.heap.undo(here)
        at.live = True
        at.heap.assume(facts(test, true=False))
        if len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If):
            node = node.orelse[0]
            continue
        at.run(node.orelse)
        break
    meet(at, branches, start)


def _leave(at: Frame, branches: list[Changes], start: int) -> None:
    if at.live:
        branches.append(at.heap.since(start))


def meet(at: Frame, branches: list[Changes], start: int) -> None:
    """This way and those: the state after any of them, or nothing behind here is reached."""
    _leave(at, branches, start)
    at.heap.undo(start)
    at.live = bool(branches)
    if branches:
        at.heap.join(branches)


def _for(at: Frame, node: ast.For | ast.AsyncFor) -> None:
    item = at.step(element(at, at.value(node.iter), UNKNOWN, node, iterated=True), node)
    _loop(at, node, lambda: assign(at, node.target, item), None)


def _while(at: Frame, node: ast.While) -> None:
    _loop(at, node, lambda: None, node.test)


def _loop(at: Frame, node: Any, begin: Callable[[], None], test: ast.expr | None) -> None:
    """Two rounds see what one round hands to the next; what leaves the loop meets behind it."""
    start = at.heap.mark()
    loop = Loop(start)
    at.loops.append(loop)
    endless = False
    for _ in range(ROUNDS):
        condition = at.value(test) if test is not None else None
        known = truth(condition) if condition else None
        if known is False:
            break
        endless = known is True
        skipped = [] if endless else [at.heap.since(start)]
        if condition is not None:
            at.heap.assume(facts(condition, true=True))
        begin()
        at.run(node.body)
        loop.continues, again = [], loop.continues
        meet(at, [*skipped, *again], start)
        if not at.live:
            break
    at.loops.pop()
    if endless:
        at.live = False
    if at.live and test is not None:
        at.heap.assume(facts(at.value(test), true=False))
    if at.live:
        at.run(node.orelse)
    meet(at, loop.breaks, start)


def _break(at: Frame, node: ast.Break) -> None:
    if at.loops:
        at.loops[-1].breaks.append(at.heap.since(at.loops[-1].mark))
    at.live = False


def _continue(at: Frame, node: ast.Continue) -> None:
    if at.loops:
        at.loops[-1].continues.append(at.heap.since(at.loops[-1].mark))
    at.live = False


def _try(at: Frame, node: Any) -> None:
    """A handler may start from before the body, or from anything the body had done until then."""
    start = at.heap.mark()
    at.run(node.body)
    reached = at.heap.since(start)
    if at.live:
        at.run(node.orelse)
    ends: list[Changes] = []
    _leave(at, ends, start)
    for handler in node.handlers:
        at.heap.undo(start)
        at.heap.join([{}, reached])
        at.heap.drop_facts(start)
        at.live = True
        if handler.name:
            at.bind(handler.name, UNKNOWN)
        at.run(handler.body)
        _leave(at, ends, start)
    at.heap.undo(start)
    at.live = bool(ends)
    at.heap.join(ends or [reached])
    alive, at.live = at.live, True
    at.run(node.finalbody)
    at.live = at.live and alive


def _with(at: Frame, node: ast.With | ast.AsyncWith) -> None:
    for item in node.items:
        value = at.value(item.context_expr)
        if item.optional_vars is not None:
            assign(at, item.optional_vars, _entered(at, value, node))
    at.run(node.body)


def _entered(at: Frame, value: Value, node: ast.AST) -> Value:
    for ref in value.refs:
        if isinstance(ref, Obj) and ref.cls and ref.cls.find("__enter__"):
            return at.engine.call(at, attribute(at, value, "__enter__", node), Arguments(), node)
    return value


def _global(at: Frame, node: ast.Global) -> None:
    at.globals.update(node.names)


def _nonlocal(at: Frame, node: ast.Nonlocal) -> None:
    at.nonlocals.update(node.names)


_STATEMENTS: dict[type[ast.stmt], Callable[[Frame, Any], None]] = {
    ast.Expr: _expression,
    ast.Assign: _assign,
    ast.AnnAssign: _annotated,
    ast.AugAssign: _augmented,
    ast.Return: _return,
    ast.Raise: _raise,
    ast.Assert: _assert,
    ast.Delete: _delete,
    ast.If: _if,
    ast.For: _for,
    ast.AsyncFor: _for,
    ast.While: _while,
    ast.Break: _break,
    ast.Continue: _continue,
    ast.Try: _try,
    ast.TryStar: _try,
    ast.With: _with,
    ast.AsyncWith: _with,
    ast.Match: run_match,
    ast.Global: _global,
    ast.Nonlocal: _nonlocal,
    ast.FunctionDef: definitions.define,
    ast.AsyncFunctionDef: definitions.define,
    ast.ClassDef: definitions.define_class,
    ast.Import: definitions.import_names,
    ast.ImportFrom: definitions.import_from,
}
