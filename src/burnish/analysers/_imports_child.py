"""Runs as a process of its own, knowing nothing of Burnish: which imports of Python files happen on loading.

The files are named on stdin. A line of output, parted by tabs: path, line, then the names the import could
mean, dotted; a relative one begins with a dot for each folder to go up.
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
        for node in _on_loading(body):
            sys.stdout.write("\t".join((path, str(node.lineno), *_names(node))) + "\n")


def _on_loading(body: list[ast.stmt]) -> Iterator[ast.Import | ast.ImportFrom]:
    """Imports outside of functions, and outside of what only a type checker reads."""
    waiting: list[ast.AST] = list(reversed(body))
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node
        elif isinstance(node, ast.If) and _type_checking(node.test):
            waiting += reversed(node.orelse)
        elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.expr):
            waiting += reversed(list(ast.iter_child_nodes(node)))


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
