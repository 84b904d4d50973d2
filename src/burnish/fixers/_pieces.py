"""The literals of a string and the values in them, each with its own words and its place."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Sequence
from dataclasses import dataclass

from burnish.fixers._python import Module, NotRepaired

MOST_CHARS = 20_000
MOST_PARTS = 200
_PREFIX = re.compile(r"(?i)^([a-z]*)('''|\"\"\"|'|\")")


@dataclass(frozen=True)
class Slot:
    """A value in a string; `is_text` where it cannot be anything but a string."""

    node: ast.expr
    code: str
    conversion: str = ""
    spec: str = ""
    is_text: bool = False

    @property
    def told(self) -> str:
        """As a string, whatever it is."""
        return self.code if self.is_text else f"str({self.code})"

    def __str__(self) -> str:
        """As it stands between braces."""
        return (
            self.code
            + (f"!{self.conversion}" if self.conversion else "")
            + (f":{self.spec}" if self.spec else "")
        )


Part = str | Slot


@dataclass(frozen=True)
class Piece:
    """One literal of the source, or one operand that is none (`start` is -1)."""

    parts: tuple[Part, ...]
    quote: str = '"'
    start: int = -1
    end: int = -1


def is_literal(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def pieces_of(module: Module, node: ast.expr) -> tuple[Piece, ...]:
    """The literals that stand side by side, each with its own quotes."""
    start, source = module.start(node), module.source(node)
    if len(source) > MOST_CHARS:
        raise NotRepaired("it is too long")
    return tuple(_piece(source[first:last], start + first) for first, last in _places(source))


def _places(source: str) -> list[tuple[int, int]]:
    """Where each literal begins and ends. An f-string is one token before Python 3.12, and several since."""
    lines = [0, *(found.end() for found in re.finditer(r"\n", source))]
    found, begun, depth = [], 0, 0
    try:
        # The brackets make line ends harmless; they stand on lines of their own, so that columns stay.
        for token in tokenize.generate_tokens(io.StringIO(f"(\n{source}\n)").readline):
            name = tokenize.tok_name[token.type]
            if "STRING" not in name or name.endswith("MIDDLE"):
                continue
            place = lines[token.start[0] - 2] + token.start[1]
            begun = begun if depth else place
            depth += 1 if name.endswith("START") else -1 if name.endswith("END") else 0
            if not depth:
                found.append((begun, lines[token.end[0] - 2] + token.end[1]))
    except (tokenize.TokenError, SyntaxError, IndexError):
        raise NotRepaired("the string cannot be taken apart") from None
    return found


def _piece(source: str, start: int) -> Piece:
    begin = _PREFIX.match(source)
    try:
        node = ast.parse(source, mode="eval").body
    except (SyntaxError, ValueError):
        raise NotRepaired("the string cannot be taken apart") from None
    if begin is None:
        raise NotRepaired("the string cannot be taken apart")
    parts: list[Part] = []
    found = node.values if isinstance(node, ast.JoinedStr) else [node]
    if len(found) > MOST_PARTS:
        raise NotRepaired("it is too long")
    for one in found:
        if isinstance(one, ast.FormattedValue):
            parts.append(_formatted(source, one))
        elif isinstance(one, ast.Constant) and isinstance(one.value, str):
            parts += [one.value] if one.value else []
        else:
            raise NotRepaired("it is no text")
    return Piece(tuple(parts), begin[2], start, start + len(source))


def _formatted(source: str, node: ast.FormattedValue) -> Slot:
    spec = ""
    if isinstance(node.format_spec, ast.JoinedStr):
        if not all(isinstance(one, ast.Constant) for one in node.format_spec.values):
            raise NotRepaired("how a value is shown is decided later")
        spec = "".join(str(one.value) for one in node.format_spec.values if isinstance(one, ast.Constant))
    conversion = chr(node.conversion) if node.conversion > 0 else ""
    return Slot(node.value, _source_of(source, node.value), conversion, spec)


def _source_of(source: str, node: ast.expr) -> str:
    """Its own words; before Python 3.12 the places of what stands in an f-string cannot be trusted."""
    told = ast.get_source_segment(source, node) or ""
    try:
        if ast.dump(ast.parse(told.strip(), mode="eval").body) == ast.dump(node):
            return told.strip()
    except (SyntaxError, ValueError):
        pass
    return ast.unparse(node)


def joined(parts: Sequence[Part]) -> tuple[Part, ...]:
    """Without empty text, and with text beside text as one."""
    found: list[Part] = []
    for part in parts:
        if isinstance(part, str) and found and isinstance(last := found[-1], str):
            found[-1] = last + part
        elif part:
            found.append(part)
    return tuple(part for part in found if part)
