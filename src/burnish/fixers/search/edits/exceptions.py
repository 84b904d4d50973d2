"""Exceptions: another type caught or raised."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from burnish.fixers.search._code import Code
from burnish.fixers.search.edits._proposal import Proposal

COMMON = (
    "ValueError", "KeyError", "TypeError", "IndexError", "AttributeError", "LookupError", "ZeroDivisionError",
    "OSError", "FileNotFoundError", "StopIteration", "RuntimeError", "ArithmeticError", "Exception",
)  # fmt: skip


# It makes almost any test pass, and hides what nobody thought of.
CATCHES_ALL = 0.2


def caught(code: Code, node: ast.AST) -> Iterator[Proposal]:
    """The handlers of a `try`; more types, or others."""
    if not isinstance(node, ast.Try):
        return
    for handler in node.handlers:
        if handler.type is None:
            continue
        said = code.said(handler.type)
        for name in _types(code):
            if name != said:
                odds = CATCHES_ALL if name == "Exception" else 1.0
                yield Proposal("exception-type", code.instead(handler.type, name, tight=True), odds)
                if not isinstance(handler.type, ast.Tuple):
                    yield Proposal(
                        "exception-more", code.instead(handler.type, f"({said}, {name})", tight=True)
                    )


def raised(code: Code, node: ast.AST) -> Iterator[Proposal]:
    if not isinstance(node, ast.Raise) or node.exc is None:
        return
    kind = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
    if isinstance(kind, ast.Name):
        for name in _types(code):
            if name != kind.id:
                yield Proposal("exception-type", code.instead(kind, name, tight=True))


def _types(code: Code) -> list[str]:
    """Those of the file, then the common ones."""
    own = [
        node.name
        for node in code.tree.body
        if isinstance(node, ast.ClassDef) and any(_is_error(base) for base in node.bases)
    ]
    used = [
        node.id
        for node in ast.walk(code.tree)
        if isinstance(node, ast.Name) and (node.id.endswith(("Error", "Exception")))
    ]
    return list(dict.fromkeys((*own, *used, *COMMON)))


def _is_error(base: ast.expr) -> bool:
    name = base.id if isinstance(base, ast.Name) else base.attr if isinstance(base, ast.Attribute) else ""
    return name.endswith(("Error", "Exception"))
