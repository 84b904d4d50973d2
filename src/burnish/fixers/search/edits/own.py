"""What the file has already: a function of its own that others go through, a result that nobody kept."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from burnish.fixers._python import Edit
from burnish.fixers.search._code import Code, Function
from burnish.fixers.search._roles import counts
from burnish.fixers.search.edits._proposal import Proposal

MOST_FUNCTIONS = 6
MOST_TERMS = 6


def through_own(code: Code, node: ast.AST) -> Iterator[Proposal]:
    """A value that should have gone through a function of this file first, as others do."""
    for part in _values(node):
        if not isinstance(part, ast.Name | ast.Attribute | ast.Call | ast.Subscript):
            continue
        said = code.said(part)
        around = code.said(node.func) if isinstance(node, ast.Call) else ""
        for called in _of_one_argument(code, part)[:MOST_FUNCTIONS]:
            if not said.startswith(f"{called}(") and called != around:
                yield Proposal("wrap-own", code.instead(part, f"{called}({said})"))


def _values(node: ast.AST) -> list[ast.expr]:
    match node:
        case ast.Return(value=ast.expr() as value) | ast.Assign(value=value):
            return [value]
        case ast.Call(args=given):
            return given[:2]
        case ast.Subscript(slice=ast.Name() | ast.Attribute() as index):
            return [index]
        case ast.Compare(left=left, comparators=rights):
            return [left, *rights]
    return []


def _of_one_argument(code: Code, node: ast.AST) -> list[str]:
    """Functions that take one value and are called with one somewhere, as they are called from here."""
    around = code.function(node)
    owner = code.owner(around) if around is not None else None
    used = {
        one.func.id if isinstance(one.func, ast.Name) else one.func.attr
        for one in ast.walk(code.tree)
        if isinstance(one, ast.Call) and isinstance(one.func, ast.Name | ast.Attribute)
    }
    found = []
    for one in code.functions:
        own = code.owner(one)
        if (
            one is around
            or one.name not in used - {"main"}
            or not _gives(one)
            or (own is not None and own is not owner)
        ):
            continue
        required = len(one.args.args) - len(one.args.defaults)
        static = any(isinstance(by, ast.Name) and by.id == "staticmethod" for by in one.decorator_list)
        if required == (1 if own is None or static else 2):
            found.append(one.name if own is None else f"self.{one.name}")
    return found


def _gives(function: Function) -> bool:
    return any(isinstance(one, ast.Return) and one.value is not None for one in ast.walk(function))


def kept(code: Code, node: ast.AST) -> Iterator[Proposal]:
    """A result that is computed and dropped: it was to take the place of what it was computed from."""
    if not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)):
        return
    call = node.value
    parts: list[ast.expr] = [*call.args, *([call.func.value] if isinstance(call.func, ast.Attribute) else [])]
    place = code.start(node)
    for part in parts:
        if isinstance(part, ast.Name | ast.Subscript | ast.Attribute):
            yield Proposal("keep-result", (Edit(place, place, f"{code.said(part)} = "),))
    for name in code.values_at(node)[:MOST_TERMS]:
        for words in (f"{name} = ", f"{name} += "):
            yield Proposal("keep-result-far", (Edit(place, place, words),))


def term_added(code: Code, node: ast.AST) -> Iterator[Proposal]:
    """One more to add or take away: another of the same kind, `- len(a) - len(b)`, or a number at hand."""
    if not (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub)):
        return
    said, names = code.said(node), code.values_at(node)[:MOST_TERMS]
    used = {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}
    match node.right:
        case ast.Call(func=called, args=[ast.Name()]):
            sign = "+" if isinstance(node.op, ast.Add) else "-"
            for name in names:
                if name not in used:
                    yield Proposal(
                        "term-added", code.instead(node, f"{said} {sign} {code.said(called)}({name})")
                    )
    for name in names:
        if name not in used and counts(code, node, name):
            for sign in ("-", "+"):
                yield Proposal("term-added", code.instead(node, f"{said} {sign} {name}"))


def within(code: Code, node: ast.AST) -> Iterator[Proposal]:
    """A number that should have been taken within a bound that the function names: `minutes % 60`."""
    match node:
        case ast.Assign(value=ast.BinOp() | ast.Name() as part) | ast.Return(value=ast.BinOp() as part):
            pass
        case ast.FormattedValue(value=ast.BinOp() | ast.Name() as part) if code.placed(part):
            pass
        case _:
            return
    around = code.function(node) or ast.Module([], [])
    bounds = [
        code.said(one)
        for one in ast.walk(around)
        if isinstance(one, ast.Constant) and type(one.value) is int and one.value > 2
    ]
    for bound in dict.fromkeys(bounds):
        if not code.said(part).endswith(f"% {bound}"):
            tight = isinstance(part, ast.Name) or isinstance(part.op, ast.Mult | ast.FloorDiv | ast.Div)
            said = code.said(part) if tight else f"({code.said(part)})"
            yield Proposal("modulo-added", code.instead(part, f"{said} % {bound}"))
