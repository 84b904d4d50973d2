"""The words by which an agent says that there is nothing left to do."""

from __future__ import annotations

STOP_MARKERS = ("no beads available", "no_beads_available", "no tasks available", "no_tasks_available")


def stop_marker(said: str) -> str:
    """The marker in an implementer's or a fixer's own words; empty when there is none.

    Never asked about a reviewer's words: it may quote one.
    """
    lowered = said.lower()
    return next((marker for marker in STOP_MARKERS if marker in lowered), "")
