"""Expressions to values; what nests to the left (sums, calls of calls) is walked in a loop."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from burnish.analysers.taint.finding.texts import told
from burnish.analysers.taint.guards.alternatives import as_one, is_filled, settled_whole
from burnish.analysers.taint.guards.comparisons import compare
from burnish.analysers.taint.library import namespaces
from burnish.analysers.taint.library.members import attribute, element
from burnish.analysers.taint.memory import folding, texts
from burnish.analysers.taint.memory.budget import Spent
from burnish.analysers.taint.memory.conditions import either, every, facts, negated, truth
from burnish.analysers.taint.memory.frame import Arguments, Frame
from burnish.analysers.taint.memory.inside import carries
from burnish.analysers.taint.memory.proofs import unbound
from burnish.analysers.taint.memory.things import Function, Obj
from burnish.analysers.taint.memory.values import (
    HARMLESS,
    NEVER,
    UNKNOWN,
    External,
    Value,
    constant,
    join,
    of,
)
from burnish.analysers.taint.walking import comprehensions, displays
from burnish.analysers.taint.walking.calls import call_method, call_value
from burnish.analysers.taint.walking.displays import spread_any
from burnish.analysers.taint.walking.targets import assign


def evaluate(at: Frame, node: ast.expr) -> Value:
    budget = at.engine.budget
    budget.step()
    if type(node) is ast.Name:
        return _name(at, node)
    if type(node) is ast.Constant:
        return _constant(at, node)
    if budget.deep > budget.nesting:
        raise Spent(f"expressions more than {budget.nesting} deep")
    budget.deep += 1
    try:
        return _evaluate(at, node)
    finally:
        budget.deep -= 1


def _evaluate(at: Frame, node: ast.expr) -> Value:
    spine: list[ast.expr] = []
    inner = _inner(node)
    while inner is not None:
        spine.append(node)
        node = inner
        inner = _inner(node)
    leaf = _LEAVES.get(type(node))
    value = leaf(at, node) if leaf else UNKNOWN
    if type(node) is not ast.Name:
        value = _unnamed(value)
    while spine:
        outer = spine.pop()
        at.engine.budget.step()
        value = _unnamed(_STEPS[type(outer)](at, outer, value))
    return value


def _unnamed(value: Value) -> Value:
    """Only what is asked for by its name has one: what lies in a list may be several things."""
    if value.proof is None or not value.proof.subject:
        return value
    return replace(value, proof=unbound(value.proof))


_FIRST: dict[type[ast.AST], str] = {
    ast.BinOp: "left", ast.Attribute: "value", ast.Subscript: "value", ast.Await: "value",
    ast.UnaryOp: "operand", ast.Starred: "value", ast.Call: "func",
}  # fmt: skip


def _inner(node: ast.expr) -> ast.expr | None:
    """The part of an expression that is evaluated first, where that part can nest without end."""
    name = _FIRST.get(type(node))
    if name is None:
        return None
    first: ast.expr = getattr(node, name)
    return first.value if name == "func" and isinstance(first, ast.Attribute) else first


def _constant(at: Frame, node: ast.Constant) -> Value:
    return constant(node.value) if node.value is not ... else HARMLESS


def _name(at: Frame, node: ast.Name) -> Value:
    found = at.lookup(node.id)
    return as_one(at, found, node) if found is not None else of(External(f"builtins.{node.id}"))


def _call(at: Frame, node: ast.Call, first: Value) -> Value:
    given = arguments(at, node)
    if isinstance(node.func, ast.Attribute):
        if node.func.attr in _FILLING and not first.refs and first.consts is None:
            first = _filled(at, node.func.value, first, given)
        if node.func.attr in namespaces.WRITES and (held := namespaces.owner(at, node.func.value)):
            if node.func.attr == "update":
                namespaces.write_all(at, held, given, node)
            else:
                namespaces.write(at, held, given.get(0) or UNKNOWN, given.get(1) or UNKNOWN, node)
        return call_method(at, first, node.func.attr, given, node)
    return call_value(at, first, given, node)


# Methods that put something into what they are called on.
_FILLING = frozenset({"append", "appendleft", "add", "update", "insert", "extend", "setdefault", "put"})


def _filled(at: Frame, node: ast.expr, receiver: Value, given: Arguments) -> Value:
    tainted = next((value for value in given.all() if carries(value)), None)
    if tainted is None:
        return receiver
    made = Value(receiver.taints, None, (Obj("open"),), receiver.shape, sure=False)
    if isinstance(node, ast.Name | ast.Attribute | ast.Subscript):
        assign(at, node, made)
    return made


def arguments(at: Frame, node: ast.Call) -> Arguments:
    given = Arguments()
    given.written = not any(isinstance(one, ast.Starred) for one in node.args) and all(
        keyword.arg for keyword in node.keywords
    )
    for argument in node.args:
        value = at.value(argument)
        if isinstance(argument, ast.Starred):
            known, behind = spread_any(value)
            if known is not None and given.star is None:
                given.positional += known
                given.star = behind
            else:
                given.star = join(given.star or NEVER, element(at, value, UNKNOWN, node))
        elif given.star is not None:
            given.star = join(given.star, value)
        else:
            given.positional.append(value)
    for keyword in node.keywords:
        value = at.value(keyword.value)
        if keyword.arg:
            given.keywords[keyword.arg] = value
        else:
            _spread_keywords(at, given, value, node)
    return given


def _spread_keywords(at: Frame, given: Arguments, value: Value, node: ast.Call) -> None:
    for ref in value.refs:
        if isinstance(ref, Obj) and ref.kind == "dict":
            for key in ref.known_keys():
                if isinstance(key, str):
                    given.keywords.setdefault(key, ref.at(key))
            if not ref.table.get("rest"):
                return
    given.stars = join(given.stars or NEVER, element(at, value, UNKNOWN, node))


def _bool_op(at: Frame, node: ast.BoolOp) -> Value:
    """Later operands are seen under what the earlier ones said."""
    stop_at = isinstance(node.op, ast.Or)
    values: list[Value] = []
    mark = at.heap.mark()
    for operand in node.values:
        found = at.value(operand)
        value = at.heap.settle(found)
        values.append(value)
        if truth(value) is stop_at or (stop_at and is_filled(at, found)):
            break
        at.heap.assume(facts(value, true=not stop_at))
    at.heap.take_back_facts(mark)
    total = NEVER
    for number, value in enumerate(values):
        # An operand before the last is the result only where it is the one that ends the evaluation.
        if number == len(values) - 1:
            total = join(total, value)
        elif truth(value) is not (not stop_at):
            # `text and other`: what ends an `and` is empty, and nothing untrusted is in that.
            total = join(total, value if stop_at or value.consts else HARMLESS)
    return replace(total, when=either(values) if stop_at else every(values))


def _unary(at: Frame, node: ast.UnaryOp, operand: Value) -> Value:
    if isinstance(node.op, ast.Not):
        known = truth(operand)
        answer = constant(not known) if known is not None else HARMLESS
        return replace(answer, when=negated(operand.when))
    return folding.unary(node.op, operand)


def _if_exp(at: Frame, node: ast.IfExp) -> Value:
    test = at.value(node.test)
    known = truth(test)
    if known is not None:
        return at.value(node.body if known else node.orelse)
    values = []
    for side, true in ((node.body, True), (node.orelse, False)):
        mark = at.heap.mark()
        at.heap.assume(facts(test, true=true))
        values.append(at.heap.settle(at.value(side)))
        at.heap.take_back_facts(mark)
    return join(values[0], values[1])


def _joined_str(at: Frame, node: ast.JoinedStr) -> Value:
    total = constant("")
    for part in node.values:
        total = texts.concatenated(at, total, at.value(part), node)
    return told(at, total, node)


def _formatted(at: Frame, node: ast.FormattedValue) -> Value:
    value = at.value(node.value)
    spec = at.value(node.format_spec).text if node.format_spec else ""
    return texts.formatted(at, value, spec, chr(node.conversion) if node.conversion > 0 else "", node)


def _lambda(at: Frame, node: ast.Lambda) -> Value:
    made = Function(node, at.module, at)
    at.captured = True
    made.defaults = defaults(at, node.args)
    return of(made)


def defaults(at: Frame, args: ast.arguments) -> dict[str, Value]:
    plain = [*args.posonlyargs, *args.args]
    found = dict(
        zip((one.arg for one in plain[len(plain) - len(args.defaults) :]), args.defaults, strict=True)
    )
    keyed = {one.arg: node for one, node in zip(args.kwonlyargs, args.kw_defaults, strict=True) if node}
    return {name: at.value(node) for name, node in (found | keyed).items()}


def _named(at: Frame, node: ast.NamedExpr) -> Value:
    value = at.value(node.value)
    at.bind(node.target.id, value)
    return value


def _yield(at: Frame, node: ast.Yield) -> Value:
    value = at.value(node.value) if node.value else constant(None)
    at.yields = join(at.yields or NEVER, settled_whole(at, value, node.value))
    return UNKNOWN


def _yield_from(at: Frame, node: ast.YieldFrom) -> Value:
    value = element(at, at.value(node.value), UNKNOWN, node)
    at.yields = join(at.yields or NEVER, at.heap.settle(value))
    return UNKNOWN


def _slice(at: Frame, node: ast.Slice) -> Value:
    for part in (node.lower, node.upper, node.step):
        if part:
            at.value(part)
    return UNKNOWN


_LEAVES: dict[type[ast.AST], Callable[[Frame, Any], Value]] = {
    ast.Constant: _constant,
    ast.Name: _name,
    ast.BoolOp: _bool_op,
    ast.Compare: compare,
    ast.IfExp: _if_exp,
    ast.JoinedStr: _joined_str,
    ast.FormattedValue: _formatted,
    ast.List: displays.sequence_of,
    ast.Tuple: displays.sequence_of,
    ast.Set: displays.sequence_of,
    ast.Dict: displays.mapping_of,
    ast.Lambda: _lambda,
    ast.NamedExpr: _named,
    ast.Yield: _yield,
    ast.YieldFrom: _yield_from,
    ast.Slice: _slice,
    ast.ListComp: comprehensions.sequence_of,
    ast.SetComp: comprehensions.sequence_of,
    ast.GeneratorExp: comprehensions.sequence_of,
    ast.DictComp: comprehensions.mapping_of,
}
_STEPS: dict[type[ast.AST], Callable[[Frame, Any, Value], Value]] = {
    ast.Call: _call,
    ast.BinOp: lambda at, node, left: told(at, folding.binary(at, node, left, at.value(node.right)), node),
    ast.Attribute: lambda at, node, value: attribute(at, value, node.attr, node),
    ast.Subscript: lambda at, node, value: element(at, value, at.value(node.slice), node),
    ast.Await: lambda at, node, value: value,
    ast.UnaryOp: _unary,
    ast.Starred: lambda at, node, value: value,
}
