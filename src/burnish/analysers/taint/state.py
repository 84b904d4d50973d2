"""What is kept on objects from outside the tree: `flask.g`, `request.state`, `request[key]`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from burnish.analysers.taint.values import Value

if TYPE_CHECKING:
    from burnish.analysers.taint.frame import Frame


def keep(at: Frame, owner: str, name: str, value: Value) -> None:
    """`name` is what stands behind the owner: `.user` or `['user']`."""
    if owner in at.engine.known.state:
        at.heap.put(at.engine.state, owner + name, value)


def kept(at: Frame, name: str) -> Value | None:
    found: Value | None = at.engine.state.get(name)
    return found


def keyed(key: Value) -> str:
    """What stands behind an owner for an element: with its key where that is known."""
    return f"[{key.const!r}]" if key.is_const else "[]"
