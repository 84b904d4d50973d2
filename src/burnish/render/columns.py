"""Text in columns: how many cells it takes, cut and filled by that; letters of East Asia take two."""

from __future__ import annotations

import re
import unicodedata

_TWO = ("W", "F")
ELLIPSIS = "…"
# Beyond Latin letters and dashes, dots and quotation marks a character has to be looked up.
_UNSURE = re.compile("[^\x00-\u02ff\u2010-\u2027]")


def cells(text: str) -> int:
    if text.isascii() or not _UNSURE.search(text):
        return len(text)
    return sum(map(_cells_of, text))


def _cells_of(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in _TWO else 1


def cut(text: str, most: int) -> str:
    """At most so many cells; what was cut ends in an ellipsis."""
    if len(text) * 2 <= most or cells(text) <= most:
        return text
    if not _UNSURE.search(text):
        return text[: most - 1].rstrip() + ELLIPSIS
    left, kept = most - 1, []
    for character in text:
        left -= _cells_of(character)
        if left < 0:
            break
        kept.append(character)
    return "".join(kept).rstrip() + ELLIPSIS


def filled(text: str, wide: int) -> str:
    """Filled with blanks on the right."""
    return text + " " * (wide - cells(text))
