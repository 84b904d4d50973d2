"""Values in a string that get a function around them, with the rest of the string left as it is."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from burnish.fixers._pieces import Part, Slot
from burnish.fixers._python import Edit, Module, NotRepaired
from burnish.fixers._strings import Built, rewritten


def wrapped(module: Module, built: Built, wrap: Callable[[Slot, str], Slot | None]) -> list[Edit]:
    """`wrap` is asked for each value with the text before it, and answers None where the value stays."""
    before, changed = "", 0
    parts: list[list[Part]] = []
    for piece in built.pieces:
        mine: list[Part] = []
        for part in piece.parts:
            new = wrap(part, before) if isinstance(part, Slot) else None
            changed += new is not None
            mine.append(part if new is None else new)
            before += part if isinstance(part, str) else "\0"
        parts.append(mine)
    if not changed:
        raise NotRepaired("there is nothing to escape")
    return in_place(module, built, parts)


def in_place(module: Module, built: Built, parts: Sequence[Sequence[Part]]) -> list[Edit]:
    """Only the values are touched where nothing else changes; else the whole text is written anew."""
    old = [part for piece in built.pieces for part in piece.parts]
    new = [part for piece in parts for part in piece]
    texts = [[part for part in one if isinstance(part, str)] for one in (old, new)]
    if isinstance(built.node, ast.JoinedStr) or texts[0] != texts[1] or len(old) != len(new):
        return rewritten(module, built, parts)
    edits = []
    for one, other in zip(old, new, strict=True):
        if isinstance(one, Slot) and isinstance(other, Slot) and one.code != other.code:
            if (
                one.node not in module.parents
                or module.source(one.node) != one.code
                or in_text(module, one.node)
            ):
                return rewritten(module, built, parts)
            edits.append(Edit(module.start(one.node), module.end(one.node), other.code))
    return edits


def in_text(module: Module, node: ast.AST) -> bool:
    return any(isinstance(parent, ast.JoinedStr) for parent in module.above(node))


def calling(slot: Slot, function: str) -> Slot:
    """The value in a call of a function that takes a string."""
    if slot.conversion not in ("", "s") or slot.spec not in ("",):
        raise NotRepaired("how a value is shown is decided here")
    return Slot(slot.node, f"{function}({slot.told})", is_text=True)
