"""Which fixers there are, in the order in which they are tried."""

from __future__ import annotations

from burnish.fixers import codemods, formatter, oxlint_fix, ruff_fix, search
from burnish.ports import CodeFixer
from burnish.process.tool_setup import ToolSetup


def code_fixers(setup: ToolSetup) -> tuple[CodeFixer, ...]:
    """Our own rewrites know most about a defect, so they come first; the unsafe ones (on request) last.

    What they leave is formatted where the repository is (see `formatter.style_of`).
    """
    found: tuple[CodeFixer, ...] = (
        codemods.make(setup),
        ruff_fix.make(setup),
        oxlint_fix.make(setup),
        codemods.make_unsafe(setup),
        ruff_fix.make_unsafe(setup),
    )
    style = formatter.style_in(setup)
    if style is not None:
        found = tuple(formatter.Formatted(fixer, setup, style) for fixer in found)
    # What a test says is nobody else's, and takes long. Its edits are small and are left as they are.
    return (*found, search.make(setup))
