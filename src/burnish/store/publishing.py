"""Telling listeners what was recorded."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack

from burnish.model.events import Recorded
from burnish.ports import Listener


def publish(recorded: Sequence[Recorded], listeners: Sequence[Listener]) -> None:
    """Tell everybody everything in order; what a listener raises is raised when all have been told."""
    with ExitStack() as telling:
        for entry in reversed(recorded):
            for listener in reversed(listeners):
                telling.callback(listener, entry)
