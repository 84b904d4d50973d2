"""A writer that goes on because its question was answered, in a step of its own."""

from __future__ import annotations

from burnish.model.change import Change
from burnish.model.history import History


def turn_of(history: History) -> str:
    """The part of the next writing step: named after the answer it follows, empty where there is none."""
    follows = isinstance(history.last, Change) and history.answered
    return f"answer{history.questions}" if follows else ""
