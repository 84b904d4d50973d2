"""The values of a statement as what is passed with it: new ones alone, or among those that were there."""

from __future__ import annotations

import ast
import re

from burnish.fixers._python import NotRepaired
from burnish.fixers._sql_text import Bound, Dialect
from burnish.fixers._written import one_line


def passed(dialect: Dialect, bound: Bound, named: bool) -> str:
    """The parameters as one expression: a tuple, a list, a dictionary."""
    told = ", ".join(bound.fresh)
    if len(bound.fresh) == 1 and re.fullmatch(r"\*params\w*|\*own_params", told):
        return told[1:]
    if named:
        return f"{{{told}}}"
    if dialect.opening == "[":
        return f"[{told}]"
    return f"({told},)" if len(bound.fresh) == 1 else f"({told})"


def merged(source: str, existing: ast.expr, bound: Bound, named: bool) -> str:
    """The parameters that were passed with the new ones at their places."""
    if named:
        if isinstance(existing, ast.Dict):
            inner = source.strip()[1:-1].strip().rstrip(",")
            return "{" + ", ".join([*([inner] if inner else []), *bound.fresh]) + "}"
        return "{" + ", ".join([f"**{source}", *bound.fresh]) + "}"
    count = sum(value is None for value in bound.values)
    if isinstance(existing, ast.List | ast.Tuple) and not any(
        isinstance(one, ast.Starred) for one in existing.elts
    ):
        if count != len(existing.elts):
            raise NotRepaired("places and values do not fit")
        left = [one_line(ast.unparse(one)) for one in existing.elts]
        told = [left.pop(0) if value is None else value for value in bound.values]
    elif bound.values[:count] == [None] * count:
        told = [f"*{source}", *bound.fresh]
    elif bound.values[-count:] == [None] * count:
        told = [*bound.fresh, f"*{source}"]
    else:
        raise NotRepaired("where the new values belong cannot be told")
    if isinstance(existing, ast.List):
        return "[" + ", ".join(told) + "]"
    return "(" + ", ".join(told) + ("," if len(told) == 1 else "") + ")"
