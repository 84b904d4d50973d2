"""A process of its own that knows nothing of Burnish: do Python files compile, do imports still resolve.

Changed files are named on stdin; the current folder is the tree. Nothing of it is imported or run. One line
of output per problem, without line numbers, so that problems of before and after can be compared.
"""

from __future__ import annotations

import ast
import os
import resource
import sys
from collections.abc import Iterator
from pathlib import Path

MEMORY_BYTES = 4 * 1024**3
ROOTS = ("", "src/", "lib/")
TROUBLE = (OSError, ValueError, SyntaxError, RecursionError, MemoryError)


def main() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    changed = [path for path in sys.stdin.read().splitlines() if path.endswith(".py")]
    for path in changed:
        if Path(path).is_file() and parsed(path) is None:
            sys.stdout.write(f"{path} does not compile\n")
    names = {Path(path).stem if Path(path).stem != "__init__" else Path(path).parent.name for path in changed}
    for path in sorted({*changed, *_users(names)}):
        module = parsed(path) if Path(path).is_file() else None
        for problem in _unresolved(path, module) if module else ():
            sys.stdout.write(problem + "\n")


def parsed(path: str) -> ast.Module | None:
    try:
        return ast.parse(Path(path).read_bytes())
    except TROUBLE:
        return None


def _users(names: set[str]) -> Iterator[str]:
    """Python files that mention one of these modules."""
    words = [name.encode() for name in names if name]
    for folder, folders, files in os.walk("."):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in files:
            path = os.path.join(folder, name)[2:]  # noqa: PTH118
            if name.endswith(".py") and any(word in _bytes(path) for word in words):
                yield path


def _bytes(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError:
        return b""


def _unresolved(path: str, module: ast.Module) -> Iterator[str]:
    """`from x import y` where x is a file of this tree and defines no y."""
    for node in ast.walk(module):
        if not isinstance(node, ast.ImportFrom):
            continue
        found = _file_of(path, node)
        body = parsed(found) if found else None
        if body is None or not found:
            continue
        known = _defined(body.body)
        for alias in node.names:
            if (
                alias.name != "*"
                and "*" not in known
                and alias.name not in known
                and not _submodule(found, alias.name)
            ):
                yield f"{path}: cannot import {alias.name} from {found}"


def _file_of(path: str, node: ast.ImportFrom) -> str:
    parts = (node.module or "").split(".") if node.module else []
    if node.level:
        up = Path(path).parent.parts
        keep = len(up) - (node.level - 1)
        return _existing("/".join((*up[: max(keep, 0)], *parts)))
    return (
        next((found for root in ROOTS if (found := _existing(root + "/".join(parts)))), "") if parts else ""
    )


def _existing(stem: str) -> str:
    return next((name for name in (f"{stem}.py", f"{stem}/__init__.py") if Path(name).is_file()), "")


def _submodule(found: str, name: str) -> bool:
    folder = Path(found).parent
    return (folder / f"{name}.py").is_file() or (folder / name).is_dir()


def _defined(body: list[ast.stmt]) -> set[str]:
    """Every name a module's own code binds on loading; `*` where that cannot be told from reading."""
    names: set[str] = set()
    waiting: list[ast.AST] = list(body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add("*" if node.name == "__getattr__" else node.name)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            names |= {(alias.asname or alias.name).split(".")[0] for alias in node.names}
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("globals", "exec", "setattr"):
            names.add("*")
        else:
            waiting += list(ast.iter_child_nodes(node))
    return names


if __name__ == "__main__":
    main()
