"""An edit that could be the repair, and the name of its kind (weights.toml: how often such are right)."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from burnish.fixers._python import Edit
from burnish.fixers.search._code import Code


@dataclass(frozen=True)
class Proposal:
    """`odds` tell it from the others of its kind at the same place."""

    kind: str
    edits: tuple[Edit, ...]
    odds: float = 1.0


Family = Callable[[Code, ast.AST], Iterator[Proposal]]
