"""Find `@pytest.mark.conformance("G-40", ...)` in test files by reading them, without running any."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeGuard

MAX_IDS = 3
NAME = "conformance"
Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Marked:
    """One id on one test; `test` is how pytest names it, `where` is file and line."""

    id: str
    test: str
    where: str


def collect(tests: Path) -> tuple[list[Marked], list[str]]:
    """Every marker under a folder, and what is wrong with any of them."""
    marked: list[Marked] = []
    problems: list[str] = []
    for path in sorted(tests.rglob("*.py")):
        name = path.relative_to(tests.parent).as_posix()
        good, bad = _in_file(ast.parse(path.read_text("utf8")), name)
        marked += good
        problems += bad
    return marked, problems


def _in_file(tree: ast.Module, file: str) -> tuple[list[Marked], list[str]]:
    marked: list[Marked] = []
    problems: list[str] = []
    left = {id(node): node for node in ast.walk(tree) if _is_marker(node)}
    is_test_file = file.rsplit("/", 1)[-1].startswith("test_") or file.endswith("_test.py")
    for test, function in _tests(tree) if is_test_file else ():
        own = [call for call in function.decorator_list if _is_marker_call(call)]
        on_cases = [list(_on_case(case)) for case in _cases(function)]
        for calls in [own, *([*own, *more] for more in on_cases if more)]:
            ids = [argument for call in calls for argument in call.args]
            if len(ids) > MAX_IDS:
                problems.append(f"{file}:{function.lineno}: {function.name} has more than {MAX_IDS} ids")
        for call in [*own, *(call for calls in on_cases for call in calls)]:
            left.pop(id(call.func), None)
            where = f"{file}:{call.lineno}"
            if not call.args or call.keywords:
                problems.append(f"{where}: the marker takes one to {MAX_IDS} ids and nothing else")
            for argument in call.args:
                if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                    marked.append(Marked(argument.value, f"{file}::{test}", where))
                else:
                    problems.append(f"{where}: an id is a plain string, found {ast.unparse(argument)}")
    problems += [
        f"{file}:{node.lineno}: a conformance marker on something that is not a test"
        for node in left.values()
    ]
    return marked, problems


def _tests(tree: ast.Module) -> Iterator[tuple[str, Function]]:
    """What pytest would take for a test, with its name below the file."""
    for node in tree.body:
        if isinstance(node, Function) and node.name.startswith("test"):
            yield node.name, node
        if isinstance(node, ast.ClassDef) and node.name.startswith("Test"):
            for inner in node.body:
                if isinstance(inner, Function) and inner.name.startswith("test"):
                    yield f"{node.name}::{inner.name}", inner


def _cases(function: Function) -> Iterator[ast.Call]:
    """The `pytest.param(...)` cases of a parametrised test: each is a test of its own."""
    for decorator in function.decorator_list:
        for node in ast.walk(decorator):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr == "param"
            ):
                yield node


def _on_case(case: ast.Call) -> Iterator[ast.Call]:
    for keyword in case.keywords:
        if keyword.arg == "marks":
            for node in ast.walk(keyword.value):
                if _is_marker_call(node):
                    yield node


def _is_marker_call(node: ast.AST) -> TypeGuard[ast.Call]:
    return isinstance(node, ast.Call) and _is_marker(node.func)


def _is_marker(node: ast.AST) -> TypeGuard[ast.Attribute]:
    """`pytest.mark.conformance`, or `mark.conformance`."""
    if not (isinstance(node, ast.Attribute) and node.attr == NAME):
        return False
    owner = node.value
    return (isinstance(owner, ast.Attribute) and owner.attr == "mark") or (
        isinstance(owner, ast.Name) and owner.id == "mark"
    )
