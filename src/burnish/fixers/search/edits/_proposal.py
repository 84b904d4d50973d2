"""An edit that could be the repair, and the name of its kind (weights.toml knows how often such are right)."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from burnish.fixers._python import Edit
from burnish.fixers.search._code import Code


@dataclass(frozen=True)
class Proposal:
    kind: str
    edits: tuple[Edit, ...]


Family = Callable[[Code, ast.AST], Iterator[Proposal]]
