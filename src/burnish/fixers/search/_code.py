"""One Python file as a search sees it: its tree, the exact place of each node, and what is in scope there."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from burnish.fixers._python import Edit, Module, NotRepaired

Function = ast.FunctionDef | ast.AsyncFunctionDef
BUILTINS = frozenset(dir(builtins))
OF_TEXTS = frozenset(
    {"strip", "lower", "upper", "split", "join", "startswith", "endswith", "replace", "format"}
)
# Between expressions these bind looser than whatever an edit could write there.
_ROOMY = (
    ast.Call, ast.keyword, ast.Return, ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr, ast.List,
    ast.Tuple, ast.Slice, ast.For, ast.While, ast.If, ast.Dict, ast.Set, ast.Assert, ast.Raise, ast.Yield,
    ast.With, ast.withitem,
)  # fmt: skip


@dataclass(frozen=True)
class Code:
    """A file that parses."""

    file: str
    text: str

    @cached_property
    def module(self) -> Module:
        return Module(self.text, 1)

    @property
    def parses(self) -> bool:
        try:
            return bool(self.module.tree.body)
        except NotRepaired:
            return False

    @property
    def tree(self) -> ast.Module:
        return self.module.tree

    @property
    def parents(self) -> dict[ast.AST, ast.AST]:
        return self.module.parents

    def start(self, node: ast.AST) -> int:
        return self.module.start(node)  # type: ignore[arg-type]

    def end(self, node: ast.AST) -> int:
        return self.module.end(node)  # type: ignore[arg-type]

    def said(self, node: ast.AST) -> str:
        """Its own words."""
        return self.text[self.start(node) : self.end(node)]

    def placed(self, node: ast.AST) -> bool:
        """Whether its place can be trusted: before Python 3.12 those within f-strings often cannot."""
        if not hasattr(node, "lineno"):
            return False
        if not any(isinstance(above, ast.JoinedStr) for above in self.module.above(node)):
            return True
        try:
            again = ast.parse(self.said(node), mode="eval").body
        except (SyntaxError, ValueError):
            return False
        return ast.dump(again) == ast.dump(node)

    def parent(self, node: ast.AST) -> ast.AST:
        return self.parents.get(node, self.tree)

    def instead(self, node: ast.AST, text: str, *, tight: bool = False) -> tuple[Edit, ...]:
        """Other words for a node; in parentheses where its neighbours would pull at them."""
        above = self.parent(node)
        roomy = isinstance(above, _ROOMY) or (isinstance(above, ast.Subscript) and above.slice is node)
        roomy = roomy and not (isinstance(above, ast.Call) and above.func is node)
        start, end = self.start(node), self.end(node)
        held = self.text[:start].endswith("(") and self.text[end:].startswith(")")
        plain = tight or roomy or held or re.fullmatch(r"[\w.]+", text) is not None
        return (Edit(start, end, text if plain else f"({text})"),)

    def between(self, left: ast.AST, right: ast.AST, old: str, new: str) -> tuple[Edit, ...]:
        """Another operator between two operands; nothing where its place is not plain."""
        start, end = self.end(left), self.start(right)
        gap = self.text[start:end]
        pattern = r"\s+".join(re.escape(word) for word in old.split())
        if old[0].isalpha():
            pattern = rf"\b{pattern}\b"
        found = list(re.finditer(pattern, gap.split("#")[0] if "\n" not in gap else gap))
        if len(found) != 1:
            return ()
        return (Edit(start + found[0].start(), start + found[0].end(), new),)

    def statement(self, node: ast.AST) -> ast.stmt | None:
        """The statement it belongs to; itself if it is one."""
        if isinstance(node, ast.stmt):
            return node
        return next((above for above in self.module.above(node) if isinstance(above, ast.stmt)), None)

    def function(self, node: ast.AST) -> Function | None:
        for above in self.module.above(node):
            if isinstance(above, ast.FunctionDef | ast.AsyncFunctionDef):
                return above
        return None

    def owner(self, node: ast.AST) -> ast.ClassDef | None:
        return next((above for above in self.module.above(node) if isinstance(above, ast.ClassDef)), None)

    def body_of(self, statement: ast.stmt) -> list[ast.stmt]:
        """The block that it stands in."""
        above = self.parent(statement)
        for name in ("body", "orelse", "finalbody"):
            block = getattr(above, name, None)
            if isinstance(block, list) and any(one is statement for one in block):
                return block
        return [statement]

    def indent(self, statement: ast.stmt) -> str | None:
        """What stands before it on its line; None where something else does."""
        start = self.module.starts[statement.lineno - 1]
        before = self.text[start : self.start(statement)]
        return before if not before.strip() else None

    def line_end(self, statement: ast.stmt) -> int:
        """Behind the line on which it ends."""
        last = statement.end_lineno or statement.lineno
        starts = self.module.starts
        return starts[last] if last < len(starts) else len(self.text)

    def line_start(self, line: int) -> int:
        return self.module.starts[line - 1]

    @cached_property
    def _bound(self) -> dict[ast.AST, list[tuple[str, int]]]:
        """Names with the line where each is first bound, by the function (or module) that binds it."""
        found: dict[ast.AST, list[tuple[str, int]]] = {}
        for node in ast.walk(self.tree):
            names = list(_bindings(node))
            if not names:
                continue
            holder = self._holder(node)
            found.setdefault(holder, []).extend((name, getattr(node, "lineno", 0)) for name in names)
        return found

    def _holder(self, node: ast.AST) -> ast.AST:
        for above in self.module.above(node):
            if isinstance(node, ast.arg) and isinstance(
                above, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
            ):
                return above
            if isinstance(above, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
                return above
            if isinstance(above, ast.GeneratorExp | ast.ListComp | ast.SetComp | ast.DictComp):
                return above
        return self.tree

    def locals_at(self, node: ast.AST) -> tuple[str, ...]:
        """Names of the functions around a node that may have a value there, the nearest first."""
        found: dict[str, None] = {}
        line = getattr(node, "lineno", 0)
        loops = [
            one for one in self.module.above(node) if isinstance(one, ast.For | ast.While | ast.AsyncFor)
        ]
        last = max([line, *(one.end_lineno or 0 for one in loops)])
        for above in (node, *self.module.above(node)):
            if isinstance(above, ast.Module | ast.ClassDef):
                continue
            for name, bound in self._bound.get(above, ()):
                if bound <= last:
                    found.setdefault(name)
        return tuple(found)

    def values_at(self, node: ast.AST) -> tuple[str, ...]:
        """The same without the object itself, which is hardly ever meant alone."""
        return tuple(name for name in self.locals_at(node) if name not in ("self", "cls"))

    @cached_property
    def globals(self) -> tuple[str, ...]:
        """Names of the module that are plain values: no imports, functions or classes."""
        other = {
            node.name
            for node in self.tree.body
            if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        }
        imports = {
            (alias.asname or alias.name).split(".")[0]
            for node in ast.walk(self.tree)
            if isinstance(node, ast.Import | ast.ImportFrom)
            for alias in node.names
        }
        names = dict.fromkeys(name for name, _ in self._bound.get(self.tree, ()))
        return tuple(name for name in names if name not in other and name not in imports)

    @cached_property
    def functions(self) -> tuple[Function, ...]:
        return tuple(
            node for node in ast.walk(self.tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        )

    @cached_property
    def has_texts(self) -> bool:
        """Whether it seems to handle texts at all."""
        return any(
            (isinstance(node, ast.Attribute) and node.attr in OF_TEXTS)
            or (isinstance(node, ast.Constant) and isinstance(node.value, str) and not self._documents(node))
            for node in ast.walk(self.tree)
        )

    def _documents(self, node: ast.Constant) -> bool:
        return isinstance(self.parent(node), ast.Expr)

    def attributes_of(self, base: str) -> tuple[str, ...]:
        """What is read or written of a name (`self`) in this file, the most used first."""
        count: dict[str, int] = {}
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == base:
                count[node.attr] = count.get(node.attr, 0) + 1
        return tuple(sorted(count, key=lambda name: -count[name]))


def _bindings(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Name(id=name, ctx=ast.Store()):
            yield name
        case ast.arg(arg=name):
            yield name
        case ast.ExceptHandler(name=str(name)):
            yield name
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.AsyncFunctionDef(name=name):
            yield name


def expressions(statement: ast.stmt) -> Iterator[ast.AST]:
    """What a statement is made of, without the statements inside of it."""
    todo: list[ast.AST] = [statement]
    while todo:
        node = todo.pop(0)
        yield node
        todo += [
            child
            for child in ast.iter_child_nodes(node)
            if not isinstance(child, ast.stmt | ast.ExceptHandler | ast.match_case)
        ]


def header_lines(statement: ast.stmt) -> range:
    """The lines of a statement without those of its block."""
    last = statement.end_lineno or statement.lineno
    block = getattr(statement, "body", None)
    if isinstance(block, list) and block and isinstance(block[0], ast.stmt):
        last = max(statement.lineno, block[0].lineno - 1)
    return range(statement.lineno, last + 1)


def tree_of(text: str) -> ast.Module:
    """An empty one where it does not parse."""
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ast.Module([], [])
