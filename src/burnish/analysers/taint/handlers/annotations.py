"""Annotations as they are written: who asks, what an alias stands for, what a pattern lets through."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from burnish.analysers.taint.handlers.addresses import anchored, plain_pattern
from burnish.analysers.taint.memory.frame import Frame
from burnish.analysers.taint.memory.values import Value

_CONSTRAINTS = frozenset({
    "Query", "Path", "Body", "Form", "Header", "Cookie", "Field", "StringConstraints", "constr",
})  # fmt: skip


@dataclass(frozen=True)
class Asker:
    """Who wants to know: where names are looked up, and how an untrusted value is made."""

    at: Frame
    make: Callable[[Frame, str, int], Value]
    names: Mapping[str, str]
    name: str = ""
    line: int = 0
    depth: int = 0

    def deeper(self, at: Frame | None = None) -> Asker:
        return replace(self, at=at or self.at, depth=self.depth + 1)

    def about(self, name: str, line: int) -> Asker:
        """One parameter, or one field of one: each is data of its own."""
        return replace(self, name=f"{self.name}.{name}" if self.name else name, line=line)

    def untrusted(self) -> Value:
        return self.make(self.at, self.name, self.line)


def last_word(call: ast.Call) -> str:
    """The last word of what is called."""
    found: str = getattr(call.func, "attr", getattr(call.func, "id", ""))
    return found


def constrained(ask: Asker, call: ast.Call) -> bool:
    """`Query(pattern="^[a-z]+$")`: nothing but plain words comes through."""
    if last_word(call) not in _CONSTRAINTS:
        return False
    for one in call.keywords:
        if one.arg in ("pattern", "regex"):
            text = ask.at.value(one.value).text
            return text is not None and anchored(text) and plain_pattern(text)
    return False


def alias_of(at: Frame, name: str) -> tuple[Frame, ast.expr] | None:
    """What `Name = Annotated[...]` stands for, here or where it is imported from."""
    tree, module = at.module.tree, at.module
    for node in tree.body if tree else ():
        match node:
            case ast.Assign(targets=[ast.Name(id=target)], value=found) if target == name:
                return (at, found) if isinstance(found, ast.Subscript | ast.BinOp | ast.Call) else None
            case ast.ImportFrom(module=base, names=names, level=level):
                for alias in names:
                    if (alias.asname or alias.name) == name:
                        other = at.engine.modules.find(base or "", level, module)
                        if other is not None and other is not module:
                            at.engine.modules.load(other)
                            return alias_of(other.frame, alias.name) if other.frame else None
    return None
