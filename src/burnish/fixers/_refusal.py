"""How a function refuses a request: by the framework that its module imports."""

from __future__ import annotations

import ast

from burnish.fixers._locals import Function, function_of, statement_of
from burnish.fixers._names import bring, imported, packages
from burnish.fixers._python import Edit, Module, NotRepaired

_LATER = (ast.Lambda, ast.BoolOp, ast.IfExp, ast.comprehension, ast.ListComp, ast.GeneratorExp, ast.SetComp)


def refused(module: Module, why: str) -> tuple[list[Edit], str]:
    """The imports that are needed, and the statement that ends the request."""
    known = packages(module)
    if "flask" in known:
        edits, name = bring(module, "flask", "abort")
        return edits, f"{name}(400)"
    for package in ("fastapi", "starlette"):
        if package in known:
            where = "fastapi" if package == "fastapi" else "starlette.exceptions"
            edits, name = bring(module, where, "HTTPException")
            return edits, f"raise {name}(400)"
    if "django" in known:
        edits, name = bring(module, "django.http", "Http404")
        return edits, f"raise {name}"
    if imported(module).get("web") == "aiohttp.web":
        return [], "raise web.HTTPBadRequest()"
    if "bottle" in known:
        edits, name = bring(module, "bottle", "HTTPError")
        return edits, f"raise {name}(400)"
    return [], f'raise ValueError("{why}")'


def indent_of(module: Module, statement: ast.stmt) -> str:
    """One step further in than the statement, as its function does it."""
    scope = function_of(module, statement)
    margin = margin_before(module, statement)
    if isinstance(scope, Function):
        first = module.text[module.starts[scope.body[0].lineno - 1] :][: scope.body[0].col_offset]
        outer = module.text[module.starts[scope.lineno - 1] :][: scope.col_offset]
        if not first.strip() and first.startswith(outer) and len(first) > len(outer):
            return margin + first[len(outer) :]
    return margin + "    "


def statement_to_guard(module: Module, node: ast.AST) -> ast.stmt:
    """The statement before which a check of a value can stand, where that is not too early."""
    statement = statement_of(module, node)
    for parent in module.above(node):
        if parent is statement:
            break
        if isinstance(parent, _LATER):
            raise NotRepaired("there is no place for a check")
    if isinstance(statement, ast.While | Function | ast.ClassDef) or _is_elif(module, statement):
        raise NotRepaired("there is no place for a check")
    return statement


def margin_before(module: Module, statement: ast.stmt) -> str:
    """The white space before a statement, also one with a block of its own."""
    before = module.text[module.starts[statement.lineno - 1] : module.start(statement)]
    if before.strip():
        raise NotRepaired("something else stands on that line")
    return before


def _is_elif(module: Module, statement: ast.stmt) -> bool:
    start = module.start(statement)
    return isinstance(statement, ast.If) and module.text[start:].startswith("elif")
