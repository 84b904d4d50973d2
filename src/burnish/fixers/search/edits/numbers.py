"""Numbers and other constants: one more or less, bounds of ranges, slices and indices, those used nearby."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from burnish.fixers._python import Edit
from burnish.fixers.search._code import Code
from burnish.fixers.search._roles import unused
from burnish.fixers.search.edits._proposal import Proposal

MOST_OTHERS = 10
IN_TABLE = 0.4
# Numbers that code is full of, by how full.
USUAL = {0: 2.0, 1: 2.0, -1: 1.0, 2: 1.0, 10: 0.7, 60: 0.4, 100: 0.6, 1000: 0.4}


def constant(code: Code, node: ast.AST) -> Iterator[Proposal]:
    if not isinstance(node, ast.Constant) or _is_text_only(code, node):
        return
    value = node.value
    if isinstance(value, bool):
        kind = "boolean-answer" if isinstance(code.parent(node), ast.Return) else "boolean-constant"
        yield Proposal(kind, code.instead(node, str(not value)))
        yield Proposal("constant-kind", code.instead(node, "None"))
    elif isinstance(value, int):
        yield Proposal("off-by-one", code.instead(node, str(value + 1), tight=True))
        yield Proposal("off-by-one", _less(code, node, value))
        for other, likely in USUAL.items():
            if other not in (value, value - 1, value + 1):
                yield Proposal("constant", code.instead(node, str(other)), likely)
        for other in (value * 10, value // 10, -value):
            if other != value:
                yield Proposal("constant-scaled", code.instead(node, str(other)))
        yield Proposal("constant-kind", code.instead(node, "None"))
        if value == 0:
            yield Proposal("constant-kind", code.instead(node, 'float("inf")'))
    elif isinstance(value, float):
        for changed in (
            value * 10,
            value / 10,
            value * 100,
            value / 100,
            -value,
            value + 1,
            value - 1,
            value / 2,
            value * 2,
        ):
            yield Proposal("constant-scaled", code.instead(node, repr(changed)))
    elif value is None:
        for words in ("[]", "0", "{}", '""', "False", "True"):
            yield Proposal("constant-kind", code.instead(node, words))
    yield from _others(code, node)


def _less(code: Code, node: ast.Constant, value: int) -> tuple[Edit, ...]:
    """One less; nobody writes `x - 0`."""
    above = code.parent(node)
    summed = isinstance(above, ast.BinOp) and isinstance(above.op, ast.Add | ast.Sub)
    if value == 1 and isinstance(above, ast.BinOp) and summed and above.right is node:
        return code.instead(above, code.said(above.left))
    return code.instead(node, str(value - 1), tight=value > 0)


def variable_meant(code: Code, node: ast.AST) -> Iterator[Proposal]:
    """A constant where a variable was meant."""
    if not isinstance(node, ast.Constant) or _is_text_only(code, node) or code.function(node) is None:
        return
    around = code.function(node)
    idle = unused(code, around) if around else frozenset()
    for name in code.values_at(node)[:MOST_OTHERS]:
        yield Proposal("constant-to-variable", code.instead(node, name), 3.0 if name in idle else 1.0)


def _is_text_only(code: Code, node: ast.Constant) -> bool:
    """A docstring, or a piece of an f-string, whose place is not its own."""
    above = code.parent(node)
    return isinstance(above, ast.Expr | ast.JoinedStr | ast.FormattedValue)


def _others(code: Code, node: ast.Constant) -> Iterator[Proposal]:
    """Constants of the same type that are used in the function, or else in the file."""
    near = _constants(code, code.function(node) or code.tree, node)
    far = _constants(code, code.tree, node)
    likely = IN_TABLE if _in_table(code, node) else 1.0
    for words in near[:MOST_OTHERS]:
        yield Proposal("constant-from-nearby", code.instead(node, words), likely)
    for words in [one for one in far if one not in near][:MOST_OTHERS]:
        yield Proposal("constant-from-file", code.instead(node, words), likely)
    if isinstance(node.value, str):
        for words in ('""', '" "', '"\\n"', '", "', '"."', '"-"', '"_"', '","', '"0"', '":"', '"/"'):
            yield Proposal("string-constant", code.instead(node, words))
        if node.value.strip() != node.value and node.value.strip():
            yield Proposal("string-near", code.instead(node, repr(node.value.strip())))
        for changed in (node.value + " ", node.value.upper(), node.value.lower(), node.value.capitalize()):
            if changed != node.value and len(node.value) < 40:
                yield Proposal("string-near", code.instead(node, repr(changed)))


def _in_table(code: Code, node: ast.Constant) -> bool:
    """Whether it is an entry among others: these are rarely wrong, and tests look at few of them."""
    above = code.parent(node)
    parts = above.values if isinstance(above, ast.Dict) else getattr(above, "elts", [])
    return len(parts) > 2 and all(isinstance(one, ast.Constant) for one in parts)


def _constants(code: Code, around: ast.AST, node: ast.Constant) -> list[str]:
    found = [
        code.said(one)
        for one in ast.walk(around)
        if isinstance(one, ast.Constant)
        and type(one.value) is type(node.value)
        and one.value != node.value
        and not _is_text_only(code, one)
        and len(str(one.value)) < 60
    ]
    return list(dict.fromkeys(found))


def ends(code: Code, node: ast.AST) -> Iterator[Proposal]:
    """The first for the last, and the other way."""
    if isinstance(node, ast.Subscript) and not isinstance(node.slice, ast.Slice | ast.Tuple):
        said = code.said(node.slice)
        if said in ("0", "-1"):
            yield Proposal("other-end", code.instead(node.slice, "-1" if said == "0" else "0"))


def by_one(code: Code, node: ast.AST) -> Iterator[Proposal]:
    """An index, a bound, an argument, a side of a comparison, a result: one more, one less."""
    for kind, part in _countable(node):
        if isinstance(part, ast.Constant) or not isinstance(
            part, ast.Name | ast.Call | ast.BinOp | ast.Attribute | ast.Subscript
        ):
            continue
        said = code.said(part)
        loose = (
            f"({said})"
            if isinstance(part, ast.BinOp)
            and not isinstance(part.op, ast.Add | ast.Sub | ast.Mult | ast.FloorDiv)
            else said
        )
        for more in (1, -1):
            words = _summed(code, part, more) or _plus(loose, more)
            likely = _one_sided(node) * _of_recursion(code, node) * (2.0 if said.startswith("len(") else 1.0)
            yield Proposal(kind, code.instead(part, words), likely)


def _one_sided(node: ast.AST) -> float:
    """One more on one side of what treats its sides alike is rarely meant."""
    alike = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("max", "min")
    return 0.4 if alike else 1.0


def _of_recursion(code: Code, node: ast.AST) -> float:
    """What a function makes of its own results often lacks its own share."""
    around = code.function(node)
    own = (
        isinstance(node, ast.Return)
        and around is not None
        and any(
            isinstance(one, ast.Call) and isinstance(one.func, ast.Name) and one.func.id == around.name
            for one in ast.walk(node)
        )
    )
    return 2.5 if own else 1.0


def _summed(code: Code, part: ast.expr, more: int) -> str:
    """`x + 1` and one less is `x`; empty where no number stands at the end."""
    match part:
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as op, right=ast.Constant(value=int(number))):
            total = (number if isinstance(op, ast.Add) else -number) + more
            return _plus(code.said(left), total) if total else code.said(left)
    return ""


def _plus(said: str, number: int) -> str:
    return f"{said} {'+' if number > 0 else '-'} {abs(number)}"


def _countable(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    match node:
        case ast.Subscript(slice=ast.Slice() as bounds):
            yield from (("off-by-one-bound", one) for one in (bounds.lower, bounds.upper) if one)
        case ast.Subscript(slice=ast.Tuple(elts=parts)):
            yield from (("off-by-one-index", one) for one in parts)
        case ast.Subscript(slice=index):
            yield "off-by-one-index", index
        case ast.Call(func=ast.Name(id="range"), args=parts):
            yield from (("off-by-one-bound", one) for one in parts)
        case ast.Call(args=parts):
            yield from (("off-by-one-argument", one) for one in parts)
        case ast.Compare(left=left, comparators=rights):
            yield from (("off-by-one-side", one) for one in (left, *rights))
        case ast.Return(value=ast.Tuple(elts=parts)) | ast.Assign(value=ast.Tuple(elts=parts)):
            yield from (("off-by-one-value", one) for one in parts)
        case ast.Return(value=ast.expr() as value) | ast.Assign(value=value) | ast.AugAssign(value=value):
            yield "off-by-one-value", value
        case ast.BinOp(op=ast.Mult() | ast.FloorDiv() | ast.Mod(), left=left, right=right):
            yield "off-by-one-argument", left
            yield "off-by-one-argument", right


def bounds(code: Code, node: ast.AST) -> Iterator[Proposal]:
    """Bounds of slices and ranges added and taken away."""
    match node:
        case ast.Subscript(slice=ast.Slice(lower=lower, upper=upper, step=step) as part):
            low, high = (code.said(one) if one else "" for one in (lower, upper))
            tail = f":{code.said(step)}" if step else ""
            wanted = [f":{high}{tail}", f"{low}:{tail}"]
            if not low:
                wanted += [f"1:{high}{tail}"]
            if not high:
                wanted += [f"{low}:-1{tail}"]
            wanted += [f"{high}:{low}{tail}"]
            wanted += [f"{low}:{high}"] if step else [f"{low}:{high}:-1", f"{low}:{high}:2"]
            for words in wanted:
                yield Proposal("slice-bound", _slice(code, node, part, words))
        case ast.Call(func=ast.Name(id="range"), args=[only]):
            yield Proposal("range-bound", code.instead(only, f"1, {code.said(only)}", tight=True))
            yield Proposal("range-bound", code.instead(only, f"1, {code.said(only)} + 1", tight=True))
        case ast.Call(func=ast.Name(id="range"), args=[first, second]):
            said = code.said(second)
            yield Proposal("range-bound", code.instead(second, f"{said}, -1", tight=True))
            yield Proposal("range-bound", (Edit(code.start(first), code.end(second), said),))
            yield Proposal(
                "range-bound", (Edit(code.start(first), code.end(second), f"{said}, {code.said(first)}, -1"),)
            )
        case ast.Call(func=ast.Name(id="range"), args=[_, second, third]):
            yield Proposal("range-bound", (Edit(code.end(second), code.end(third), ""),))


def _slice(code: Code, node: ast.Subscript, part: ast.Slice, words: str) -> tuple[Edit, ...]:
    """An empty slice has no place of its own, so all between the brackets is written anew."""
    inside = code.text[code.end(node.value) : code.end(node)]
    opening = inside.find("[")
    if opening < 0 or "#" in inside:
        return ()
    start = code.end(node.value) + opening + 1
    return (Edit(start, code.end(node) - 1, words),)


def sliced(code: Code, node: ast.AST) -> Iterator[Proposal]:
    """A part of a sequence instead of all of it: what is looped over, passed or returned."""
    parts: list[ast.expr] = []
    match node:
        case ast.For(iter=over) | ast.comprehension(iter=over):
            parts = [over]
        case ast.Call(args=given):
            parts = list(given)
        case ast.Return(value=ast.expr() as value) | ast.Assign(value=value):
            parts = [value]
    for part in parts:
        if not isinstance(part, ast.Name | ast.Attribute | ast.Subscript):
            continue
        said = code.said(part)
        for words in ("1:", ":-1", "::-1"):
            yield Proposal("slice-added", code.instead(part, f"{said}[{words}]"))
        for name in code.values_at(node)[:8]:
            if name != said:
                yield Proposal("slice-added-variable", code.instead(part, f"{said}[{name}:]"))
                yield Proposal("slice-added-variable", code.instead(part, f"{said}[:{name}]"))
        for index in ("0", "-1"):
            yield Proposal("index-added", code.instead(part, f"{said}[{index}]"))
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        yield Proposal("index-dropped", code.instead(node, code.said(node.value)))
