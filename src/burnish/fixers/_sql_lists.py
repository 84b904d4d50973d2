"""Lists of values in a statement: `IN (1, 2, 3)` that code joins from a list."""

from __future__ import annotations

import ast
import re

from burnish.fixers._locals import bindings, function_of, margin_of, readings, value_given
from burnish.fixers._python import Edit, Module, NotRepaired, dotted

# They can be gone through only once, and the placeholders need a first time.
_ONCE = frozenset({"map", "filter", "zip", "iter", "reversed", "enumerate"})


def listed(module: Module, node: ast.expr, near: ast.AST) -> tuple[str, list[Edit]] | None:
    """The list that a value is joined from, and what takes a variable away that only held the joined text."""
    edits: list[Edit] = []
    if isinstance(node, ast.Name):
        scope = function_of(module, near)
        given = bindings(scope, node.id)
        value = value_given(module, given[0]) if len(given) == 1 else None
        statement = module.parents[given[0]] if len(given) == 1 else None
        if value is None or not isinstance(statement, ast.stmt):
            return None
        edits = _gone(module, statement) if len(readings(scope, node.id)) == 1 else []
        node = value
    found = _joined(node)
    if found is None or _is_once(module, found, near):
        return None
    return ast.unparse(found), edits


def _joined(node: ast.expr) -> ast.expr | None:
    """`ids` of `", ".join(ids)`, `",".join(map(str, ids))` and `",".join(str(one) for one in ids)`."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or node.func.attr != "join":
        return None
    between = node.func.value
    if not isinstance(between, ast.Constant) or str(between.value).strip() != "," or len(node.args) != 1:
        return None
    inner = node.args[0]
    if isinstance(inner, ast.Call) and isinstance(inner.func, ast.Name) and inner.func.id == "map":
        plain = len(inner.args) == 2 and isinstance(inner.args[0], ast.Name) and inner.args[0].id == "str"
        inner = inner.args[1] if plain else inner
    elif isinstance(inner, ast.GeneratorExp | ast.ListComp) and len(inner.generators) == 1:
        source = inner.generators[0]
        inner = source.iter if not source.ifs and _is_same(inner.elt, source.target) else inner
    # Asked twice it says the same.
    fetched = isinstance(inner, ast.Call) and dotted(inner.func).endswith((".getlist", ".getall", ".get_all"))
    return inner if isinstance(inner, ast.Name | ast.Attribute) or fetched else None


def _is_same(shown: ast.expr, one: ast.expr) -> bool:
    """Each is shown as it is, or as its text."""
    if (
        isinstance(shown, ast.Call)
        and isinstance(shown.func, ast.Name)
        and shown.func.id == "str"
        and shown.args
    ):
        shown = shown.args[0]
    return isinstance(shown, ast.Name) and isinstance(one, ast.Name) and shown.id == one.id


def _is_once(module: Module, node: ast.expr, near: ast.AST) -> bool:
    if not isinstance(node, ast.Name):
        return False
    for one in bindings(function_of(module, near), node.id):
        value = value_given(module, one)
        called = isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id in _ONCE
        if called or isinstance(value, ast.GeneratorExp):
            return True
    return False


def _gone(module: Module, statement: ast.stmt) -> list[Edit]:
    margin_of(module, statement)
    end = re.compile(r"[^\r\n]*(\r\n|\r|\n)?").match(module.text, module.end(statement))
    if end is None:
        raise NotRepaired("something else stands on that line")
    return [Edit(module.starts[statement.lineno - 1], end.end(), "")]
