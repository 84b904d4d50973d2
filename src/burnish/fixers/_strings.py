"""A string that code puts together, as its parts: read from the tree, and written anew in the same shape."""

from __future__ import annotations

import ast
import re
import string
from collections.abc import Sequence
from dataclasses import dataclass, replace

from burnish.fixers._locals import bindings, function_of, readings, value_given
from burnish.fixers._pieces import MOST_CHARS, Part, Piece, Slot, is_literal, joined, pieces_of
from burnish.fixers._python import Edit, Module, NotRepaired
from burnish.fixers._texts import is_text
from burnish.fixers._written import literal

_PERCENT = re.compile(r"%(?:\((?P<name>[^)]*)\))?(?P<flags>[-#0 +]*\d*(?:\.\d+)?)(?P<kind>[a-zA-Z%])")
MOST_PIECES = 200
_FIELD = re.compile(r"\w*")


@dataclass(frozen=True)
class Built:
    """`literal` is what values are put into by `% values` or `.format(...)`, here or where a name was given
    it; a sum has none."""

    node: ast.expr
    pieces: tuple[Piece, ...]
    literal: ast.expr | None = None

    @property
    def parts(self) -> tuple[Part, ...]:
        return tuple(part for piece in self.pieces for part in piece.parts)

    @property
    def slots(self) -> tuple[Slot, ...]:
        return tuple(part for part in self.parts if isinstance(part, Slot))

    @property
    def text(self) -> str:
        return "".join(part for part in self.parts if isinstance(part, str))


def read(module: Module, node: ast.expr) -> Built:
    """The parts of a string; raises NotRepaired for an expression that is put together in another way."""
    built = _read(module, node)
    if len(built.pieces) > MOST_PIECES or len(built.text) > MOST_CHARS:
        raise NotRepaired("it is too long")
    return replace(built, pieces=tuple(_with_texts(module, node, piece) for piece in built.pieces))


def behind(module: Module, node: ast.expr) -> Built:
    """The parts of a sum without its first operand, in the place that they have in the text."""
    _, *rest = _operands(node)
    if len(rest) == 1:
        return read(module, rest[0])
    pieces = tuple(_with_texts(module, node, piece) for one in rest for piece in _operand(module, one))
    if len(pieces) > MOST_PIECES:
        raise NotRepaired("it is too long")
    place = ast.BinOp(rest[0], ast.Add(), rest[-1])
    place.lineno, place.col_offset = rest[0].lineno, rest[0].col_offset
    place.end_lineno, place.end_col_offset = node.end_lineno, node.end_col_offset
    return Built(place, pieces)


def _with_texts(module: Module, node: ast.expr, piece: Piece) -> Piece:
    """Mark the values that are known to be strings."""
    return replace(
        piece,
        parts=tuple(
            replace(part, is_text=part.is_text or is_text(module, part.node, node))
            if isinstance(part, Slot)
            else part
            for part in piece.parts
        ),
    )


def _read(module: Module, node: ast.expr) -> Built:
    if is_literal(node):
        return Built(node, pieces_of(module, node), node)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
        template = _template(module, node.left)
        return Built(node, _percent(module, node, template), template)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return Built(node, tuple(piece for one in _operands(node) for piece in _operand(module, one)))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        if node.func.attr == "format":
            template = _template(module, node.func.value)
            return Built(node, _format(module, node, template), template)
        if node.func.attr == "join" and is_literal(node.func.value):
            return Built(node, _joined(module, node, node.func.value))
    raise NotRepaired("it is not put together here")


def _template(module: Module, node: ast.expr) -> ast.expr:
    """The literal itself, or the one that a name was given which is used nowhere else."""
    if is_literal(node):
        return node
    if isinstance(node, ast.Name) and node in module.parents and len(readings(module.tree, node.id)) == 1:
        own = bindings(function_of(module, node), node.id)
        given = own or bindings(module.tree, node.id)
        value = value_given(module, given[0]) if len(given) == 1 else None
        if isinstance(value, ast.Constant) and is_literal(value):
            return value
    raise NotRepaired("it is not put together here")


def rewritten(module: Module, built: Built, parts: Sequence[Sequence[Part]]) -> list[Edit]:
    """The edits that make it consist of these parts, piece by piece."""
    if built.literal is None:
        return [Edit(module.start(built.node), module.end(built.node), _merged(module, built, parts))]
    elsewhere = not any(one is built.literal for one in ast.walk(built.node))
    if elsewhere and any(isinstance(part, Slot) for one in parts for part in one):
        raise NotRepaired("the values are not known where the text is")
    edits = [
        Edit(piece.start, piece.end, literal(new, piece.quote).replace("\n", module.newline))
        for piece, new in zip(built.pieces, parts, strict=True)
    ]
    return edits + _bare(module, built)


def _bare(module: Module, built: Built) -> list[Edit]:
    """Take away what stands behind the literal: `% values`, `.format(...)`."""
    assert built.literal is not None
    if not any(one is built.literal for one in ast.walk(built.node)):
        name = built.node.left if isinstance(built.node, ast.BinOp) else _receiver(built.node)
        return [Edit(module.start(built.node), module.end(built.node), module.source(name))]
    end, last = module.end(built.literal), module.end(built.node)
    if module.start(built.node) != module.start(built.literal):
        closing = re.compile(r"[\s,]*\)").match(module.text, end)
        if closing is None:
            raise NotRepaired("it is written in an unusual way")
        end = closing.end()
    if "#" in module.text[end:last]:
        raise NotRepaired("a comment stands there")
    return [Edit(end, last, "")] if last > end else []


def _receiver(node: ast.expr) -> ast.expr:
    assert isinstance(node, ast.Call)
    assert isinstance(node.func, ast.Attribute)
    return node.func.value


def _merged(module: Module, built: Built, parts: Sequence[Sequence[Part]]) -> str:
    """A sum as one literal, or as one a line where it had several lines."""
    quote = next((piece.quote for piece in built.pieces if piece.start >= 0), '"')
    if built.node.lineno == built.node.end_lineno or len(quote) > 1:
        return literal([part for one in parts for part in one], quote).replace("\n", module.newline)
    if "#" in module.source(built.node):
        raise NotRepaired("a comment stands there")
    groups: list[tuple[int, list[Part]]] = []
    for piece, new in zip(built.pieces, parts, strict=True):
        line = module.text.count("\n", 0, piece.start) if piece.start >= 0 else -1
        if groups and line in (-1, groups[-1][0]):
            groups[-1][1].extend(new)
        else:
            groups.append((line, list(new)))
    written = [literal(one, quote) for _, one in groups if one]
    margin = re.compile(r"[ \t]*").match(module.text, module.starts[built.node.lineno])
    assert margin is not None
    told = f"{module.newline}{margin[0]}".join(written)
    before = module.text[: module.start(built.node)].rstrip()[-1:]
    return told if before in "(,[" or len(written) == 1 else f"({told})"


def _operands(node: ast.expr) -> list[ast.expr]:
    """Those of a sum, from left to right, however long it is."""
    found: list[ast.expr] = []
    while isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        found.append(node.right)
        node = node.left
    return [node, *reversed(found)]


def _operand(module: Module, node: ast.expr) -> tuple[Piece, ...]:
    try:
        return _read(module, node).pieces
    except NotRepaired:
        return (Piece((Slot(node, module.source(node), is_text=True),)),)


def _percent(module: Module, node: ast.BinOp, template: ast.expr) -> tuple[Piece, ...]:
    right = node.right
    if isinstance(right, ast.Dict):
        named = {
            key.value: value
            for key, value in zip(right.keys, right.values, strict=True)
            if isinstance(key, ast.Constant) and isinstance(key.value, str)
        }
        values: list[ast.expr] = []
    else:
        named, values = {}, list(right.elts) if isinstance(right, ast.Tuple) else [right]
    left = list(values)

    def slot(found: re.Match[str]) -> Part:
        if found["kind"] == "%":
            return "%"
        if found["flags"] or found["kind"] not in "sdi":
            raise NotRepaired("how a value is shown is decided here")
        if found["name"] is None and not left:
            raise NotRepaired("there are fewer values than places")
        value = named.get(found["name"]) if found["name"] is not None else left.pop(0)
        if value is None or isinstance(value, ast.Starred):
            raise NotRepaired("which value is meant cannot be told")
        return Slot(value, module.source(value), spec="" if found["kind"] == "s" else "d")

    pieces = tuple(
        replace(piece, parts=_split(piece.parts, _PERCENT, slot)) for piece in pieces_of(module, template)
    )
    if left:
        raise NotRepaired("there are more values than places")
    return pieces


def _split(parts: tuple[Part, ...], pattern: re.Pattern[str], slot: object) -> tuple[Part, ...]:
    assert callable(slot)
    found: list[Part] = []
    for part in parts:
        if isinstance(part, Slot):
            raise NotRepaired("it is formatted twice")
        at = 0
        for match in pattern.finditer(part):
            found += [part[at : match.start()], slot(match)]
            at = match.end()
        found.append(part[at:])
    return joined(found)


def _format(module: Module, call: ast.Call, template: ast.expr) -> tuple[Piece, ...]:
    count = iter(range(10_000))
    pieces = []
    for piece in pieces_of(module, template):
        parts: list[Part] = []
        if any(isinstance(part, Slot) for part in piece.parts):
            raise NotRepaired("it is formatted twice")
        try:
            fields = list(string.Formatter().parse("".join(map(str, piece.parts))))
        except ValueError:
            raise NotRepaired("its places cannot be read") from None
        for text, name, spec, conversion in fields:
            parts.append(text)
            if name is None:
                continue
            if not _FIELD.fullmatch(name) or "{" in (spec or ""):
                raise NotRepaired("how a value is shown is decided later")
            node, code = _argument(module, call, name or str(next(count)))
            parts.append(Slot(node, code, conversion or "", spec or ""))
        pieces.append(replace(piece, parts=joined(parts)))
    return tuple(pieces)


def _argument(module: Module, call: ast.Call, name: str) -> tuple[ast.expr, str]:
    if not name.isdecimal():
        found = next((one for one in call.keywords if one.arg == name), None)
        if found is None:
            raise NotRepaired("which value is meant cannot be told")
        return found.value, module.source(found.value)
    at = int(name)
    if len(call.args) == 1 and isinstance(spread := call.args[0], ast.Starred):
        if isinstance(spread.value, ast.Name):
            return spread.value, f"{spread.value.id}[{at}]"
    elif at < len(call.args) and not any(isinstance(one, ast.Starred) for one in call.args):
        return call.args[at], module.source(call.args[at])
    raise NotRepaired("which value is meant cannot be told")


def _joined(module: Module, call: ast.Call, between: ast.expr) -> tuple[Piece, ...]:
    """`" ".join(["a", b])` as the sum that it is."""
    if len(call.args) != 1 or not isinstance(listed := call.args[0], ast.List | ast.Tuple):
        raise NotRepaired("it is not put together here")
    if not isinstance(between, ast.Constant) or any(isinstance(one, ast.Starred) for one in listed.elts):
        raise NotRepaired("it is not put together here")
    found: list[Piece] = []
    for one in listed.elts:
        found += ([Piece((str(between.value),))] if found and between.value else []) + list(
            _operand(module, one)
        )
    return tuple(found)
