"""Python code as a tree with places: small edits of the text, checked by parsing what comes out."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

Node = TypeVar("Node", bound=ast.AST)
_LINE_END = re.compile(r"\r\n|\r|\n")
_FUTURE = "__future__"


class NotRepaired(Exception):
    """Why a rewrite does not apply here. Never leaves the fixers."""


@dataclass(frozen=True)
class Edit:
    start: int
    end: int
    text: str


@dataclass(frozen=True)
class Module:
    """A module that parses. `line` is where the finding is."""

    text: str
    line: int

    @cached_property
    def tree(self) -> ast.Module:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return ast.parse(self.text)
        except (SyntaxError, ValueError, RecursionError) as error:
            raise NotRepaired(f"it does not parse: {error}") from None

    @cached_property
    def starts(self) -> list[int]:
        """Where each line begins."""
        return [0, *(found.end() for found in _LINE_END.finditer(self.text))]

    @cached_property
    def parents(self) -> dict[ast.AST, ast.AST]:
        return {child: node for node in ast.walk(self.tree) for child in ast.iter_child_nodes(node)}

    @property
    def newline(self) -> str:
        return "\r\n" if "\r\n" in self.text else "\n"

    def at(self, line: int, column: int) -> int:
        """An offset into the text; the tree counts columns in bytes."""
        start = self.starts[line - 1]
        rest = self.text[start : start + column].encode("utf8")
        return start + len(rest[:column].decode("utf8", "ignore"))

    def start(self, node: ast.expr | ast.stmt | ast.keyword | ast.ExceptHandler | ast.arg) -> int:
        return self.at(node.lineno, node.col_offset)

    def end(self, node: ast.expr | ast.stmt | ast.keyword | ast.ExceptHandler | ast.arg) -> int:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self.at(node.end_lineno, node.end_col_offset)

    def source(self, node: ast.expr | ast.stmt | ast.keyword) -> str:
        return self.text[self.start(node) : self.end(node)]

    def here(self, kind: type[Node]) -> list[Node]:
        """The nodes of a kind that reach over the finding's line, the smallest first."""
        found = []
        for node in ast.walk(self.tree):
            if not isinstance(node, kind):
                continue
            first, last = getattr(node, "lineno", None), getattr(node, "end_lineno", None)
            if first is None or last is None or not first <= self.line <= last:
                continue
            # Before Python 3.12 the places of what stands in an f-string cannot be trusted.
            if not any(isinstance(parent, ast.JoinedStr) for parent in self.above(node)):
                found.append((last - first, self._width(node), node))
        return [node for *_, node in sorted(found, key=lambda entry: entry[:2])]

    def _width(self, node: ast.AST) -> int:
        return self.end(node) - self.start(node) if isinstance(node, ast.expr | ast.stmt) else 0

    def above(self, node: ast.AST) -> Iterator[ast.AST]:
        """Its parents, the nearest first."""
        while node in self.parents:
            node = self.parents[node]
            yield node

    def importing(self, name: str) -> list[Edit]:
        """What brings `import name` to the top, if it is not there."""
        for node in self.tree.body:
            if isinstance(node, ast.Import) and any(a.name == name and not a.asname for a in node.names):
                return []
        bound = {node.id for node in ast.walk(self.tree) if isinstance(node, ast.Name)} | {
            alias.asname or alias.name.split(".")[0]
            for node in ast.walk(self.tree)
            if isinstance(node, ast.Import | ast.ImportFrom)
            for alias in node.names
        }
        if name in bound:
            raise NotRepaired(f"{name} means something else here")
        place = self.starts[self._first_import_line() - 1]
        return [Edit(place, place, f"import {name}{self.newline}")]

    def _first_import_line(self) -> int:
        for node in self.tree.body:
            docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
            future = isinstance(node, ast.ImportFrom) and node.module == _FUTURE
            if not docstring and not future:
                return first_line(node)
        raise NotRepaired("there is no place for an import")


def apply(module: Module, edits: Iterable[Edit]) -> str:
    """The text with these edits; raises NotRepaired when they overlap or the result does not parse."""
    text, last = module.text, len(module.text) + 1
    for edit in sorted(edits, key=lambda one: (one.start, one.end), reverse=True):
        if edit.end > last:
            raise NotRepaired("two edits overlap")
        text = text[: edit.start] + edit.text + text[edit.end :]
        last = edit.start
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            # Only made, never run. The parser alone lets an argument pass that is given twice.
            compile(text, "<repaired>", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError) as error:
        raise NotRepaired(f"the result would not compile: {error}") from None
    return text


def first_line(statement: ast.stmt) -> int:
    """With its decorators, which stand above it."""
    decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
    return min([statement.lineno, *(decorator.lineno for decorator in decorators)])


def dotted(node: ast.AST) -> str:
    """`a.b.c` for an expression that is just names; empty otherwise."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        before = dotted(node.value)
        return f"{before}.{node.attr}" if before else ""
    return ""


def keyword(call: ast.Call, name: str) -> ast.keyword | None:
    return next((one for one in call.keywords if one.arg == name), None)


def arguments(module: Module, call: ast.Call) -> list[ast.expr | ast.keyword]:
    """All that is passed, in the order of the text."""
    return sorted([*call.args, *call.keywords], key=module.start)


def with_keyword(module: Module, call: ast.Call, written: str) -> list[Edit]:
    """Pass one more argument by name."""
    if any(one.arg in (None, written.partition("=")[0]) for one in call.keywords):
        raise NotRepaired("it is passed already, or in a dictionary")
    given = arguments(module, call)
    if not given:
        place = module.end(call) - 1
        return [Edit(place, place, written)]
    place = module.end(given[-1])
    return [Edit(place, place, f", {written}")]


def without_argument(module: Module, call: ast.Call, gone: ast.expr | ast.keyword) -> list[Edit]:
    """Do not pass this argument."""
    given = arguments(module, call)
    at = given.index(gone)
    if at:
        return [Edit(module.end(given[at - 1]), module.end(gone), "")]
    end = module.start(given[1]) if len(given) > 1 else module.end(call) - 1
    if "#" in module.text[module.end(gone) : end]:
        raise NotRepaired("a comment stands there")
    return [Edit(module.start(gone), end, "")]
