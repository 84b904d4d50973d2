"""What a function forgot to look at first: empty and missing arguments, what must be refused."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from burnish.fixers._python import Edit
from burnish.fixers.search._code import Code
from burnish.fixers.search.edits._proposal import Proposal

STEP = "    "
MOST_RAISES = 3


def guards(code: Code, node: ast.AST) -> Iterator[Proposal]:
    """At the beginning of a function: an empty or missing argument, answered as it answers elsewhere."""
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return
    first = _first(node)
    if first is None or (indent := code.indent(first)) is None:
        return
    place = code.line_start(first.lineno)
    names = [one.arg for one in node.args.args if one.arg not in ("self", "cls")]
    answers = dict.fromkeys(
        (*_answers(code, node), "[]", "0", "None", "False", '""', "True", "{}", *names[:2])
    )
    for name in names[:3]:
        for test in (
            f"not {name}",
            f"{name} is None",
            f"{name} <= 0",
            f"len({name}) == 0",
            f"{name} == 1",
            f"len({name}) <= 1",
        ):
            for answer in answers:
                text = f"{indent}if {test}:\n{indent}{STEP}return {answer}\n"
                yield Proposal("guard", (Edit(place, place, text),))
    yield from _defaults(code, node, place, indent)


def _first(node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.stmt | None:
    body = node.body
    if len(body) > 1 and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
        body = body[1:]
    return body[0] if body[0].lineno > node.lineno else None


def _answers(code: Code, node: ast.FunctionDef | ast.AsyncFunctionDef) -> list[str]:
    return [
        code.said(one.value)
        for one in ast.walk(node)
        if isinstance(one, ast.Return)
        and isinstance(one.value, ast.Constant | ast.List | ast.Tuple | ast.Name)
        and (not isinstance(one.value, ast.Name) or one.value.id in [arg.arg for arg in node.args.args])
    ][:4]


def _defaults(
    code: Code, node: ast.FunctionDef | ast.AsyncFunctionDef, place: int, indent: str
) -> Iterator[Proposal]:
    """A list or dictionary as default is the same one in every call."""
    with_default = node.args.args[len(node.args.args) - len(node.args.defaults) :]
    for argument, default in zip(with_default, node.args.defaults, strict=True):
        if isinstance(default, ast.List | ast.Dict | ast.Set | ast.Call):
            text = (
                f"{indent}if {argument.arg} is None:\n{indent}{STEP}{argument.arg} = {code.said(default)}\n"
            )
            yield Proposal("mutable-default", (*code.instead(default, "None"), Edit(place, place, text)))


def refusals(code: Code, node: ast.AST) -> Iterator[Proposal]:
    """What should be refused, with an exception that the file raises elsewhere; at first or at last."""
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or (first := _first(node)) is None:
        return
    raises = [code.said(one) for one in ast.walk(code.tree) if isinstance(one, ast.Raise) and one.exc]
    raises = [words for words in dict.fromkeys(raises) if "\n" not in words][:MOST_RAISES]
    last = node.body[-1]
    for place, names in ((first, _parameters(node)), (last, list(code.locals_at(last)))):
        indent = code.indent(place)
        if indent is None or (place is last and (last is first or not isinstance(last, ast.Return))):
            continue
        start = code.line_start(place.lineno)
        for test in _doubts(names[:5]):
            for words in raises:
                yield Proposal(
                    "guard-raise", (Edit(start, start, f"{indent}if {test}:\n{indent}{STEP}{words}\n"),)
                )


def _parameters(node: ast.FunctionDef | ast.AsyncFunctionDef) -> list[str]:
    return [one.arg for one in node.args.args if one.arg not in ("self", "cls")]


def _doubts(names: list[str]) -> Iterator[str]:
    for name in names:
        yield from (f"not {name}", f"{name} < 0", f"{name} <= 0", f"{name} is None")
    for one in names:
        for other in names:
            if one != other:
                yield f"{one} not in {other}"
                yield f"{one} > {other}"
            if one < other:
                yield f"len({one}) != len({other})"
