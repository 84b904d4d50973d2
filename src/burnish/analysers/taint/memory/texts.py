"""Texts put together: sums, f-strings, `text % values`; each keeps its shape, and what is proved of it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable

from burnish.analysers.taint.memory.frame import Arguments, Frame
from burnish.analysers.taint.memory.inside import parts
from burnish.analysers.taint.memory.proofs import OF_A_NUMBER, Proof, together
from burnish.analysers.taint.memory.things import Obj
from burnish.analysers.taint.memory.values import (
    HARMLESS,
    HOLE,
    TAINTED,
    UNKNOWN,
    External,
    Taint,
    Value,
    capped,
    constant,
    of,
)

MAX_TEXT = 2000
_NUMERIC = re.compile(r"^[^sS]?.*[bcdoxXneEfFgG%]$")
_PERCENT = re.compile(r"%(?:\((\w+)\))?[-#0 +]*(?:\d+|\*)?(?:\.\d+)?([a-zA-Z%])")
# Without a width or flags, which would put in other characters.
_PLAIN = re.compile(r"%(?:s|%|0\d+d|(?:\.\d+)?[dixXfFeE])")
# The same in a format: digits, and what belongs to a number.
_DIGITS_ONLY = re.compile(r"0\d+[dxX]|(?:\.\d+)?[fFeE]|[dxXob]")
_NUMBERS = "diouxXeEfFgG"
Row = list[tuple[re.Match[str], Value]]


def concatenated(at: Frame, left: Value, right: Value, node: ast.AST) -> Value:
    if left.is_const and right.is_const and isinstance(left.const, str) and isinstance(right.const, str):
        whole = left.const + right.const
        return constant(whole) if len(whole) <= MAX_TEXT else Value(shape=capped(whole), sure=True)
    taints = at.passed(left, right, node=node)
    shape, proof = capped(left.shape + right.shape), side_by_side(at, (left, right))
    return Value(taints, None, (), shape, left.seen and right.seen, proof=proof)


def side_by_side(at: Frame, values: Iterable[Value]) -> Proof | None:
    """What is proved of texts put together; of a list, a path or an object put into a text nothing is."""
    return together(at.heap.proof(value) if is_text(value) else None for value in values)


def is_text(value: Value) -> bool:
    """Whether nothing of the tree would be asked for its text: a list puts quotes around what lies in it."""
    return all(
        isinstance(ref, External) or (isinstance(ref, Obj) and ref.kind == "encoded") for ref in value.refs
    )


def text_of(at: Frame, value: Value, node: ast.AST) -> Value:
    """`str(value)`: what a class of the tree says, else all that lies inside."""
    for ref in value.refs:
        if isinstance(ref, Obj) and ref.cls is not None:
            for name in ("__str__", "__repr__", "__format__"):
                if ref.cls.find(name):
                    method = at.engine.attribute(at, of(ref), name, node)
                    return at.engine.call(at, method, Arguments([UNKNOWN] * (name == "__format__")), node)
    return parts(value)


def hole(value: Value) -> str:
    """What stands for a value inside a text."""
    if value.is_const and not value.refs:
        return capped(str(value.const))
    if value.taints and TAINTED not in value.shape:
        return TAINTED
    return value.shape if value.shape.strip(HOLE) else HOLE


def formatted(at: Frame, value: Value, spec: str | None, conversion: str, node: ast.AST) -> Value:
    """`{value!r:>10}` of an f-string. A number's format takes no text."""
    if spec and _NUMERIC.match(spec) and not conversion:
        if value.seen and not value.taints:
            return HARMLESS
        return number_of(value, OF_A_NUMBER if _DIGITS_ONLY.fullmatch(spec) else None)
    whole = text_of(at, value, node)
    if conversion in ("r", "a"):
        return Value(_cleaned(whole.taints, "log"), None, (), hole(whole), whole.seen)
    if value.consts is not None and not value.refs and not spec:
        consts = tuple(str(const) for const in value.consts)
        return Value((), consts, (), consts[0] if len(consts) == 1 else HOLE, sure=True)
    proof = at.heap.proof(value) if not spec and is_text(value) else None
    return Value(whole.taints, None, (), hole(whole), whole.seen, proof=proof)


def number_of(value: Value, proof: Proof | None = OF_A_NUMBER) -> Value:
    """Nothing of a client is left in a number; one that can be guessed still can.

    A format may pad it with what is no number, and a class may format itself as it likes: `proof` is None.
    """
    weak = tuple(taint for taint in value.taints if taint.origin.kind == "weak")
    return Value(weak, shape=TAINTED, sure=True) if weak else Value(proof=proof)


def _cleaned(taints: tuple[Taint, ...], flaw: str) -> tuple[Taint, ...]:
    return tuple(Taint(t.origin, t.cell, t.clean | {flaw}, t.doubts) for t in taints)


def filled(at: Frame, left: Value, right: Value, node: ast.AST) -> Value:
    ref = right.refs[0] if len(right.refs) == 1 else None
    items = ref.items() if isinstance(ref, Obj) and ref.kind == "tuple" else None
    given = list(items) if items is not None else [right]
    used: list[Value] = []
    row: Row = []

    def fill(match: re.Match[str]) -> str:
        if match[2] == "%":
            row.append((match, constant("%")))
            return "%"
        if match[1] and isinstance(ref, Obj):
            value = ref.at(match[1])
        else:
            value = given[len(used)] if len(used) < len(given) else UNKNOWN
        whole = text_of(at, value, node)
        number = match[2] in _NUMBERS
        used.append(number_of(whole) if number else whole)
        row.append((match, used[-1] if number else value))
        return HOLE if number else hole(whole)

    shape = _PERCENT.sub(fill, left.shape if left.text is None else left.text)
    # What has no field, as far as the text is known, may have one further on.
    used += (
        [parts(one) for one in given[len(used) :] if not (row and row[-1][0][1])] if left.text is None else []
    )
    used = used or [parts(right)]
    sure = left.seen and all(value.seen for value in used)
    proof = _proof(at, left.text, row)
    return Value(at.passed(left, *used, node=node), None, (), capped(shape), sure, proof=proof)


def _proof(at: Frame, text: str | None, row: Row) -> Proof | None:
    """Only of a text that is written out, with plain fields."""
    if text is None or not all(_PLAIN.fullmatch(match[0]) for match, _ in row):
        return None
    return interleaved(at, text, row)


def interleaved(at: Frame, text: str, row: Row) -> Proof | None:
    """A text with each value where its field was."""
    found: list[Value] = []
    end = 0
    for match, value in row:
        found += [constant(text[end : match.start()]), value]
        end = match.end()
    return side_by_side(at, [*found, constant(text[end:])])
