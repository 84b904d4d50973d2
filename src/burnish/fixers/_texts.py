"""Whether a value is known to be a string, by how it was made."""

from __future__ import annotations

import ast
import re

from burnish.fixers._locals import Function, bindings, function_of, parameters, value_given
from burnish.fixers._python import Module, NotRepaired, dotted

DEEPEST = 4
_NUMBERS = frozenset({"int", "float", "len", "round", "bool", "abs", "sum"})
# What makes a value safe for one language makes it wrong for a driver that does so itself.
_QUOTING = re.compile(r"(?i)quot|escap|literal|mogrify|adapt|sanitiz|saniti[sz]e")
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
    | {"capitalize", "read_text", "removeprefix", "removesuffix", "zfill", "escape", "quote", "unquote"}
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


def is_number(module: Module, node: ast.expr, near: ast.AST) -> bool:
    """Whether a value is known to be a number: made by a function that gives one, or declared as one."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return node.func.id in _NUMBERS
    if not isinstance(node, ast.Name):
        return isinstance(node, ast.Constant) and isinstance(node.value, int | float)
    try:
        scope = function_of(module, near)
    except NotRepaired:
        return False
    given = [value_given(module, one) for one in bindings(scope, node.id)]
    taken = [one for one in parameters(scope) if one.arg == node.id] if isinstance(scope, Function) else []
    if taken:
        return not given and isinstance(taken[0].annotation, ast.Name) and taken[0].annotation.id in _NUMBERS
    return bool(given) and all(value is not None and is_number(module, value, value) for value in given)


def is_quoted(module: Module, node: ast.expr, near: ast.AST) -> bool:
    """Whether somebody doubled or escaped the quotes of a value already, here or in what it was given."""
    values: list[ast.expr | None] = [node]
    if isinstance(node, ast.Name):
        try:
            values += [value_given(module, one) for one in bindings(function_of(module, near), node.id)]
        except NotRepaired:
            return False
    return any(_quotes(one) for value in values if value is not None for one in ast.walk(value))


def _quotes(node: ast.AST) -> bool:
    if not isinstance(node, ast.Call):
        return False
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    if name == "join" and isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Constant):
        # `"','".join(names)` in quotes is a list of texts.
        return "'" in str(node.func.value.value) or '"' in str(node.func.value.value)
    if name == "replace":
        return any(isinstance(one, ast.Constant) and one.value in ("'", '"') for one in node.args[:1])
    html = isinstance(node.func, ast.Attribute) and dotted(node.func) in ("html.escape", "markupsafe.escape")
    return bool(_QUOTING.search(name)) and not html


def is_constant(module: Module, node: ast.expr, near: ast.AST, depth: int = 0) -> bool:
    """Whether the program itself decides on a text: written there, chosen, or of module or class."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str)
    if isinstance(node, ast.IfExp):
        return is_constant(module, node.body, near, depth) and is_constant(module, node.orelse, near, depth)
    if isinstance(node, ast.Attribute):
        return isinstance(node.value, ast.Name) and _is_of_class(module, node.attr)
    if not isinstance(node, ast.Name) or depth > DEEPEST or _is_global(module, node.id):
        return False
    try:
        scope = function_of(module, near)
    except NotRepaired:
        return False
    if isinstance(scope, Function) and any(one.arg == node.id for one in parameters(scope)):
        return False
    given = bindings(scope, node.id) or bindings(module.tree, node.id)
    values = [value_given(module, one) for one in given]
    return bool(values) and all(
        value is not None and is_constant(module, value, value, depth + 1) for value in values
    )


def _is_global(module: Module, name: str) -> bool:
    """Whether a function changes what a name of the module stands for."""
    return any(isinstance(node, ast.Global) and name in node.names for node in ast.walk(module.tree))


def _is_of_class(module: Module, name: str) -> bool:
    """Whether every class and object of the module that has the name has a constant text under it."""
    values: list[ast.expr | None] = []
    for node in ast.walk(module.tree):
        if isinstance(node, ast.ClassDef):
            values += [value_given(module, one) for one in bindings(node, name)]
        elif isinstance(node, ast.Attribute) and node.attr == name and not isinstance(node.ctx, ast.Load):
            values.append(None)
    return bool(values) and all(
        isinstance(one, ast.Constant) and isinstance(one.value, str) for one in values
    )
