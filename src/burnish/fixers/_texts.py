"""Whether a value is known to be a string, by how it was made."""

from __future__ import annotations

import ast

from burnish.fixers._locals import Function, bindings, function_of, parameters, value_given
from burnish.fixers._python import Module, NotRepaired, dotted

DEEPEST = 4
_METHODS = frozenset(
    {
        "strip",
        "lstrip",
        "rstrip",
        "lower",
        "upper",
        "title",
        "replace",
        "join",
        "format",
        "decode",
        "hexdigest",
    }
    | {"capitalize", "read_text", "removeprefix", "removesuffix", "zfill"}
)
_FUNCTIONS = frozenset({"str", "repr", "format", "input", "hex", "chr"})
# What frameworks call the texts of a request.
_REQUESTED = frozenset(
    {"args", "form", "values", "cookies", "headers", "GET", "POST", "META", "query", "query_params", "forms"}
    | {"match_info", "argv", "environ", "params", "view_args"}
)


def is_text(module: Module, node: ast.expr, near: ast.AST, depth: int = 0) -> bool:
    """`near` is a node in the same function: what stands in an f-string has no place of its own."""
    if isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str)):
        return True
    if isinstance(node, ast.Name):
        return depth < DEEPEST and _is_given_text(module, node.id, near, depth + 1)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod | ast.Add):
        return is_text(module, node.left, near, depth)
    if isinstance(node, ast.Subscript):
        return dotted(node.value).split(".")[-1] in _REQUESTED
    if not isinstance(node, ast.Call):
        return False
    if isinstance(node.func, ast.Name):
        return node.func.id in _FUNCTIONS
    if isinstance(node.func, ast.Attribute):
        return node.func.attr in _METHODS or (node.func.attr == "get" and _has_default(node))
    return False


def _has_default(call: ast.Call) -> bool:
    """`request.args.get(name, "")`: never None, and never anything but a text."""
    assert isinstance(call.func, ast.Attribute)
    of_request = dotted(call.func.value).split(".")[-1] in _REQUESTED
    default = call.args[1] if len(call.args) == 2 else None
    return (
        of_request
        and isinstance(default, ast.Constant)
        and isinstance(default.value, str)
        and not call.keywords
    )


def _is_given_text(module: Module, name: str, near: ast.AST, depth: int) -> bool:
    try:
        scope = function_of(module, near)
    except NotRepaired:
        return False
    given = bindings(scope, name)
    if isinstance(scope, Function) and (taken := [one for one in parameters(scope) if one.arg == name]):
        return not given and isinstance(taken[0].annotation, ast.Name) and taken[0].annotation.id == "str"
    values = [value_given(module, one) for one in given]
    return bool(values) and all(value is not None and is_text(module, value, near, depth) for value in values)
