"""Comparisons: boundaries, directions, identity, membership; conditions that want more or other words."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from burnish.fixers.search._code import Code
from burnish.fixers.search.edits._proposal import Proposal

SIGNS: dict[type[ast.cmpop], str] = {
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=",
    ast.Is: "is", ast.IsNot: "is not", ast.In: "in", ast.NotIn: "not in",
}  # fmt: skip
BOUNDARY = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
TURNED = {
    "<": (">", ">="), "<=": (">=", ">"), ">": ("<", "<="), ">=": ("<=", "<"), "==": ("!=",), "!=": ("==",),
    "is": ("is not",), "is not": ("is",), "in": ("not in",), "not in": ("in",),
}  # fmt: skip
OTHER = {
    "<": ("!=", "=="), "<=": ("==", "!="), ">": ("!=", "=="), ">=": ("==", "!="),
    "==": ("<=", ">=", "is", "in", "<", ">"), "!=": ("<", ">", "is not"), "is": ("==",),
    "is not": ("!=",), "in": ("==",), "not in": ("!=",),
}  # fmt: skip
MOST_MORE = 14


def comparison(code: Code, node: ast.AST) -> Iterator[Proposal]:
    if not isinstance(node, ast.Compare):
        return
    left: ast.expr = node.left
    for op, right in zip(node.ops, node.comparators, strict=True):
        sign = SIGNS[type(op)]
        if sign in BOUNDARY:
            yield Proposal("compare-boundary", code.between(left, right, sign, BOUNDARY[sign]))
        for kind, others in (("compare-turned", TURNED), ("compare-other", OTHER)):
            for other in others[sign]:
                yield Proposal(kind, code.between(left, right, sign, other))
        yield from _with_number(code, left, op, right)
        left = right


def _with_number(code: Code, left: ast.expr, op: ast.cmpop, right: ast.expr) -> Iterator[Proposal]:
    """`len(x) == 0` was meant as `len(x) <= 1`: sign and number at once."""
    if not (isinstance(right, ast.Constant) and type(right.value) is int):
        return
    sign, number = SIGNS[type(op)], right.value
    if sign == "==":
        for other, value in (("<=", number + 1), (">=", number - 1)):
            edits = code.between(left, right, sign, other)
            yield Proposal("compare-and-number", (*edits, *code.instead(right, str(value))) if edits else ())


def more_condition(code: Code, node: ast.AST) -> Iterator[Proposal]:
    """A condition that forgot a case: `c` to `c or not x`, `x is not None and c`, or one used nearby."""
    if not isinstance(node, ast.If | ast.While):
        return
    test, said = node.test, code.said(node.test)
    loose = f"({said})" if isinstance(test, ast.BoolOp | ast.IfExp | ast.NamedExpr | ast.Lambda) else said
    names = list(code.values_at(node))
    yield from _about_none(code, test, loose)
    for name in names[:MOST_MORE]:
        for words in (
            f"{loose} or not {name}",
            f"{loose} and {name}",
            f"{loose} and not {name}",
            f"{loose} or {name}",
        ):
            yield Proposal("more-condition", code.instead(test, words, tight=True))
    others = _conditions_near(code, node)
    for other in others[:MOST_MORE]:
        for word in ("and", "or"):
            yield Proposal("condition-from-nearby", code.instead(test, f"{loose} {word} {other}", tight=True))
    if isinstance(test, ast.Constant):
        for name in names:
            yield Proposal("condition-variable", code.instead(test, name, tight=True))


def _about_none(code: Code, test: ast.expr, said: str) -> Iterator[Proposal]:
    """What is looked into could be None or empty."""
    seen: dict[str, None] = {}
    for part in ast.walk(test):
        if isinstance(part, ast.Attribute | ast.Subscript) and isinstance(
            part.value, ast.Name | ast.Attribute
        ):
            seen.setdefault(code.said(part.value))
    for base in list(seen)[:4]:
        for words in (
            f"{base} is None or {said}",
            f"{base} is not None and {said}",
            f"{base} and {said}",
            f"not {base} or {said}",
        ):
            yield Proposal("none-condition", code.instead(test, words, tight=True))


def _conditions_near(code: Code, node: ast.AST) -> list[str]:
    """Simple comparisons of the same function."""
    around = code.function(node) or code.tree
    found = [
        code.said(part)
        for part in ast.walk(around)
        if isinstance(part, ast.Compare) and part is not getattr(node, "test", None) and code.placed(part)
    ]
    return [words for words in dict.fromkeys(found) if len(words) < 40]


def returned_condition(code: Code, node: ast.AST) -> Iterator[Proposal]:
    """`return True` that should look at what was counted."""
    if not (isinstance(node, ast.Return) and isinstance(node.value, ast.Constant)):
        return
    if not isinstance(node.value.value, bool):
        return
    for name in code.values_at(node)[:MOST_MORE]:
        for words in (f"not {name}", f"{name} == 0", f"bool({name})"):
            yield Proposal("returned-condition", code.instead(node.value, words))
