"""Statements that were forgotten, made of what the function uses."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from burnish.fixers._python import Edit
from burnish.fixers.search._code import Code
from burnish.fixers.search.edits._proposal import Proposal

MOST_NAMES = 8
MOST_COPIED = 12
FILLED_BY = {"set": "add", "list": "append", "deque": "append", "dict": "update"}
FILLING = frozenset({"append", "add", "extend", "insert", "update", "appendleft", "setdefault"})


def inserted(code: Code, node: ast.AST) -> Iterator[Proposal]:
    """A statement that was forgotten: made of what the function uses, before or behind this one."""
    if not isinstance(node, ast.stmt) or (function := code.function(node)) is None:
        return
    indent = code.indent(node)
    if indent is None or code.text.startswith("elif", code.start(node)):
        return
    ending = isinstance(node, ast.Return | ast.Break | ast.Continue | ast.Raise)
    places = [code.line_start(node.lineno)] + ([] if ending else [code.line_end(node)])
    for kind, words in _vocabulary(code, function, node):
        for place in places:
            yield Proposal(kind, (Edit(place, place, f"{indent}{words}\n"),))


def _vocabulary(code: Code, function: ast.AST, node: ast.stmt) -> list[tuple[str, str]]:
    """Kinds and words of what could stand here; the likelier kind where two make the same."""
    names = code.values_at(node)[:MOST_NAMES]
    found: dict[str, str] = {}
    for kind, words in (
        *_missing(code, function, node, names),
        *_never_counted(code, function),
        *_like_others(code, function, node, names),
        *_assignments(function, names),
    ):
        found.setdefault(words, kind)
    if any(isinstance(above, ast.For | ast.While) for above in code.module.above(node)):
        found.update({"break": "insert-jump", "continue": "insert-jump"})
    for words in _from_class(code, function):
        found.setdefault(words, "insert-copied-far")
    return [(kind, words) for words, kind in found.items() if "\n" not in words]


def _missing(
    code: Code, function: ast.AST, node: ast.stmt, names: tuple[str, ...]
) -> Iterator[tuple[str, str]]:
    """What a loop never changes, what is never filled, what is looked for and never remembered."""
    for name in _standing(code, node):
        yield from (("insert-carried", f"{name} = {other}") for other in names if other != name)
    for name, method in _never_filled(function):
        yield from (("insert-filled", f"{name}.{method}({other})") for other in names)
    for one in ast.walk(function):
        match one:
            case ast.Compare(
                left=ast.Name(id=item),
                ops=[ast.In() | ast.NotIn()],
                comparators=[ast.Name() | ast.Attribute() as whole],
            ):
                yield from (
                    ("insert-remembered", f"{code.said(whole)}.{method}({item})")
                    for method in ("add", "append")
                )


def _never_counted(code: Code, function: ast.AST) -> Iterator[tuple[str, str]]:
    """Numbers of the object that begin as one and stay so; containers of it that nobody empties."""
    owner = code.owner(function)
    if owner is None:
        return
    began: dict[str, bool] = {}
    changed: set[str] = set()
    for one in ast.walk(owner):
        match one:
            case ast.Assign(targets=[ast.Attribute(value=ast.Name(id="self"), attr=name)], value=value):
                if name in began:
                    changed.add(name)
                if isinstance(value, ast.Constant) and type(value.value) is int:
                    began[name] = True
                elif isinstance(value, ast.List | ast.Dict | ast.Set) or _makes_container(value):
                    began[name] = False
            case ast.AugAssign(target=ast.Attribute(value=ast.Name(id="self"), attr=name)):
                changed.add(name)
    for name, number in began.items():
        if number:
            kind = "insert-count" if name in changed else "insert-counted"
            yield kind, f"self.{name} += 1"
            yield kind, f"self.{name} -= 1"
        else:
            yield "insert-cleared", f"self.{name}.clear()"


def _makes_container(value: ast.expr) -> bool:
    return isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id in FILLED_BY


def _like_others(
    code: Code, function: ast.AST, node: ast.stmt, names: tuple[str, ...]
) -> Iterator[tuple[str, str]]:
    """What the function does elsewhere, also to other names."""
    for one in ast.walk(function):
        match one:
            case ast.Call(
                func=ast.Attribute(value=ast.Name() | ast.Attribute() as base, attr="append" | "add")
            ):
                words = f"{code.said(base)}.{code.said(one.func).rpartition('.')[2]}"
                yield from (("insert-append", f"{words}({name})") for name in names)
            case ast.AugAssign(target=ast.Name(id=name)):
                yield "insert-count", f"{name} += 1"
                yield "insert-count", f"{name} -= 1"
            case ast.Assign() | ast.AugAssign() | ast.Expr(value=ast.Call()) if one is not node:
                yield "insert-copied", code.said(one)


def _assignments(function: ast.AST, names: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    stored = {
        one.id for one in ast.walk(function) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)
    }
    for name in names:
        if name in stored:
            yield from (("insert-assignment", f"{name} = {other}") for other in names if other != name)


def _standing(code: Code, node: ast.stmt) -> list[str]:
    """Names that the loop around a statement reads and nobody changes in it, though they began as nothing."""
    loop = next((one for one in code.module.above(node) if isinstance(one, ast.For | ast.While)), None)
    function = code.function(node)
    if loop is None or function is None:
        return []
    names = [one for one in ast.walk(loop) if isinstance(one, ast.Name)]
    stored = {one.id for one in names if isinstance(one.ctx, ast.Store)}
    began = {
        target.id
        for one in ast.walk(function)
        if isinstance(one, ast.Assign) and isinstance(one.value, ast.Constant | ast.Name)
        for target in one.targets
        if isinstance(target, ast.Name)
    }
    read = dict.fromkeys(one.id for one in names if isinstance(one.ctx, ast.Load))
    return [name for name in read if name in began and name not in stored]


def _never_filled(function: ast.AST) -> list[tuple[str, str]]:
    """Containers that begin empty and stay so, with how one is filled."""
    empty: dict[str, str] = {}
    filled: set[str] = set()
    for one in ast.walk(function):
        match one:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.List(elts=[])):
                empty[name] = "append"
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=ast.Name(id=kind), args=[])):
                if kind in FILLED_BY:
                    empty[name] = FILLED_BY[kind]
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=called)) if called in FILLING:
                filled.add(name)
            case (
                ast.Subscript(value=ast.Name(id=name), ctx=ast.Store())
                | ast.AugAssign(target=ast.Name(id=name))
            ):
                filled.add(name)
    return [(name, method) for name, method in empty.items() if name not in filled]


def _from_class(code: Code, function: ast.AST) -> list[str]:
    """What other methods of the class do to the object."""
    owner = code.owner(function)
    return [
        code.said(one)
        for one in ast.walk(owner or ast.Module([], []))
        if isinstance(one, ast.Assign | ast.AugAssign | ast.Expr)
        and code.function(one) is not function
        and code.said(one).startswith("self.")
    ][:MOST_COPIED]


def final_return(code: Code, node: ast.AST) -> Iterator[Proposal]:
    """A function that ends without the result it made."""
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or isinstance(
        node.body[-1], ast.Return | ast.Raise
    ):
        return
    last = node.body[-1]
    indent = code.indent(last)
    if indent is None:
        return
    place = code.line_end(last)
    before = "" if code.text[:place].endswith("\n") else "\n"
    returns = [one for one in ast.walk(node) if isinstance(one, ast.Return) and one.value is not None]
    names = code.locals_at(last)
    for answer in dict.fromkeys((*names, "False", "True", "None", "0", "[]", "self")):
        # Where other ways through it have a result, this one should have one too.
        likely = (2.0 if returns else 1.0) * (1.5 if answer in names else 1.0)
        yield Proposal("final-return", (Edit(place, place, f"{before}{indent}return {answer}\n"),), likely)
