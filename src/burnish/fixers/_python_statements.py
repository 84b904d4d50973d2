"""Repairs of statements and comparisons in Python."""

from __future__ import annotations

import ast
import re

from burnish.fixers._python import Edit, Module, NotRepaired, dotted, first_line

DEBUGGERS = {"breakpoint", "pdb.set_trace", "ipdb.set_trace", "pudb.set_trace"}
_KEPT = re.compile(r"(?i)^_|cache|memo|registry")
EMPTY_MAKERS = {"list", "dict", "set"}


def named_except(module: Module) -> list[Edit]:
    """except: to except Exception:, or to except BaseException: where the error is raised again."""
    for handler in module.here(ast.ExceptHandler):
        if handler.type is None and handler.lineno == module.line:
            place = module.start(handler) + len("except")
            again = any(isinstance(node, ast.Raise) and node.exc is None for node in ast.walk(handler))
            return [Edit(place, place, " BaseException" if again else " Exception")]
    raise NotRepaired("there is no bare except on that line")


def is_none(module: Module) -> list[Edit]:
    """a == None to a is None, but not where == may build a query."""
    for compare in module.here(ast.Compare):
        right, operator = compare.comparators[0], compare.ops[0]
        if len(compare.ops) != 1 or not isinstance(operator, ast.Eq | ast.NotEq):
            continue
        if not isinstance(right, ast.Constant) or right.value is not None:
            continue
        if any(isinstance(node, ast.Call | ast.Subscript | ast.Lambda) for node in module.above(compare)):
            raise NotRepaired("== may mean something else here")
        start, end = module.end(compare.left), module.start(right)
        sign, word = ("==", "is") if isinstance(operator, ast.Eq) else ("!=", "is not")
        between = module.text[start:end]
        if between.count(sign) != 1:
            raise NotRepaired("a comment stands there")
        spaced = re.sub(rf"\s*{sign}\s*", f" {word} ", between) if between.strip() == sign else between
        return [Edit(start, end, spaced.replace(sign, word))]
    raise NotRepaired("there is no comparison with None on that line")


def asserted(module: Module) -> list[Edit]:
    """assert (a, "why") to assert a, "why"."""
    for statement in module.here(ast.Assert):
        test = statement.test
        if statement.msg is None and isinstance(test, ast.Tuple) and len(test.elts) == 2:
            wanted, why = test.elts
            if not isinstance(why, ast.JoinedStr | ast.Constant):
                raise NotRepaired("it may be meant to check both")
            if isinstance(why, ast.Constant) and not isinstance(why.value, str):
                raise NotRepaired("it may be meant to check both")
            written = f"{module.source(wanted)}, {module.source(why)}"
            if "\n" in written:
                raise NotRepaired("it has several lines")
            return [Edit(module.start(test), module.end(test), written)]
    raise NotRepaired("there is no such assert on that line")


def fresh_default(module: Module) -> list[Edit]:
    """def f(a=[]) to def f(a=None), with `if a is None: a = []` as its first statement."""
    for function in module.here(ast.FunctionDef) + module.here(ast.AsyncFunctionDef):
        edits: list[Edit] = []
        lines = ""
        for argument, default in _defaults(function.args):
            if default.lineno == module.line and _is_mutable(default):
                _refuse_kept_state(function, argument.arg)
                indent = _indent(module, function)
                inner = indent + indent[len(_margin(module, function)) :]
                edits += [
                    Edit(module.start(default), module.end(default), "None"),
                    *_optional(module, argument),
                ]
                lines += f"{indent}if {argument.arg} is None:{module.newline}"
                lines += f"{inner}{argument.arg} = {module.source(default)}{module.newline}"
        if edits:
            place = _body_start(module, function)
            return [*edits, Edit(place, place, lines)]
    raise NotRepaired("there is no such default on that line")


def raised_from(module: Module) -> list[Edit]:
    """raise Other() inside `except E as error` to raise Other() from error."""
    for statement in module.here(ast.Raise):
        if statement.exc is None or statement.cause is not None:
            continue
        for node in module.above(statement):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
                break
            if isinstance(node, ast.ExceptHandler):
                # Raised again it would become its own cause.
                if not node.name or _root(statement.exc) == node.name:
                    break
                place = module.end(statement)
                return [Edit(place, place, f" from {node.name}")]
    raise NotRepaired("the error that was caught has no name here")


def without_breakpoint(module: Module) -> list[Edit]:
    """A line that stops in the debugger is taken out."""
    for statement in module.here(ast.Expr):
        if not isinstance(statement.value, ast.Call) or dotted(statement.value.func) not in DEBUGGERS:
            continue
        start, end = module.start(statement), module.end(statement)
        first = module.starts[statement.lineno - 1]
        line_end = re.compile(r"[^\r\n]*(\r\n|\r|\n)?").match(module.text, end)
        assert line_end is not None
        alone = not module.text[first:start].strip() and not line_end[0].strip()
        parent = module.parents[statement]
        only = any(body == [statement] for body in _bodies(parent))
        if not alone or statement.lineno != module.line:
            raise NotRepaired("something else stands on that line")
        return [Edit(start, end, "pass")] if only else [Edit(first, line_end.end(), "")]
    raise NotRepaired("there is no breakpoint on that line")


def _refuse_kept_state(function: ast.FunctionDef | ast.AsyncFunctionDef, name: str) -> None:
    """A default that is shared on purpose: a cache, or what a function made here goes on using."""
    if _KEPT.search(name):
        raise NotRepaired("the default looks like a cache")
    inner = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
    made = [node for node in ast.walk(function) if isinstance(node, inner) and node is not function]
    if any(isinstance(node, ast.Name) and node.id == name for one in made for node in ast.walk(one)):
        raise NotRepaired("a function inside uses it")


def _root(node: ast.expr) -> str:
    """`a` of `a`, `a.b` and `a.b()`."""
    while isinstance(node, ast.Attribute | ast.Call):
        node = node.value if isinstance(node, ast.Attribute) else node.func
    return node.id if isinstance(node, ast.Name) else ""


def _bodies(node: ast.AST) -> list[list[ast.stmt]]:
    return [getattr(node, name) for name in ("body", "orelse", "finalbody") if getattr(node, name, None)]


def _defaults(taken: ast.arguments) -> list[tuple[ast.arg, ast.expr]]:
    positional = [*taken.posonlyargs, *taken.args]
    by_place = list(zip(positional[len(positional) - len(taken.defaults) :], taken.defaults, strict=True))
    by_name = [(one, value) for one, value in zip(taken.kwonlyargs, taken.kw_defaults, strict=True) if value]
    return by_place + by_name


def _is_mutable(node: ast.expr) -> bool:
    if isinstance(node, ast.List | ast.Dict | ast.Set):
        return node.lineno == node.end_lineno
    return isinstance(node, ast.Call) and dotted(node.func) in EMPTY_MAKERS and not node.args + node.keywords


def _optional(module: Module, argument: ast.arg) -> list[Edit]:
    """An annotation that says None may be passed; only where annotations are not evaluated."""
    if argument.annotation is None or "None" in module.source(argument.annotation):
        return []
    later = any(
        isinstance(node, ast.ImportFrom)
        and node.module == "__future__"
        and any(alias.name == "annotations" for alias in node.names)
        for node in module.tree.body
    )
    if not later or isinstance(argument.annotation, ast.Constant):
        raise NotRepaired("the annotation of the parameter would be wrong")
    place = module.end(argument.annotation)
    return [Edit(place, place, " | None")]


def _body_start(module: Module, function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """The beginning of the line of the first statement after the docstring."""
    body = function.body
    if ast.get_docstring(function, clean=False) is not None:
        body = body[1:]
    if not body or _is_stub(body[0]):
        raise NotRepaired("the function does nothing")
    line = first_line(body[0])
    before = module.text[module.starts[line - 1] : module.at(line, body[0].col_offset)]
    if before.strip():
        raise NotRepaired("the function is written on one line")
    return module.starts[line - 1]


def _is_stub(statement: ast.stmt) -> bool:
    dots = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    return isinstance(statement, ast.Pass) or dots


def _indent(module: Module, function: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    first = function.body[0]
    line = module.starts[first.lineno - 1]
    indent = module.text[line : module.start(first)]
    if indent.strip() or not indent:
        raise NotRepaired("the function is written on one line")
    return indent


def _margin(module: Module, function: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    line = module.starts[function.lineno - 1]
    return module.text[line : module.start(function)]
