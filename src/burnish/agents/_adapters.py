"""Which CLIs are known: every agent of ours whose file has an ADAPTER."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from burnish import agents
from burnish.agents._adapter import CliAdapter


@cache
def adapters() -> dict[str, CliAdapter]:
    """By name, as users write it."""
    found: dict[str, CliAdapter] = {}
    for module in pkgutil.iter_modules(agents.__path__):
        if module.name[0] == "_":
            continue
        adapter = getattr(importlib.import_module(f"burnish.agents.{module.name}"), "ADAPTER", None)
        if adapter is not None:
            found[adapter.name] = adapter
    return found
