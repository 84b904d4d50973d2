"""Names inside a function: what they were given, where, and whether that still holds further down."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from burnish.fixers._python import Edit, Module, NotRepaired

Function = ast.FunctionDef | ast.AsyncFunctionDef
PURE = frozenset({"str", "int", "float", "strip", "lstrip", "rstrip", "lower", "upper", "title", "replace"})


def function_of(module: Module, node: ast.AST) -> Function | ast.Module:
    """The function around a node, or the module; raises NotRepaired inside a lambda or a class's body."""
    for parent in module.above(node):
        if isinstance(parent, ast.Lambda | ast.ClassDef):
            raise NotRepaired("it is in a lambda or the body of a class")
        if isinstance(parent, Function | ast.Module):
            return parent
    raise NotRepaired("it is nowhere")


def inside(scope: ast.AST) -> Iterator[ast.AST]:
    """All nodes of a scope, but not those of functions and classes made in it."""
    waiting = list(ast.iter_child_nodes(scope))
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, Function | ast.Lambda | ast.ClassDef):
            waiting += ast.iter_child_nodes(node)


def statement_of(module: Module, node: ast.AST) -> ast.stmt:
    while not isinstance(node, ast.stmt):
        node = module.parents[node]
    return node


def parameters(function: Function) -> list[ast.arg]:
    return [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]


def is_parameter(scope: Function | ast.Module, name: str) -> bool:
    return isinstance(scope, Function) and any(one.arg == name for one in parameters(scope))


def bindings(scope: ast.AST, name: str) -> list[ast.Name]:
    """Where the scope gives a name to something, in the order of the text."""
    found = [
        node
        for node in inside(scope)
        if isinstance(node, ast.Name) and node.id == name and not isinstance(node.ctx, ast.Load)
    ]
    return sorted(found, key=lambda node: (node.lineno, node.col_offset))


def readings(scope: ast.AST, name: str) -> list[ast.Name]:
    """Where a name is read, functions inside included."""
    return [
        node
        for node in ast.walk(scope)
        if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load)
    ]


def value_given(module: Module, binding: ast.Name) -> ast.expr | None:
    """The expression of a plain `name = value`; None for any other way to give it something."""
    parent = module.parents[binding]
    if isinstance(parent, ast.Assign) and parent.targets == [binding]:
        return parent.value
    if isinstance(parent, ast.AnnAssign) and parent.target is binding:
        return parent.value
    return None


def only_value(module: Module, name: ast.Name) -> ast.expr:
    """What a local variable was given, where that is one value and stands above its use."""
    scope = function_of(module, name)
    found = bindings(scope, name.id)
    if is_parameter(scope, name.id) or len(found) != 1:
        raise NotRepaired("it is given several values")
    value = value_given(module, found[0])
    if value is None or (found[0].lineno, found[0].col_offset) > (name.lineno, name.col_offset):
        raise NotRepaired("what it was given cannot be told")
    return value


def constant_text(module: Module, node: ast.expr) -> str | None:
    """The text of a name that the module gives one text, at its top, and nobody changes."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if not isinstance(node, ast.Name) or any(
        isinstance(one, ast.Global) and node.id in one.names for one in ast.walk(module.tree)
    ):
        return None
    scope = function_of(module, node)
    if scope is not module.tree and (bindings(scope, node.id) or is_parameter(scope, node.id)):
        return None
    found = bindings(module.tree, node.id)
    value = value_given(module, found[0]) if len(found) == 1 else None
    return value.value if isinstance(value, ast.Constant) and isinstance(value.value, str) else None


def still_holds(module: Module, value: ast.expr, first: int, until: ast.AST) -> bool:
    """Whether a value means the same further down: only names that nothing gives something else meanwhile.

    `first` is the line where it was written.
    """
    scope = function_of(module, until)
    plain = (ast.Name, ast.Attribute, ast.Constant, ast.Load, ast.Subscript)
    if not all(isinstance(node, plain) or _is_pure(node) for node in ast.walk(value)):
        return False
    last = statement_of(module, until).lineno
    looped = any(isinstance(node, ast.For | ast.AsyncFor | ast.While) for node in module.above(until))
    for node in ast.walk(value):
        if isinstance(node, ast.Name):
            given = bindings(scope, node.id)
            if any(first <= one.lineno <= last for one in given) or (looped and len(given) > 1):
                return False
    return True


def _is_pure(node: ast.AST) -> bool:
    """A call that gives the same each time: `str(x)`, `x.strip()`."""
    if not isinstance(node, ast.Call) or node.keywords:
        return False
    name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
    return name in PURE


def fresh_name(scope: ast.AST, wanted: str) -> str:
    taken = {node.id for node in ast.walk(scope) if isinstance(node, ast.Name)}
    taken |= {node.arg for node in ast.walk(scope) if isinstance(node, ast.arg)}
    names = (wanted, f"own_{wanted}", *(f"{wanted}_{number}" for number in range(2, 99)))
    return next(name for name in names if name not in taken)


def margin_of(module: Module, statement: ast.stmt) -> str:
    """The white space before a statement that has its lines for itself; raises NotRepaired otherwise."""
    start, end = module.starts[statement.lineno - 1], module.end(statement)
    before = module.text[start : module.start(statement)]
    after = re.split(r"[\r\n]", module.text[end:], maxsplit=1)[0].strip()
    if before.strip() or (after and not after.startswith("#")):
        raise NotRepaired("something else stands on that line")
    return before


def line_before(module: Module, statement: ast.stmt, *lines: str) -> Edit:
    margin, place = margin_of(module, statement), module.starts[statement.lineno - 1]
    return Edit(place, place, "".join(f"{margin}{line}{module.newline}" for line in lines))


def line_after(module: Module, statement: ast.stmt, *lines: str) -> Edit:
    margin = margin_of(module, statement)
    end = module.end(statement)
    place = end + len(re.split(r"[\r\n]", module.text[end:], maxsplit=1)[0])
    return Edit(place, place, "".join(f"{module.newline}{margin}{line}" for line in lines))
