"""Values that should have gone through a common function first, by where they stand."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from burnish.fixers.search._code import Code
from burnish.fixers.search.edits._proposal import Proposal

# What is common at each place: functions, then methods (of texts, and of others).
LOOPED = (("sorted", "reversed", "list", "set", "range"), ("split()",), ("items()", "values()"))
COMPARED = (("len", "abs", "int", "str", "set", "sorted"), ("lower()", "strip()", "upper()"), ())
COUNTED = (("abs", "int", "len", "float", "round", "sum"), ("strip()",), ())
LOOKED_UP = (("int", "abs", "str", "tuple"), ("lower()", "strip()"), ())
KEPT = (
    ("sorted", "list", "set", "abs", "len", "int", "str", "tuple", "sum", "float", "bool", "round"),
    ("strip()", "lower()", "upper()", "split()"),
    (),
)
PASSED = (
    ("sorted", "list", "set", "abs", "len", "int", "str", "tuple", "reversed"),
    ("lower()", "strip()", "upper()"),
    ("items()", "values()"),
)
Place = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]
# Methods without arguments whose parentheses are forgotten.
CALLED = frozenset(
    {"strip", "lower", "upper", "keys", "values", "items", "read", "copy", "pop", "split", "title", "now"}
)


def wrapped(code: Code, node: ast.AST) -> Iterator[Proposal]:
    for place, part in _values(node):
        if isinstance(part, ast.Constant | ast.Starred | ast.Lambda | ast.JoinedStr | ast.Slice):
            continue
        said = code.said(part)
        bare = said[1:-1] if isinstance(part, ast.GeneratorExp) and said.startswith("(") else said
        functions, of_texts, others = place
        for function in functions:
            if not said.startswith(f"{function}("):
                yield Proposal("wrap-call", code.instead(part, f"{function}({bare})"))
        if isinstance(part, ast.Name | ast.Attribute | ast.Call | ast.Subscript):
            for method in (*(of_texts if code.has_texts else ()), *others):
                if not said.endswith(f".{method}"):
                    yield Proposal("wrap-method", code.instead(part, f"{said}.{method}"))
            for ends in _ends(code, part) if place in (KEPT, PASSED) else ():
                yield Proposal("wrap-method", code.instead(part, f"{said}.strip({ends})"))
        if isinstance(part, ast.Call) and said.endswith((".split()", ")")) and ".split(" in said:
            each = f"map(int, {bare})"
            yield Proposal(
                "wrap-call", code.instead(part, f"list({each})" if place is KEPT else each, tight=True)
            )
        if place in (KEPT, COUNTED) and not isinstance(part, ast.List | ast.Dict | ast.Tuple | ast.Compare):
            yield Proposal("wrap-rare", code.instead(part, f"max(0, {bare})"))
        if place in (KEPT, PASSED) and isinstance(part, ast.Name | ast.Call | ast.List):
            yield Proposal("wrap-list", code.instead(part, f"[{said}]"))
        if _callable(code, part):
            yield Proposal("missing-call", code.instead(part, f"{said}()"))


def _ends(code: Code, part: ast.expr) -> list[str]:
    """What a text that is put together with these short texts may have left at its ends."""
    found = [
        repr(one.value)
        for one in ast.walk(code.function(part) or ast.Module([], []))
        if isinstance(one, ast.Constant) and isinstance(one.value, str) and 0 < len(one.value.strip()) <= 2
    ]
    return list(dict.fromkeys(found))[:3]


def _callable(code: Code, part: ast.expr) -> bool:
    name = part.id if isinstance(part, ast.Name) else part.attr if isinstance(part, ast.Attribute) else ""
    own = any(one.name == name for one in code.functions)
    return own or (isinstance(part, ast.Attribute) and name in CALLED)


def accumulated(code: Code, node: ast.AST) -> Iterator[Proposal]:
    """A value that takes the place of the last one where it should be set off against it."""
    if not isinstance(node, ast.Assign) or len(node.targets) != 1:
        return
    if isinstance(node.targets[0], ast.Name | ast.Attribute | ast.Subscript):
        target = code.said(node.targets[0])
        for words in ("max({}, {})", "min({}, {})", "{} + {}"):
            yield Proposal(
                "accumulate", code.instead(node.value, words.format(target, code.said(node.value)))
            )


def _values(node: ast.AST) -> list[tuple[Place, ast.expr]]:
    match node:
        case ast.Return(value=ast.expr() as value) | ast.Assign(value=value) | ast.AugAssign(value=value):
            return [(KEPT, value)]
        case ast.Yield(value=ast.expr() as value):
            return [(KEPT, value)]
        case ast.For(iter=over) | ast.comprehension(iter=over):
            return [(LOOPED, over)]
        case ast.Call(args=given):
            return [(PASSED, one) for one in given[:3]]
        case ast.Compare(left=left, comparators=rights):
            return [(COMPARED, one) for one in (left, *rights)]
        case ast.BinOp(left=left, right=right):
            return [(COUNTED, left), (COUNTED, right)]
        case ast.Subscript(slice=index) if not isinstance(index, ast.Slice | ast.Tuple):
            return [(LOOKED_UP, index)]
    return []
