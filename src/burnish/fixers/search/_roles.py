"""What names are used as in a function: a number, a container, something with attributes. Pure."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from difflib import SequenceMatcher
from functools import lru_cache

from burnish.fixers.search._code import Code

NUMBER, CONTAINER, OBJECT, CALLED = "number", "container", "object", "called"
OF_CONTAINERS = frozenset(
    {"len", "sum", "sorted", "enumerate", "list", "set", "tuple", "reversed", "zip", "max", "min"}
)
OF_NUMBERS = frozenset({"range", "abs", "round"})
UNLIKELY, UNUSED = 0.3, 3.0
SAME, TWICE = 0.4, 1.7


def role_at(code: Code, node: ast.AST) -> str:
    """What this use of a name takes it for; empty where any value would do."""
    match code.parent(node):
        case ast.Subscript(value=base, slice=index):
            return CONTAINER if base is node else NUMBER if index is node else ""
        case ast.For(iter=over) | ast.comprehension(iter=over) if over is node:
            return CONTAINER
        case ast.Attribute():
            return OBJECT
        case ast.Call(func=called) if called is node:
            return CALLED
        case ast.Call(func=ast.Name(id=name)):
            return CONTAINER if name in OF_CONTAINERS else NUMBER if name in OF_NUMBERS else ""
        case ast.BinOp(op=ast.Sub() | ast.Mult() | ast.Div() | ast.FloorDiv() | ast.Pow()):
            return NUMBER
        case ast.Slice():
            return NUMBER
        case ast.Compare(comparators=[*_, last], ops=[*_, ast.In() | ast.NotIn()]) if last is node:
            return CONTAINER
    return ""


@lru_cache(maxsize=512)
def _roles(code: Code, function: ast.AST) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Name):
            found.setdefault(node.id, set())
            role = _stored(code, node) if isinstance(node.ctx, ast.Store) else role_at(code, node)
            if role:
                found[node.id].add(role)
    return {name: frozenset(roles) for name, roles in found.items()}


def _stored(code: Code, node: ast.Name) -> str:
    match code.parent(node):
        case ast.Assign(value=ast.Constant(value=int() | float())) | ast.AugAssign(op=ast.Sub()):
            return NUMBER
        case ast.Assign(value=ast.BinOp(op=ast.Sub() | ast.FloorDiv() | ast.Div())):
            return NUMBER
        case ast.Assign(value=ast.List() | ast.Dict() | ast.Set() | ast.ListComp() | ast.DictComp()):
            return CONTAINER
        case ast.For(iter=ast.Call(func=ast.Name(id="range"))):
            return NUMBER
    return ""


def counts(code: Code, node: ast.AST, name: str) -> bool:
    """Whether a name is used as a number in the function around a node."""
    function = code.function(node)
    known = _roles(code, function).get(name, frozenset()) if function is not None else frozenset()
    return NUMBER in known


@lru_cache(maxsize=512)
def unused(code: Code, function: ast.AST) -> frozenset[str]:
    """Names that are given a value here which nobody reads: something was meant to."""
    stored = {one.id for one in _names(function) if isinstance(one.ctx, ast.Store)}
    stored |= {one.arg for one in ast.walk(function) if isinstance(one, ast.arg)}
    read = {one.id for one in _names(function) if isinstance(one.ctx, ast.Load)}
    return frozenset(
        name for name in stored - read if not name.startswith("_") and name not in ("self", "cls")
    )


def _names(function: ast.AST) -> Iterator[ast.Name]:
    return (one for one in ast.walk(function) if isinstance(one, ast.Name))


def odds(code: Code, node: ast.Name, other: str, *, instead: bool = True) -> float:
    """How likely another name was meant: by its use elsewhere, by its letters, and if nobody reads it.

    Without `instead` it is to stand beside the name, not in its place.
    """
    function = code.function(node)
    likely = 0.6 + 0.8 * alike(node.id, other)
    if function is None:
        return likely
    role, known = role_at(code, node), _roles(code, function).get(other, frozenset())
    if (role == NUMBER and CONTAINER in known and NUMBER not in known) or (
        role in (CONTAINER, OBJECT) and NUMBER in known and role not in known
    ):
        likely *= UNLIKELY
    elif role and role in known:
        likely *= 1.2
    if other in unused(code, function):
        likely *= UNUSED
    return likely * _beside(code, node, other) if instead else likely


def _beside(code: Code, node: ast.Name, other: str) -> float:
    """What stands beside it: the same name twice is rarely meant, arguments are called like parameters."""
    above = code.parent(node)
    if isinstance(above, ast.BinOp | ast.Compare):
        parts = (
            [above.left, above.right] if isinstance(above, ast.BinOp) else [above.left, *above.comparators]
        )
        names = [one.id for one in parts if isinstance(one, ast.Name)]
        return SAME if other in names else TWICE if names.count(node.id) > 1 else 1.0
    if not isinstance(above, ast.Call) or not any(one is node for one in above.args):
        return 1.0
    likely = SAME if any(isinstance(one, ast.Name) and one.id == other for one in above.args) else 1.0
    wanted = parameter(code, above, next(at for at, one in enumerate(above.args) if one is node))
    return likely * (SAME if wanted == node.id else TWICE if wanted == other else 1.0)


def parameter(code: Code, call: ast.Call, position: int) -> str:
    """What a function of this file calls the argument at this place."""
    name = getattr(call.func, "id", getattr(call.func, "attr", ""))
    for one in code.functions:
        if one.name == name:
            taken = [argument.arg for argument in one.args.args if argument.arg not in ("self", "cls")]
            return taken[position] if position < len(taken) else ""
    return ""


@lru_cache(maxsize=4096)
def alike(one: str, other: str) -> float:
    return SequenceMatcher(None, one, other).ratio()
