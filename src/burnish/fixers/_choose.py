"""All fixers that need no model, in the order they are tried."""

from __future__ import annotations

from burnish.ports import CodeFixer
from burnish.process.tool_setup import ToolSetup
from burnish.registry import load, names


def code_fixers(setup: ToolSetup) -> tuple[CodeFixer, ...]:
    return tuple(load("fixers", name)(setup) for name in names("fixers"))
