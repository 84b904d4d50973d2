"""What an edit that passes is worth by what it leaves: people rarely write dead or doubled code. Pure."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise

from burnish.fixers.search._candidates import Candidate
from burnish.fixers.search._natural import natural

# For each name that nobody reads any more, each that somebody reads now, and each piece that makes no sense.
UNUSED, USED, SENSELESS = 0.4, 1.6, 0.25
# For what only takes away, and for what is answered by a constant where something was computed.
TAKEN_AWAY, ANSWERED = 0.7, 0.7
# For an answer of another kind than the others of its function.
MIXED = 0.4
# For each copy that is not made any more: what is then changed belongs to somebody else.
UNCOPIED = 0.3
COPIES = frozenset({"list", "dict", "set", "copy", "deepcopy", "sorted"})
# What is left where nothing of it is like the rest of the file, which is counted once already in its score.
UNLIKE = 0.8
ENDS = (ast.Return, ast.Raise, ast.Break, ast.Continue)


def worth(candidate: Candidate) -> float:
    """A factor for its score: how well it reads beside the rest of the file, and what it leaves behind."""
    return sense(candidate) * (UNLIKE + (1 - UNLIKE) * natural(candidate.code, candidate.edits))


def sense(candidate: Candidate) -> float:
    """1 where it leaves code as people write it, and less the less they do."""
    try:
        after = ast.parse(candidate.text)
    except (SyntaxError, ValueError, RecursionError):
        return 0.0
    before = candidate.code.tree
    idle, was_idle = _idle(after), _idle(before)
    factor = UNUSED ** len(idle - was_idle) * USED ** min(len(was_idle - idle), 1)
    factor *= SENSELESS ** max(0, _count(_senseless(after)) - _count(_senseless(before)))
    if not any(edit.text.strip() not in ("", "pass") for edit in candidate.edits):
        factor *= TAKEN_AWAY
    if _count(_constant_answers(after)) > _count(_constant_answers(before)):
        factor *= ANSWERED
    factor *= SENSELESS ** max(0, _count(_generators(after)) - _count(_generators(before)))
    factor *= UNCOPIED ** max(0, _count(_copies(before)) - _count(_copies(after)))
    return factor * MIXED ** max(0, _mixed(after) - _mixed(before))


def _count(found: Iterator[ast.AST]) -> int:
    return sum(1 for _ in found)


def _idle(tree: ast.AST) -> frozenset[tuple[str, str]]:
    """Parameters and variables of functions that nobody reads, by function."""
    found = set()
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        names = [one for one in ast.walk(function) if isinstance(one, ast.Name)]
        bound = {one.id for one in names if isinstance(one.ctx, ast.Store)}
        bound |= {one.arg for one in ast.walk(function.args) if isinstance(one, ast.arg)}
        read = {one.id for one in names if isinstance(one.ctx, ast.Load)}
        # `x += 1` reads what it writes, and nobody else may.
        found |= {(function.name, name) for name in bound - read if not name.startswith("_")}
    return frozenset(found)


def _senseless(tree: ast.AST) -> Iterator[ast.AST]:
    """The same on both sides, in both branches or twice in a block; constant conditions; dead code."""
    for node in ast.walk(tree):
        match node:
            case ast.BinOp() if _idle_operand(node):
                yield node
                pairs = []
            case ast.BinOp(
                op=ast.Add() | ast.Sub() | ast.Div() | ast.FloorDiv() | ast.Mod(), left=one, right=other
            ):
                pairs = [(one, other)]
            case ast.Compare(left=one, comparators=[other]) | ast.Assign(targets=[one], value=other):
                pairs = [(one, other)]
            case ast.IfExp(body=one, orelse=other):
                pairs = [(one, other)]
            case ast.BoolOp(values=values):
                pairs = [(one, other) for at, one in enumerate(values) for other in values[at + 1 :]]
            case ast.Call(func=ast.Name(id="min" | "max" | "range"), args=[one, other]):
                pairs = [(one, other)]
            case _:
                pairs = []
        if any(_said(one) == _said(other) for one, other in pairs):
            yield node
        if isinstance(node, ast.If) and isinstance(node.test, ast.Constant):
            yield node
        if _twice(node) or _one_answer(node) or _always_three(node):
            yield node
        yield from _behind(node)


def _twice(node: ast.AST) -> bool:
    """A key or an element that stands there twice."""
    parts = node.keys if isinstance(node, ast.Dict) else node.elts if isinstance(node, ast.Set) else []
    said = [_said(one) for one in parts if isinstance(one, ast.Constant)]
    return len(said) != len(set(said))


def _always_three(node: ast.AST) -> bool:
    """The length of what `partition` gives."""
    match node:
        case ast.Call(
            func=ast.Name(id="len"), args=[ast.Call(func=ast.Attribute(attr="partition" | "rpartition"))]
        ):
            return True
    return False


def _one_answer(node: ast.AST) -> bool:
    """A function that says the same constant whichever way it goes."""
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return False
    answers = [one.value for one in ast.walk(node) if isinstance(one, ast.Return)]
    constant = [_said(one) for one in answers if isinstance(one, ast.Constant) and one.value is not None]
    return len(answers) > 1 and len(constant) == len(answers) and len(set(constant)) == 1


def _generators(tree: ast.AST) -> Iterator[ast.AST]:
    """A function that becomes one runs nothing any more where it is called."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and any(
            isinstance(one, ast.Yield | ast.YieldFrom) for one in ast.walk(node)
        ):
            yield node


def _copies(tree: ast.AST) -> Iterator[ast.AST]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
            name = node.func.id if isinstance(node.func, ast.Name) else node.func.attr
            if name in COPIES:
                yield node


def _idle_operand(node: ast.BinOp) -> bool:
    """Times one, plus nothing."""
    one, none = (
        (isinstance(node.op, ast.Mult | ast.Div | ast.FloorDiv | ast.Pow), 1),
        (isinstance(node.op, ast.Add | ast.Sub), 0),
    )
    return any(
        fits and isinstance(side, ast.Constant) and type(side.value) is int and side.value == number
        for fits, number in (one, none)
        for side in (node.left, node.right)
    )


def _said(node: ast.AST) -> str:
    return ast.unparse(node)


def _behind(node: ast.AST) -> Iterator[ast.AST]:
    for name in ("body", "orelse", "finalbody"):
        block = getattr(node, name, None)
        if isinstance(block, list):
            yield from (two for one, two in pairwise(block) if isinstance(one, ENDS))
            said = [_said(one) for one in block if isinstance(one, ast.Assign | ast.AugAssign)]
            yield from block[: len(said) - len(set(said))]


def _mixed(tree: ast.AST) -> int:
    """Functions that answer yes or no here and something else there."""
    count = 0
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            answers = [one.value for one in ast.walk(function) if isinstance(one, ast.Return) and one.value]
            plain = [one for one in answers if not isinstance(one, ast.Call)]
            count += len({_truth(one) for one in plain}) > 1
    return count


def _truth(node: ast.expr) -> bool:
    if isinstance(node, ast.BoolOp):
        return all(_truth(one) for one in node.values)
    constant = isinstance(node, ast.Constant) and isinstance(node.value, bool)
    return (
        constant
        or isinstance(node, ast.Compare)
        or (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not))
    )


def _constant_answers(tree: ast.AST) -> Iterator[ast.AST]:
    return (
        one for one in ast.walk(tree) if isinstance(one, ast.Return) and isinstance(one.value, ast.Constant)
    )
