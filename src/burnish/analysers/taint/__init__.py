"""taint: follows untrusted input through Python code to where it hurts, in a process of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from burnish.analysers._setup import AnalyserSetup
    from burnish.analysers.taint.adapter import Taint


def make(setup: AnalyserSetup) -> Taint:
    """Its own process goes through here too, and starts quicker without what only the caller needs."""
    from burnish.analysers.taint.adapter import made

    return made(setup)
