"""How long something may take, as people write it: `90s`, `30m`, `2h`."""

from __future__ import annotations

import re

from burnish.errors import UsageError

_WRITTEN = re.compile(r"([0-9]{1,9}(?:\.[0-9]{1,6})?)([smhd])", re.A)
_UNITS = {"s": 1.0, "m": 60.0, "h": 3600.0, "d": 86_400.0}
LONGEST_S = 366 * 86_400.0
SHOWN_CHARS = 40


def duration_s(text: str) -> float:
    """Seconds; raises UsageError with what would be understood."""
    found = _WRITTEN.fullmatch(text.strip())
    seconds = float(found[1]) * _UNITS[found[2]] if found else 0.0
    if not 0 < seconds <= LONGEST_S:
        shown = ascii(text[:SHOWN_CHARS]) + ("..." if len(text) > SHOWN_CHARS else "")
        raise UsageError(
            f"expected a duration such as 90s, 30m or 2h, found {shown}",
            hint="a number and s, m, h or d; up to 366d",
        )
    return seconds


def in_words(seconds: float) -> str:
    """`45s`, `12m`, `2h 05m`: short, rounded to what a person wants to know."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole}s"
    if whole < 3600:
        return f"{whole // 60}m {whole % 60:02}s" if whole < 600 else f"{round(whole / 60)}m"
    minutes = round(whole / 60)
    return f"{minutes // 60}h {minutes % 60:02}m"
