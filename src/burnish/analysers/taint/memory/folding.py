"""Operators and text: constants are computed, text keeps its shape, what is untrusted stays so."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable
from typing import Any

from burnish.analysers.taint.memory.frame import Arguments, Frame
from burnish.analysers.taint.memory.marks import MARKUP, escaped, is_markup, joined
from burnish.analysers.taint.memory.proofs import OF_A_NUMBER, is_number
from burnish.analysers.taint.memory.texts import concatenated, filled
from burnish.analysers.taint.memory.things import REST, Obj, sequence
from burnish.analysers.taint.memory.values import (
    HARMLESS,
    HOLE,
    MAX_CONSTS,
    NUMBER,
    TAINTED,
    UNKNOWN,
    Const,
    External,
    Value,
    constant,
    join,
    join_all,
    merge_taints,
    of,
)

MAX_TEXT = 2000
MAX_NUMBER = 10**18
_WIDTH = re.compile(r"%[^a-zA-Z%]*[0-9*]")
_OPERATORS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_, ast.BitXor: operator.xor, ast.LShift: operator.lshift,
    ast.RShift: operator.rshift, ast.Pow: operator.pow,
}  # fmt: skip


def binary(at: Frame, node: ast.BinOp | ast.AugAssign, left: Value, right: Value) -> Value:
    known = _computed(node.op, left, right)
    if known is not None:
        return known
    if is_markup(left) or is_markup(right):
        return _markup(at, node, left, right)
    if left.refs or right.refs:
        known = _by_method(at, node, left, right) or _merged(at, node, left, right)
        if known is not None:
            return known
    if isinstance(node.op, ast.Add):
        listed = _lists(left, right)
        return listed if listed is not None else concatenated(at, left, right, node)
    if isinstance(node.op, ast.Mod) and (left.shape.strip(HOLE) or left.taints):
        return filled(at, left, right, node)
    if isinstance(node.op, ast.Div) and left.refs:
        # A path of pathlib.
        whole = concatenated(at, concatenated(at, left, constant("/"), node), joined(right), node)
        return Value(whole.taints, None, left.refs, whole.shape, whole.sure)
    taints = at.passed(left, right, node=node)
    refs = left.refs if isinstance(node.op, ast.BitOr | ast.BitAnd) else ()
    number = not refs and is_number(at.heap.proof(left)) and is_number(at.heap.proof(right))
    proof = OF_A_NUMBER if number else None
    return Value(taints, None, refs, HOLE if not taints else TAINTED, left.sure and right.sure, proof=proof)


_METHODS: dict[type[ast.operator], str] = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "truediv", ast.FloorDiv: "floordiv",
    ast.Mod: "mod", ast.BitAnd: "and", ast.BitOr: "or", ast.LShift: "lshift", ast.RShift: "rshift",
}  # fmt: skip


def _by_method(at: Frame, node: ast.BinOp | ast.AugAssign, left: Value, right: Value) -> Value | None:
    """An operator that a class of the tree defines."""
    name = _METHODS.get(type(node.op), "")
    names = [f"__{name}__", f"__i{name}__"] if isinstance(node, ast.AugAssign) else [f"__{name}__"]
    for value, other, asked in ((left, right, names), (right, left, [f"__r{name}__"])):
        for ref in value.refs:
            if isinstance(ref, Obj) and ref.cls is not None:
                for one in asked:
                    if ref.cls.find(one):
                        method = at.engine.attribute(at, of(ref), one, node)
                        return at.engine.call(at, method, Arguments([other]), node)
    return None


def _markup(at: Frame, node: ast.BinOp | ast.AugAssign, left: Value, right: Value) -> Value:
    """Markup escapes whatever is put beside or into it."""
    left = left if is_markup(left) else escaped(left)
    right = right if is_markup(right) else escaped(_each_escaped(right))
    bare = Value(left.taints, left.consts, (), left.shape, left.sure)
    if isinstance(node.op, ast.Mod):
        found = filled(at, bare, right, node)
    else:
        found = concatenated(at, bare, right, node)
    return Value(found.taints, None, (External(MARKUP),), found.shape, found.sure)


def _each_escaped(value: Value) -> Value:
    refs = tuple(
        sequence(ref.kind, tuple(one if is_markup(one) else escaped(one) for one in ref.items() or ()))
        if isinstance(ref, Obj) and ref.items() is not None
        else ref
        for ref in value.refs
    )
    return Value(value.taints, value.consts, refs, value.shape, value.sure)


def _computed(op: ast.operator, left: Value, right: Value) -> Value | None:
    if not left.consts or not right.consts or len(left.consts) * len(right.consts) > MAX_CONSTS:
        return None
    total: Value | None = None
    for one in left.consts:
        for other in right.consts:
            result = _apply(op, one, other)
            if result is None:
                return None
            made = constant(result)
            total = made if total is None else join(total, made)
    return total


def _apply(op: ast.operator, one: Const, other: Const) -> Const:
    if isinstance(op, ast.Pow | ast.LShift) and not (_small(one, 1000) and _small(other, 64)):
        return None
    if isinstance(op, ast.Mult) and not (_small(one, MAX_NUMBER) and _small(other, MAX_NUMBER)):
        return None
    if isinstance(op, ast.Mod) and not _fillable(one, other):
        return None
    try:
        result: Const = _OPERATORS[type(op)](one, other)
    except (TypeError, ValueError, ArithmeticError, KeyError, MemoryError):
        return None
    if isinstance(result, str | bytes) and len(result) > MAX_TEXT:
        return None
    return result if isinstance(result, str | bytes | int | float) else None


def _fillable(text: Const, value: Const) -> bool:
    """A width in the text could ask for a gigabyte."""
    if not isinstance(text, str | bytes):
        return True
    return isinstance(value, str | int | float) and isinstance(text, str) and not _WIDTH.search(text)


def _small(value: Const, limit: int) -> bool:
    return isinstance(value, int | float) and abs(value) <= limit


def unary(op: ast.unaryop, operand: Value) -> Value:
    if operand.is_const and isinstance(operand.const, int | float):
        if isinstance(op, ast.USub):
            return constant(-operand.const)
        if isinstance(op, ast.Invert) and isinstance(operand.const, int):
            return constant(~operand.const)
        return operand
    if is_number(operand.proof):
        return NUMBER
    return HARMLESS if operand.sure and not operand.taints else UNKNOWN


def _merged(at: Frame, node: ast.BinOp | ast.AugAssign, left: Value, right: Value) -> Value | None:
    """`one | other` of dicts: the other goes before."""
    refs = (*left.refs, *right.refs)
    dicts = [ref for ref in refs if isinstance(ref, Obj) and ref.kind == "dict"]
    if not isinstance(node.op, ast.BitOr) or len(dicts) != 2 or len(refs) != 2 or left.taints or right.taints:
        return None
    made = dicts[0].copy()
    made.put_all(at.heap, dicts[1])
    return of(made)


def _lists(left: Value, right: Value) -> Value | None:
    """Two sequences in one."""
    objects = [ref for ref in (*left.refs, *right.refs) if isinstance(ref, Obj) and ref.cls is None]
    if not objects or objects[0].kind in ("encoded", "open"):
        return None
    if len(left.refs) == len(right.refs) == 1 and len(objects) == 2:
        first, second = (one.items() if REST not in one.table else None for one in objects)
        if first is not None and second is not None:
            return of(sequence(objects[0].kind, (*first, *second)))
    made = Obj(objects[0].kind)
    made.table[REST] = join_all(one.everything() for one in objects)
    others = Value(merge_taints(left.taints, right.taints), sure=left.sure and right.sure)
    if others.taints or len(objects) != len(left.refs) + len(right.refs):
        made.table[REST] = join(made.table[REST], others)
    return of(made)
