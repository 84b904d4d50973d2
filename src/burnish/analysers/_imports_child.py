"""Runs as a process of its own, knowing nothing of Burnish: which imports of Python files happen, and when.

The files are named on stdin. A line of output, parted by tabs: path, `now` (on loading) or `later` (in a
function), line, then the names the import could mean, dotted; a relative one begins with a dot for each
folder to go up. What only a type checker reads is left out.
"""

from __future__ import annotations

import ast
import resource
import sys
from collections.abc import Iterator
from pathlib import Path

MEMORY_BYTES = 4 * 1024**3
TROUBLE = (OSError, ValueError, SyntaxError, RecursionError, MemoryError)


def main() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    for path in sys.stdin.read().splitlines():
        try:
            body = ast.parse(Path(path).read_bytes()).body
        except TROUBLE:
            continue
        for node, when in _imports(body):
            sys.stdout.write("\t".join((path, when, str(node.lineno), *_names(node))) + "\n")


def _imports(body: list[ast.stmt]) -> Iterator[tuple[ast.Import | ast.ImportFrom, str]]:
    waiting: list[tuple[ast.AST, str]] = [(node, "now") for node in reversed(body)]
    while waiting:
        node, when = waiting.pop()
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node, when
            continue
        inner = list(ast.iter_child_nodes(node))
        if isinstance(node, ast.If) and _type_checking(node.test):
            inner = list(node.orelse)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            when = "later"
        waiting += ((child, when) for child in reversed(inner) if not isinstance(child, ast.expr))


def _type_checking(test: ast.expr) -> bool:
    name = test.attr if isinstance(test, ast.Attribute) else test.id if isinstance(test, ast.Name) else ""
    return name == "TYPE_CHECKING"


def _names(node: ast.Import | ast.ImportFrom) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    start = "." * node.level + (node.module or "")
    joint = "." if node.module else ""
    return [start, *(f"{start}{joint}{alias.name}" for alias in node.names)]


if __name__ == "__main__":
    main()
