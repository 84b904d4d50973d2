"""Arithmetic, bitwise and boolean operators, also in augmented assignments; operands dropped or swapped."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from burnish.fixers._python import Edit
from burnish.fixers.search._code import Code
from burnish.fixers.search.edits._proposal import Proposal

SIGNS: dict[type[ast.operator], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
    ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.LShift: "<<", ast.RShift: ">>", ast.MatMult: "@",
}  # fmt: skip
FORGETS = 4.0
# Who is mistaken for whom; the rest of its group is tried later.
NEAR = {
    "+": "-*", "-": "+", "*": ("+", "/", "**", "//"), "/": ("//", "*"), "//": ("/", "%", "*"),
    "%": ("//", "/"), "**": "*", "&": "|^", "|": "&^", "^": "&|", "<<": (">>",), ">>": ("<<",), "@": "*",
}  # fmt: skip
FAR = {
    "+": ("//", "%", "|"), "-": ("*", "/", "//", "%"), "*": ("-", "%"), "/": ("%", "-", "+"),
    "//": ("-", "+", ">>"), "%": ("*", "-", "+"), "**": ("//", "<<", "+"), "&": ("<<", ">>", "+", "-"),
    "|": ("+", "-", "<<"), "^": ("**", "+", "-"),
    "<<": ("*", "**", "&"), ">>": ("//", "&"), "@": ("+",),
}  # fmt: skip


def arithmetic(code: Code, node: ast.AST) -> Iterator[Proposal]:
    if not isinstance(node, ast.BinOp):
        return
    sign = SIGNS[type(node.op)]
    for kind, others in (("arithmetic-operator", NEAR), ("arithmetic-other", FAR)):
        for other in others[sign]:
            if edits := code.between(node.left, node.right, sign, other):
                yield Proposal(kind, edits)
    if isinstance(node.op, ast.BitXor | ast.Sub | ast.BitOr):
        yield Proposal(
            "bit-clear", code.instead(node, f"{code.said(node.left)} & ~{_whole(code, node.right)}")
        )
    for side in (node.left, node.right):
        yield Proposal("drop-operand", code.instead(node, code.said(side)))
    if not isinstance(node.op, ast.Mult | ast.BitAnd | ast.BitOr | ast.BitXor):
        yield Proposal("swap-operands", swapped(code, node.left, node.right))


def _whole(code: Code, node: ast.expr) -> str:
    """Its words with the parentheses around them, if it needs some."""
    said = code.said(node)
    return (
        said
        if isinstance(node, ast.Name | ast.Attribute | ast.Call | ast.Constant | ast.Subscript)
        else f"({said})"
    )


def swapped(code: Code, one: ast.AST, other: ast.AST) -> tuple[Edit, ...]:
    return (
        Edit(code.start(one), code.end(one), code.said(other)),
        Edit(code.start(other), code.end(other), code.said(one)),
    )


def augmented(code: Code, node: ast.AST) -> Iterator[Proposal]:
    """`+=` to `-=` or `=`; `=` to `+=`."""
    if isinstance(node, ast.AugAssign):
        sign = SIGNS[type(node.op)]
        for kind, others in (("arithmetic-operator", NEAR), ("arithmetic-other", FAR)):
            for other in others[sign]:
                yield Proposal(kind, code.between(node.target, node.value, f"{sign}=", f"{other}="))
        yield Proposal("augmented-to-plain", code.between(node.target, node.value, f"{sign}=", "="))
    if isinstance(node, ast.Assign) and len(node.targets) == 1 and not isinstance(node.targets[0], ast.Tuple):
        forgets = _forgets(code, node)
        for sign in ("+", "-", "|", "*"):
            edits = code.between(node.targets[0], node.value, "=", f"{sign}=")
            yield Proposal("plain-to-augmented", edits, forgets if sign == "+" else 1.0)


def _forgets(code: Code, node: ast.Assign) -> float:
    """A loop that writes over what was begun before it, and never looks at it, was meant to add up."""
    loop = next((one for one in code.module.above(node) if isinstance(one, ast.For | ast.While)), None)
    target, around = node.targets[0], code.function(node)
    if loop is None or around is None or not isinstance(target, ast.Name):
        return 1.0
    read = any(
        isinstance(one, ast.Name) and one.id == target.id and isinstance(one.ctx, ast.Load)
        for one in ast.walk(loop)
    )
    begun = any(
        isinstance(one, ast.Assign) and one.lineno < loop.lineno and code.said(one.targets[0]) == target.id
        for one in ast.walk(around)
    )
    return FORGETS if begun and not read else 1.0


def boolean(code: Code, node: ast.AST) -> Iterator[Proposal]:
    if not isinstance(node, ast.BoolOp):
        return
    old, new = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
    gaps = [
        code.between(left, right, old, new) for left, right in zip(node.values, node.values[1:], strict=False)
    ]
    if all(gaps):
        yield Proposal("boolean-operator", tuple(edit for gap in gaps for edit in gap))
    if len(gaps) > 1:
        for gap in gaps:
            yield Proposal("boolean-operator", gap)
    for at, value in enumerate(node.values):
        rest = [code.said(one) for one in node.values if one is not value]
        yield Proposal("drop-condition", code.instead(node, f" {old} ".join(rest)))
        yield Proposal("negate-condition", _negated(code, value))
        if at:
            yield Proposal("swap-operands", swapped(code, node.values[at - 1], value))


def _negated(code: Code, node: ast.expr) -> tuple[Edit, ...]:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return code.instead(node, code.said(node.operand), tight=True)
    said = code.said(node)
    plain = isinstance(node, ast.Name | ast.Attribute | ast.Call | ast.Subscript | ast.Compare)
    return code.instead(node, f"not {said}" if plain else f"not ({said})", tight=True)


def unary(code: Code, node: ast.AST) -> Iterator[Proposal]:
    """`not` and the sign taken away, a sign added."""
    if isinstance(node, ast.UnaryOp):
        kind = "negate-condition" if isinstance(node.op, ast.Not) else "sign"
        yield Proposal(kind, code.instead(node, code.said(node.operand)))
    elif isinstance(node, ast.Return | ast.Assign) and isinstance(
        node.value, ast.Name | ast.BinOp | ast.Call | ast.Attribute | ast.Subscript
    ):
        said = code.said(node.value)
        plain = not isinstance(node.value, ast.BinOp)
        # Whoever computes something forgets a sign within it, hardly that of all of it.
        likely = 1.0 if plain else 0.3
        yield Proposal("sign", code.instead(node.value, f"-{said}" if plain else f"-({said})"), likely)
        yield Proposal("negate-value", code.instead(node.value, f"not {said}"))


def condition(code: Code, node: ast.AST) -> Iterator[Proposal]:
    """The whole condition turned round."""
    tests: list[ast.expr] = []
    if isinstance(node, ast.If | ast.While | ast.IfExp | ast.Assert):
        tests = [node.test]
    elif isinstance(node, ast.comprehension):
        tests = node.ifs
    for test in tests:
        if not isinstance(test, ast.Compare) or len(test.ops) > 1:
            yield Proposal("negate-condition", _negated(code, test))
    if isinstance(node, ast.IfExp):
        yield Proposal("swap-branches", swapped(code, node.body, node.orelse))
