"""Statements: what they change, which way they go on, and where branches come together again."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any

from burnish.analysers.taint.finding.assigned import to_answer
from burnish.analysers.taint.guards.alternatives import settled_whole
from burnish.analysers.taint.library import containers
from burnish.analysers.taint.library.members import attribute
from burnish.analysers.taint.memory import folding
from burnish.analysers.taint.memory.conditions import facts, truth
from burnish.analysers.taint.memory.frame import Arguments, Frame
from burnish.analysers.taint.memory.heap import Changes
from burnish.analysers.taint.memory.marks import asserted
from burnish.analysers.taint.memory.things import Obj
from burnish.analysers.taint.memory.values import NONE, Value, join
from burnish.analysers.taint.walking import definitions
from burnish.analysers.taint.walking.branches import leave, meet
from burnish.analysers.taint.walking.loops import run_for, run_while
from burnish.analysers.taint.walking.matching import run_match
from burnish.analysers.taint.walking.targets import assign, forget
from burnish.analysers.taint.walking.trying import run_try

CHANGED_IN_PLACE = frozenset({"list", "dict", "set", "deque"})


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
    value = at.moved(at.value(node.value), node)
    for target in node.targets:
        assign(at, target, value)


def _annotated(at: Frame, node: ast.AnnAssign) -> None:
    if node.value is not None:
        assign(at, node.target, at.moved(at.value(node.value), node))


def _augmented(at: Frame, node: ast.AugAssign) -> None:
    before = at.value(_load(node.target))
    if isinstance(node.op, ast.Add | ast.BitOr) and any(isinstance(ref, Obj) for ref in before.refs):
        value = at.value(node.value)
        if _in_place(at, before, value, node):
            return
        assign(at, node.target, at.moved(folding.binary(at, node, before, value), node))
        return
    assign(at, node.target, at.moved(folding.binary(at, node, before, at.value(node.value)), node))


def _in_place(at: Frame, before: Value, more: Value, node: ast.AugAssign) -> bool:
    """`xs += ys` and `d |= e` change what every name of them sees."""
    objects = [ref for ref in before.refs if isinstance(ref, Obj)]
    if len(objects) != len(before.refs) or not all(ref.kind in CHANGED_IN_PLACE for ref in objects):
        return False
    for ref in objects:
        if isinstance(node.op, ast.Add):
            containers.extend(at, ref, more, node)
        else:
            containers.update(at, ref, more, node)
    return True


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
    to_answer(at, value, node)
    at.exits.append((settled_whole(at, value, node.value), at.heap.since(at.mark)))
    at.live = False


def _raise(at: Frame, node: ast.Raise) -> None:
    value = at.heap.settle(at.value(node.exc)) if node.exc else at.caught
    at.engine.raised(at, value, node)
    at.raised = join(at.raised, value)
    if at.tries:
        start, states = at.tries[-1]
        states.append(at.heap.since(start))
    at.live = False


def _assert(at: Frame, node: ast.Assert) -> None:
    """What it finds out clears nothing, and is told: `python -O` leaves it out."""
    at.heap.assume(asserted(facts(at.value(node.test), true=True)))


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
            leave(at, branches, start)
            at.heap.undo(here)
        at.live = True
        at.heap.assume(facts(test, true=False))
        if len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If):
            node = node.orelse[0]
            continue
        at.run(node.orelse)
        break
    meet(at, branches, start)


def _break(at: Frame, node: ast.Break) -> None:
    if at.loops:
        at.loops[-1].breaks.append(at.heap.since(at.loops[-1].mark))
    at.live = False


def _continue(at: Frame, node: ast.Continue) -> None:
    if at.loops:
        at.loops[-1].continues.append(at.heap.since(at.loops[-1].mark))
    at.live = False


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
    ast.For: run_for,
    ast.AsyncFor: run_for,
    ast.While: run_while,
    ast.Break: _break,
    ast.Continue: _continue,
    ast.Try: run_try,
    ast.TryStar: run_try,
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
