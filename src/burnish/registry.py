"""Plugins by folder: `load("contracts", "json-verdict")` takes `make` from contracts/json_verdict.py.

Packages outside Burnish add theirs with entry points of the group `burnish.<folder>`.
"""

from __future__ import annotations

import difflib
import importlib
import pkgutil
from collections.abc import Callable
from functools import cache
from importlib.metadata import EntryPoints, entry_points
from typing import Any

from burnish.errors import UsageError


def names(folder: str) -> list[str]:
    """Every plugin of a folder that offers `make`, as users write it."""
    package = importlib.import_module(f"burnish.{folder}")
    found = {
        module.name.replace("_", "-")
        for module in pkgutil.iter_modules(package.__path__)
        if module.name[0] != "_"
    }
    return sorted(found | {point.name for point in _points(folder)})


def load(folder: str, name: str) -> Callable[..., Any]:
    """The `make` of a plugin; an unknown name is the user's mistake and lists the known ones."""
    known = names(folder)
    if name not in known:
        close = difflib.get_close_matches(name, known, n=1)
        hint = f"did you mean {close[0]!r}?" if close else ""
        raise UsageError(f"unknown {_singular(folder)} {name!r}; known: {', '.join(known)}", hint=hint)
    for point in _points(folder).select(name=name):
        return _maker(point.load())
    return _maker(importlib.import_module(f"burnish.{folder}.{name.replace('-', '_')}").make)


@cache
def _points(folder: str) -> EntryPoints:
    """Asked once: finding them means reading the metadata of everything that is installed."""
    return entry_points(group=f"burnish.{folder}")


def _maker(found: Any) -> Callable[..., Any]:
    make: Callable[..., Any] = found
    return make


def _singular(folder: str) -> str:
    return f"{folder[:-3]}y" if folder.endswith("ies") else folder.removesuffix("s")
