"""Conditions that are gathered in a list and joined into a statement, with their values beside them."""

from __future__ import annotations

import ast
from collections.abc import Callable

from burnish.fixers._locals import (
    bindings,
    fresh_name,
    function_of,
    line_after,
    readings,
    statement_of,
    value_given,
)
from burnish.fixers._python import Edit, Module, NotRepaired

# Binds one condition: the edits of its text, and its values.
Bind = Callable[[ast.expr], tuple[list[Edit], list[str]]]
_AROUND = (ast.BoolOp, ast.IfExp, ast.BinOp, ast.UnaryOp, ast.JoinedStr, ast.FormattedValue)


def gathered(module: Module, node: ast.expr, near: ast.AST, bind: Bind) -> tuple[str, list[Edit]] | None:
    """The list that gets the values of joined conditions, and what fills it; nothing where they have none.

    None for anything else.
    """
    scope = function_of(module, near)
    value = _given(module, scope, node.id) if isinstance(node, ast.Name) else node
    name = _joined_list(value) if value is not None else ""
    start = _given(module, scope, name) if name else None
    if start is None:
        return None
    values = fresh_name(scope, "params")
    told: list[str] = []

    def counted(condition: ast.expr) -> tuple[list[Edit], list[str]]:
        edits, fresh = bind(condition)
        told.extend(fresh)
        return edits, fresh

    if isinstance(start, ast.ListComp):
        edits = _each(module, start, values, counted)
    elif isinstance(start, ast.List):
        edits = _one_by_one(module, start, values, counted)
        for reading in readings(scope, name):
            edits += _added(module, reading, values, counted)
    else:
        return None
    if told:
        return values, edits
    # Without values of their own they stay; but not where their text must change beside those of others.
    if any(edit.end > edit.start and module.text[edit.start : edit.end] != edit.text for edit in edits):
        raise NotRepaired("the conditions would have to change")
    return "", []


def _given(module: Module, scope: ast.AST, name: str) -> ast.expr | None:
    found = bindings(scope, name)
    return value_given(module, found[0]) if len(found) == 1 else None


def _joined_list(value: ast.expr) -> str:
    """`conditions` of `" AND ".join(conditions)`, also with constants around it: `... or "1 = 1"`."""
    if isinstance(value, ast.Call):
        plain = isinstance(value.func, ast.Attribute) and value.func.attr == "join" and len(value.args) == 1
        between = value.func.value if isinstance(value.func, ast.Attribute) else None
        listed = value.args[0] if value.args else None
        if plain and isinstance(between, ast.Constant) and isinstance(listed, ast.Name):
            return listed.id if "'" not in str(between.value) else ""
        return ""
    if not isinstance(value, _AROUND):
        return ""
    names = set()
    for child in ast.iter_child_nodes(value):
        if isinstance(child, (ast.Call, *_AROUND)):
            names.add(_joined_list(child))
        elif isinstance(child, ast.Name):
            # Only as what is asked before the conditions are joined.
            if not isinstance(value, ast.IfExp | ast.UnaryOp):
                return ""
        elif not isinstance(child, ast.Constant | ast.operator | ast.boolop | ast.unaryop):
            return ""
    return names.pop() if len(names) == 1 else ""


def _each(module: Module, start: ast.ListComp, values: str, bind: Bind) -> list[Edit]:
    """`["a = " + one for one in many]`: the values come from the same loop."""
    edits, fresh = bind(start.elt)
    if len(fresh) != 1:
        raise NotRepaired("a condition has several values")
    loop = module.text[module.end(start.elt) : module.end(start) - 1].strip()
    if "\n" in loop or not loop.startswith("for "):
        raise NotRepaired("the loop has several lines")
    return [*edits, line_after(module, statement_of(module, start), f"{values} = [{fresh[0]} {loop}]")]


def _one_by_one(module: Module, start: ast.List, values: str, bind: Bind) -> list[Edit]:
    edits: list[Edit] = []
    told: list[str] = []
    for one in start.elts:
        more, fresh = bind(one)
        edits += more
        told += fresh
    line = f"{values} = [{', '.join(told)}]"
    return [*edits, line_after(module, statement_of(module, start), line)]


def _added(module: Module, reading: ast.Name, values: str, bind: Bind) -> list[Edit]:
    """`conditions.append(...)` with its values behind it; who else reads the list must not change it."""
    method = module.parents[reading]
    call = module.parents[method] if isinstance(method, ast.Attribute) else None
    if not isinstance(method, ast.Attribute):
        harmless = (ast.Call, ast.If, ast.IfExp, ast.UnaryOp, ast.BoolOp)
        if isinstance(method, harmless) and not isinstance(method, ast.Call):
            return []
        func = method.func if isinstance(method, ast.Call) else None
        joins = isinstance(func, ast.Attribute) and func.attr == "join"
        if joins or (isinstance(func, ast.Name) and func.id in ("len", "bool")):
            return []
        raise NotRepaired("the conditions are used in another way")
    if method.attr != "append" or not isinstance(call, ast.Call) or len(call.args) != 1:
        raise NotRepaired("the conditions are gathered in another way")
    statement = module.parents[call]
    if not isinstance(statement, ast.Expr):
        raise NotRepaired("the conditions are gathered in another way")
    edits, fresh = bind(call.args[0])
    if not fresh:
        return edits
    more = f"{values}.append({fresh[0]})" if len(fresh) == 1 else f"{values} += [{', '.join(fresh)}]"
    return [*edits, line_after(module, statement, more)]
