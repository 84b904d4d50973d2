"""Statements: returns and jumps, those in the wrong order or block, forgotten ones and guards."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from burnish.fixers._python import Edit
from burnish.fixers.search._code import Code
from burnish.fixers.search.edits._proposal import Proposal
from burnish.fixers.search.edits.operators import swapped

STEP = "    "
MOST_NAMES = 8
# How far apart two statements may be that were mixed up.
NEAR = 3
SIMPLE = (
    ast.Expr,
    ast.Assign,
    ast.AugAssign,
    ast.AnnAssign,
    ast.Return,
    ast.Break,
    ast.Continue,
    ast.Raise,
    ast.Delete,
)


def returns(code: Code, node: ast.AST) -> Iterator[Proposal]:
    if isinstance(node, ast.Expr) and not isinstance(
        node.value, ast.Constant | ast.Yield | ast.YieldFrom | ast.Await
    ):
        yield Proposal("missing-return", (Edit(code.start(node), code.start(node), "return "),))
        yield Proposal("missing-await", (Edit(code.start(node), code.start(node), "await "),))
    if isinstance(node, ast.Assign) and len(node.targets) == 1:
        yield Proposal("assign-to-return", (Edit(code.start(node), code.start(node.value), "return "),))
    if isinstance(node, ast.Return) and node.value is None:
        for name in code.values_at(node)[:MOST_NAMES]:
            yield Proposal("return-value", (Edit(code.start(node), code.end(node), f"return {name}"),))


def jumps(code: Code, node: ast.AST) -> Iterator[Proposal]:
    """`break`, `continue`, `return`, `yield`: one for the other."""
    place = (code.start(node), code.end(node)) if isinstance(node, ast.stmt | ast.expr) else (0, 0)
    match node:
        case ast.Break():
            for words in ("continue", "return", "pass"):
                yield Proposal("jump", (Edit(*place, words),))
        case ast.Continue():
            for words in ("break", "pass", "return"):
                yield Proposal("jump", (Edit(*place, words),))
        case ast.Pass():
            for words in ("continue", "break", "return", "raise"):
                yield Proposal("jump", (Edit(*place, words),))
        case ast.Return(value=value):
            for words in ("break", "continue"):
                yield Proposal("jump", (Edit(*place, words),))
            if value is not None:
                yield Proposal("jump", (Edit(place[0], code.start(value), "yield "),))
        case ast.Yield(value=ast.expr() as value):
            yield Proposal("yield", (Edit(place[0], code.start(value), "yield from "),))
            yield Proposal("yield", (Edit(place[0], code.start(value), "return "),))
        case ast.YieldFrom(value=value):
            yield Proposal("yield", (Edit(place[0], code.start(value), "yield "),))
        case ast.Await(value=value):
            yield Proposal("missing-await", (Edit(*place, code.said(value)),))


def order(code: Code, node: ast.AST) -> Iterator[Proposal]:
    """Two neighbours swapped; a statement moved to the other side of its block's end."""
    if not isinstance(node, ast.stmt) or code.indent(node) is None:
        return
    block = code.body_of(node)
    at = next((place for place, one in enumerate(block) if one is node), 0)
    if at + 1 < len(block) and isinstance(node, SIMPLE) and isinstance(block[at + 1], SIMPLE):
        other = block[at + 1]
        if code.indent(other) is not None and other.lineno > (node.end_lineno or 0):
            first, second = (code.start(node), code.end(node)), (code.start(other), code.end(other))
            yield Proposal(
                "swap-statements", (Edit(*first, code.said(other)), Edit(*second, code.said(node)))
            )
    if isinstance(node, SIMPLE) and node.lineno == node.end_lineno:
        yield from _moved_out(code, node, block)
        yield from _moved_in(code, node, block, at)


def values_swapped(code: Code, node: ast.AST) -> Iterator[Proposal]:
    """What two assignments near one another were given, the other way round."""
    if not isinstance(node, ast.Assign):
        return
    block = code.body_of(node)
    at = next((place for place, one in enumerate(block) if one is node), 0)
    for other in block[at + 1 : at + 1 + NEAR]:
        if isinstance(other, ast.Assign) and type(other.value) is type(node.value):
            named = any(_called_like(code, one) for one in (node, other))
            yield Proposal("swap-values", swapped(code, node.value, other.value), 0.1 if named else 1.0)


def _called_like(code: Code, node: ast.Assign) -> bool:
    """`self.tax = tax` is as it should be."""
    return code.said(node.targets[0]).rpartition(".")[2] == code.said(node.value).rpartition(".")[2]


def _moved_out(code: Code, node: ast.stmt, block: list[ast.stmt]) -> Iterator[Proposal]:
    """The last statement of a loop or branch, behind it."""
    above, indent = code.parent(node), code.indent(node)
    if block[-1] is not node or not isinstance(above, ast.For | ast.While | ast.If | ast.With | ast.Try):
        return
    outer = code.indent(above)
    if indent is None or outer is None:
        return
    own = (code.line_start(node.lineno), code.line_end(node))
    behind = code.line_end(above)
    text = f"{outer}{code.said(node)}\n"
    if len(block) > 1:
        if behind == own[1]:
            # A loop whose last word is `return` goes round once at most.
            early = isinstance(node, ast.Return) and isinstance(above, ast.For | ast.While)
            yield Proposal("return-out-of-loop" if early else "move-statement", (Edit(*own, text),))
        else:
            yield Proposal("move-statement", (Edit(*own, ""), Edit(behind, behind, text)))
        before = code.line_start(above.lineno)
        yield Proposal("move-statement", (Edit(*own, ""), Edit(before, before, text)))


def _moved_in(code: Code, node: ast.stmt, block: list[ast.stmt], at: int) -> Iterator[Proposal]:
    """A statement behind or before a loop or branch, into it."""
    own = (code.line_start(node.lineno), code.line_end(node))
    for other, first in (
        (block[at - 1] if at else None, False),
        (block[at + 1] if at + 1 < len(block) else None, True),
    ):
        if not isinstance(other, ast.For | ast.While | ast.If | ast.With):
            continue
        inner_block = other.body if first or not other_else(other) else other_else(other)
        inner = inner_block[0] if first else inner_block[-1]
        indent = code.indent(inner)
        if indent is None:
            continue
        place = code.line_start(inner.lineno) if first else code.line_end(inner)
        yield Proposal("move-statement", (Edit(*own, ""), Edit(place, place, f"{indent}{code.said(node)}\n")))


def other_else(node: ast.stmt) -> list[ast.stmt]:
    found: list[ast.stmt] = getattr(node, "orelse", [])
    return found


def dropped(code: Code, node: ast.AST) -> Iterator[Proposal]:
    """One simple statement too many. Never a block."""
    docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    if isinstance(node, ast.Expr | ast.Assign | ast.AugAssign | ast.Break | ast.Continue) and not docstring:
        yield Proposal("drop-statement", (Edit(code.start(node), code.end(node), "pass"),))


def branches(code: Code, node: ast.AST) -> Iterator[Proposal]:
    """`if` that should be `elif`, and the other way; `while` and `if`."""
    if not isinstance(node, ast.If | ast.While):
        return
    start = code.start(node)
    indent = code.indent(node)
    if isinstance(node, ast.If) and code.text.startswith("elif", start):
        yield Proposal("elif", (Edit(start, start + 4, "if"),))
    elif isinstance(node, ast.If) and code.text.startswith("if", start):
        block = code.body_of(node)
        at = next((place for place, one in enumerate(block) if one is node), 0)
        if at and isinstance(block[at - 1], ast.If) and not other_else(block[at - 1]):
            yield Proposal("elif", (Edit(start, start, "el"),))
        if indent is not None and not node.orelse:
            yield Proposal("if-while", (Edit(start, start + 2, "while"),))
    elif isinstance(node, ast.While) and not node.orelse:
        yield Proposal("if-while", (Edit(start, start + 5, "if"),))
