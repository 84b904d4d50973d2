"""Text that is put together into a statement: patterns fire there, so that is where its standing is told."""

from __future__ import annotations

import ast
import re

from burnish.analysers.taint.finding.judging import stands
from burnish.analysers.taint.memory.frame import Frame
from burnish.analysers.taint.memory.marks import out_of_place
from burnish.analysers.taint.memory.values import Value

_SQL = re.compile(r"\s*(?:select|insert|update|delete|replace|with|create|drop|alter|merge)\s", re.IGNORECASE)


def told(at: Frame, value: Value, node: ast.AST) -> Value:
    """The same value; the report learns whether all that went into it is safe wherever it goes."""
    if _SQL.match(value.shape):
        stands(at, "sql", value, node)
    return out_of_place(value) if value.taints and "<" in value.shape else value
