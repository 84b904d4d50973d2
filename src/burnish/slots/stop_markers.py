"""The words by which an agent says that there is nothing left to do."""

from __future__ import annotations

from collections.abc import Iterable

from burnish.model.change import Change, Failure
from burnish.model.review import Review

STOP_MARKERS = ("no beads available", "no_beads_available", "no tasks available", "no_tasks_available")


def stop_marker(said: str) -> str:
    """The marker in some words; empty when there is none."""
    lowered = said.lower()
    return next((marker for marker in STOP_MARKERS if marker in lowered), "")


def heard(facts: Iterable[Change | Failure | Review]) -> str:
    """The marker that an implementer or a fixer of a slot gave without having changed anything.

    A reviewer may quote one, and whoever did its task may mention one: neither ends anything.
    """
    idle = [fact.said for fact in facts if isinstance(fact, Change) and fact.empty]
    return next((marker for said in idle if (marker := stop_marker(said))), "")
