"""Edits of a judge that do not block: tests that are only added to, files that have honest uses as well."""

from __future__ import annotations

import ast
import re

from burnish.gates.added_rules import only_adds_functions, only_adds_targets

_SOFT = (".gitignore", ".ignore", ".pyi")
MAX_BYTES = 1024 * 1024
_PYTHON = re.compile(
    r"(?:.*/)?(?:test_[^/]*|[^/]*_tests?|tests?|tests_[^/]*)\.py|(?:.*/)?tests?/(?!conftest\.py)[^/]+\.py"
)
_SCRIPTS = re.compile(
    r"(?:.*/)?[^/]*[._-](?:test|spec)\.[cm]?[jt]sx?|(?:.*/)?(?:tests?|__tests__)/[^/]+\.[cm]?[jt]sx?"
)
_GO = re.compile(r".*_test\.go")
_MAKE = re.compile(r"(?:.*/)?(?:GNUmakefile|[Mm]akefile|[^/]+\.mk)")
# What may stand in the first column of the lines that are added at the end.
_SCRIPT_LINE = re.compile(r"(?:(?:test|it|describe|suite|context)\(|\}\)?;?$|\}, \d+\);?$|\);?$|//|$)")
_GO_LINE = re.compile(r"(?:func Test[A-Z_]\w*\(\w+ \*testing\.T\) \{|\}$|//|$)")


def only_adds_tests(path: str, old: bytes, new: bytes) -> bool:
    """Whether an edit keeps every statement of a judge and adds something under names of their own.

    Tests to a file of tests, targets to a Makefile, functions to a shell script. Files that only hide code
    from a linter are edited for good reasons too. The gate does not use the edit.
    """
    if path.endswith(_SOFT):
        return True
    if max(len(old), len(new)) > MAX_BYTES:
        return False
    try:
        before, after = old.decode("utf8"), new.decode("utf8")
        if _PYTHON.fullmatch(path):
            return _adds(ast.parse(before).body, ast.parse(after).body, _names(ast.parse(before)))
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return False
    if _MAKE.fullmatch(path):
        return only_adds_targets(before, after)
    if path.endswith((".sh", ".bash")):
        return only_adds_functions(before, after)
    form = _SCRIPT_LINE if _SCRIPTS.fullmatch(path) else _GO_LINE if _GO.fullmatch(path) else None
    if form is None or not after.startswith(before.rstrip("\n") + "\n") or not before.strip():
        return False
    added = after[len(before.rstrip("\n")) :].split("\n")
    return all(line[:1] in " \t" or form.match(line) for line in added if line)


def _adds(old: list[ast.stmt], new: list[ast.stmt], taken: frozenset[str]) -> bool:
    """Every old statement in its order, as it was or with tests added inside; else only what is new."""
    waiting = list(old)
    for node in new:
        if (waiting and _same(waiting[0], node)) or (
            waiting and isinstance(node, ast.ClassDef) and _extended(waiting[0], node, taken)
        ):
            waiting.pop(0)
        elif not _harmless(node, taken):
            return False
    return not waiting


def _same(one: ast.stmt, other: ast.stmt) -> bool:
    return ast.dump(one) == ast.dump(other)


def _extended(old: ast.stmt, new: ast.ClassDef, taken: frozenset[str]) -> bool:
    if not isinstance(old, ast.ClassDef):
        return False
    heads = [
        ast.dump(ast.ClassDef(node.name, node.bases, node.keywords, [], node.decorator_list))
        for node in (old, new)
    ]
    return heads[0] == heads[1] and _adds(old.body, new.body, taken | _names(old))


def _harmless(node: ast.stmt, taken: frozenset[str]) -> bool:
    """A test, helper, fixture that is asked for, import or constant, under a name that was not in use."""
    if isinstance(node, ast.Import | ast.ImportFrom):
        bound = {(alias.asname or alias.name).split(".")[0] for alias in node.names}
        return not bound & taken and "*" not in bound
    if isinstance(node, ast.Assign):
        names = [target.id for target in node.targets if isinstance(target, ast.Name)]
        plain = len(names) == len(node.targets) and all(name.isupper() for name in names)
        return plain and not set(names) & taken and _is_literal(node.value)
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return False
    fixture = any("fixture" in ast.dump(mark) for mark in node.decorator_list)
    private = node.name.startswith("_") and not node.name.startswith("__")
    named = node.name.startswith(("test", "Test")) or private or fixture
    automatic = any("autouse" in ast.dump(mark) for mark in node.decorator_list)
    return named and not automatic and node.name not in taken


def _is_literal(node: ast.expr) -> bool:
    try:
        ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return False
    return True


def _names(tree: ast.AST) -> frozenset[str]:
    """Every name that a file binds or uses."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            found.add(node.id)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.arg):
            found.add(node.arg)
        elif isinstance(node, ast.alias):
            found.add((node.asname or node.name).split(".")[0])
    return frozenset(found)
