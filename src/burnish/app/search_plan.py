"""What the settings say about repair by search, as its fixer reads it."""

from __future__ import annotations

from burnish import codec
from burnish.config.schema import Settings
from burnish.fixers.search._limits import OPTION as SEARCH
from burnish.fixers.search._limits import Limits

__all__ = ["SEARCH", "search_option"]


def search_option(settings: Settings) -> str:
    """What judges a fix is not edited either, whatever it is called."""
    asked = settings.search
    return codec.encode(Limits(asked.enabled, asked.max_time_s, asked.total_time_s, settings.gate.protect))
