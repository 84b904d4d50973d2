"""Calls: the order and number of arguments, a call too many, what should be a copy or another literal."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import combinations

from burnish.fixers._python import Edit, NotRepaired, without_argument
from burnish.fixers.search._code import Code
from burnish.fixers.search._roles import parameter
from burnish.fixers.search.edits._proposal import Proposal
from burnish.fixers.search.edits.operators import swapped

MOST_PARTS = 5
# Arguments that these functions and methods often lack.
OPTIONS = {
    "sorted": ("reverse=True",), "sort": ("reverse=True",), "enumerate": ("1", "start=1"),
    "get": ("0", "None", '""', "[]"), "pop": ("0", "-1", "None"), "split": ('","', '" "', "1"),
    "max": ("default=0", "0"), "round": ("2", "1"), "min": ("default=0",), "sum": ("0",), "next": ("None",),
    "int": ("2", "16", "10"), "print": ('end=""',), "replace": ("1",), "zip": ("strict=True",),
    "getattr": ("None",), "dumps": ("sort_keys=True",), "popitem": ("last=False",),
    "insert": ("0",), "move_to_end": ("last=False",), "setdefault": ("[]", "0"),
}  # fmt: skip


def argument_order(code: Code, node: ast.AST) -> Iterator[Proposal]:
    if isinstance(node, ast.Call):
        for one, other in combinations(node.args[:MOST_PARTS], 2):
            yield Proposal("swap-arguments", swapped(code, one, other), _meant(code, node, one, other))
        for first, second in combinations(node.keywords[:MOST_PARTS], 2):
            yield Proposal("swap-arguments", swapped(code, first.value, second.value))
        if len(node.args) == 3:
            yield Proposal("rotate-arguments", _rotated(code, node.args))
    elif isinstance(node, ast.Tuple | ast.List) and 2 <= len(node.elts) <= MOST_PARTS:
        for one, other in combinations(node.elts, 2):
            yield Proposal("swap-elements", swapped(code, one, other))


def _meant(code: Code, call: ast.Call, one: ast.expr, other: ast.expr) -> float:
    """Arguments that are called like their parameters are rarely in the wrong order."""
    first, second = (parameter(code, call, call.args.index(part)) for part in (one, other))
    said = (code.said(one), code.said(other))
    if first in said or second in said:
        return 3.0 if (first, second) == (said[1], said[0]) else 0.3
    return 1.0


def _rotated(code: Code, parts: list[ast.expr]) -> tuple[Edit, ...]:
    said = [code.said(part) for part in parts]
    return tuple(
        Edit(code.start(part), code.end(part), words)
        for part, words in zip(parts, [*said[1:], said[0]], strict=True)
    )


def argument_number(code: Code, node: ast.AST) -> Iterator[Proposal]:
    if not isinstance(node, ast.Call):
        return
    given: list[ast.expr | ast.keyword] = [*node.args, *node.keywords]
    for gone in given:
        try:
            edits = tuple(without_argument(code.module, node, gone))
        except NotRepaired:
            continue
        kind = "drop-argument" if len(node.args) + len(node.keywords) > 1 else "drop-last-argument"
        yield Proposal(kind, edits)
    name = (
        node.func.id
        if isinstance(node.func, ast.Name)
        else node.func.attr
        if isinstance(node.func, ast.Attribute)
        else ""
    )
    for words in OPTIONS.get(name, ()):
        yield Proposal("option-added", _more(code, node, words))
    for keyword in node.keywords:
        if keyword.arg == "key" and isinstance(keyword.value, ast.Lambda):
            body = keyword.value.body
            yield Proposal("sign", code.instead(body, f"-{code.said(body)}", tight=True))
    for words in _wanted(code, node, name):
        yield Proposal("add-argument", _more(code, node, words))


def _more(code: Code, node: ast.Call, words: str) -> tuple[Edit, ...]:
    given = [*node.args, *node.keywords]
    if not given:
        place = code.end(node) - 1
        return (Edit(place, place, words),)
    place = max(code.end(one) for one in given)
    if isinstance(given[0], ast.GeneratorExp) and len(given) == 1:
        return ()
    return (Edit(place, place, f", {words}"),)


def _wanted(code: Code, node: ast.Call, name: str) -> list[str]:
    """What a function of this file takes that it is not given here."""
    for one in code.functions:
        if one.name != name:
            continue
        taken = [argument.arg for argument in one.args.args if argument.arg not in ("self", "cls")]
        given = {keyword.arg for keyword in node.keywords}
        missing = [taken_name for taken_name in taken[len(node.args) :] if taken_name not in given]
        here = code.values_at(node)
        return [
            f"{missing_name}={value}"
            for missing_name in missing[:3]
            for value in dict.fromkeys((missing_name, *here))
            if value in here
        ][:8]
    return []


def unwrapped(code: Code, node: ast.AST) -> Iterator[Proposal]:
    """A call that should not be: only what it is given, or what it is called on."""
    if not isinstance(node, ast.Call):
        return
    above = code.parent(node)
    if isinstance(above, ast.Expr):
        return
    if node.args and len(node.args) <= 2 and not isinstance(node.args[0], ast.Starred):
        for argument in node.args:
            if not isinstance(argument, ast.GeneratorExp):
                yield Proposal("unwrap-call", code.instead(node, code.said(argument)))
    if isinstance(node.func, ast.Attribute) and not isinstance(node.func.value, ast.Constant):
        yield Proposal("unwrap-method", code.instead(node, code.said(node.func.value)))
    if not node.args and not node.keywords:
        yield Proposal("drop-call", code.instead(node, code.said(node.func)))


def copied(code: Code, node: ast.AST) -> Iterator[Proposal]:
    """What is kept or given away should be a copy, or two will share it."""
    parts: list[ast.expr] = []
    match node:
        case ast.Assign(value=value) | ast.Return(value=ast.expr() as value):
            parts = [value]
        case ast.Call(func=ast.Attribute(attr="append" | "add" | "setdefault"), args=given):
            parts = list(given)
        case ast.For(iter=over):
            parts = [over]
    for part in parts:
        if isinstance(part, ast.Name | ast.Attribute | ast.Subscript):
            said = code.said(part)
            for words in (f"{said}.copy()", f"list({said})", f"dict({said})", f"set({said})", f"{said}[:]"):
                yield Proposal("missing-copy", code.instead(part, words))


def literals(code: Code, node: ast.AST) -> Iterator[Proposal]:
    """An empty list that should hold something, and containers of another kind."""
    if isinstance(node, ast.List | ast.Tuple) and not node.elts and isinstance(node.ctx, ast.Load):
        for words in ("[[]]", "None", "{}", "set()", "[0]", '[""]'):
            yield Proposal("literal", code.instead(node, words))
        for name in code.values_at(node)[:10]:
            yield Proposal("literal-of-variable", code.instead(node, f"[{name}]"))
    elif isinstance(node, ast.Dict) and not node.keys:
        for words in ("[]", "set()", "None"):
            yield Proposal("literal", code.instead(node, words))
    elif (
        isinstance(node, ast.Subscript)
        and isinstance(node.ctx, ast.Load)
        and not isinstance(node.slice, ast.Slice)
    ):
        base, key = code.said(node.value), code.said(node.slice)
        for words in (
            f"{base}.get({key})",
            f"{base}.get({key}, 0)",
            f"{base}.get({key}, [])",
            f'{base}.get({key}, "")',
        ):
            yield Proposal("subscript-to-get", code.instead(node, words))
    elif (
        isinstance(node, ast.Return)
        and isinstance(node.value, ast.expr)
        and not isinstance(node.value, ast.Constant)
    ):
        for name in code.values_at(node)[:10]:
            yield Proposal("return-joined", code.instead(node.value, f"{name} + {code.said(node.value)}"))
            yield Proposal("return-joined", code.instead(node.value, f"{code.said(node.value)} + {name}"))
