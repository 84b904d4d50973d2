"""Dotted keys as tables in tables, the way a file holds them."""

from __future__ import annotations

from typing import Any


def nested(key: str, value: Any, into: dict[str, Any] | None = None) -> dict[str, Any]:
    """`task_types.implement.model` as tables in tables, put into those there are."""
    tree = {} if into is None else into
    *tables, name = key.split(".")
    table = tree
    for part in tables:
        table = table.setdefault(part, {})
    table[name] = value
    return tree
