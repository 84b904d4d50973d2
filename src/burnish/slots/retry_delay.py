"""How long to wait before the next try, read from what a failed agent printed."""

from __future__ import annotations

import re

# Longer than this nobody waits without being asked.
LONGEST_S = 24 * 3600.0
_KEYS = re.compile(
    r"\b(?:resets_in_seconds|reset_seconds|retry_after_seconds)\b[\"']?[ \t]{0,9}[:=][ \t]{0,9}[\"']?"
    r"([0-9]{1,9}(?:\.[0-9]{1,9})?)",
    re.I | re.A,
)
_WORDS = re.compile(
    r"\b(?:try(?:ing)? again|retry(?:ing)?)\b[^\n0-9]{0,80}([0-9]{1,9}(?:\.[0-9]{1,9})?)[ \t]{0,9}"
    r"(seconds?|secs?|s|minutes?|mins?|m)\b",
    re.I | re.A,
)


def retry_delay_s(output: str) -> float | None:
    """The longest delay that the output names; None when it names none, or one that nobody would wait for."""
    found = [float(number) for number in _KEYS.findall(output)]
    found += [
        float(number) * (60 if unit.lower().startswith("m") else 1) for number, unit in _WORDS.findall(output)
    ]
    longest = max(found, default=None)
    return longest if longest is not None and longest <= LONGEST_S else None
