"""Names from outside the tree: what they are, and what is kept on them: `flask.g`, `request[key]`."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from burnish.analysers.taint.memory.values import TAINTED, Cell, External, Origin, Taint, Value, constant, of

if TYPE_CHECKING:
    from burnish.analysers.taint.memory.frame import Frame


def keep(at: Frame, owner: str, name: str, value: Value) -> None:
    """`name` is what stands behind the owner: `.user` or `['user']`."""
    if owner in at.engine.known.state:
        put(at, owner + name, value)


def kept(at: Frame, name: str) -> Value | None:
    found: Value | None = at.engine.state.get(name)
    if found is not None:
        at.engine.known.touched += 1
    return found


def put(at: Frame, name: object, value: Value) -> None:
    """Whoever does that, or reads it, is followed every time."""
    at.engine.known.touched += 1
    at.heap.put(at.engine.state, name, value)


def keyed(key: Value) -> str:
    """What stands behind an owner for an element: with its key where that is known."""
    return f"[{key.const!r}]" if key.is_const else "[]"


def external(at: Frame, name: str, node: ast.AST) -> Value:
    """A name from outside the tree; a source where knowledge says so, or what was put there."""
    there = kept(at, name)
    if there is not None:
        return there
    if name in at.engine.known.constants:
        return constant(at.engine.known.constants[name])
    source = at.engine.known.source(name, called=False)
    given = at.engine.known.gives.get(name, name)
    if source is None:
        return of(External(given))
    cell = Cell(at.file, getattr(node, "lineno", 0), source.what or name, key=("source", name))
    taint = Taint(Origin(source.kind, source.what or name, source.framework), cell, source.clean)
    return Value((taint,), refs=(External(given),), shape=TAINTED, sure=True)


def exact(at: Frame, holder: str, key: Value, node: ast.AST) -> Value | None:
    """One element of something from outside, where more is known of it than of the others."""
    if not key.is_const:
        return None
    names = [holder + keyed(key)]
    if key.text and "_" in key.text:
        names.append(f"{holder}['{key.text.partition('_')[0]}_*']")
    known = at.engine.known
    for name in names:
        if kept(at, name) is not None or known.source(name, called=False) or name in known.gives:
            return external(at, name, node)
    return None


def harmless(at: Frame, value: Value, attribute: str) -> bool:
    """An attribute of something untrusted that is a number, or ours: `upload.size`."""
    names = at.engine.known.harmless
    return any(isinstance(ref, External) and f"{ref.name}.{attribute}" in names for ref in value.refs)


# Where a request, the program's arguments or the environment hold nothing but texts.
_TEXTS = frozenset({
    "args", "form", "values", "cookies", "headers", "GET", "POST", "query_params", "match_info", "environ",
    "argv",
})  # fmt: skip


def holds_texts(value: Value) -> bool:
    """Whether each of its elements is a text, and no list or number as in JSON."""
    return bool(value.refs) and all(
        isinstance(ref, External) and ref.name.rpartition(".")[2] in _TEXTS for ref in value.refs
    )
