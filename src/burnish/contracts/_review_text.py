"""The line of a written review that a person wants to see first."""

from __future__ import annotations

import re

from burnish.contracts._markdown import Layout, Place
from burnish.contracts._text import one_line

_HEADING = re.compile(r" {0,3}#{1,6}[ \t]+(.*)")
_BLOCKERS = re.compile(
    r"must[- ]?fix|block(?:er|ing)|required|issues?\b|findings?\b|problems?\b|critical",
    re.ASCII | re.IGNORECASE,
)
_ITEM = re.compile(
    r" {0,3}(?:[-*+]|\d{1,9}[.)]|#{3,6})[ \t]+(?:\[[ xX]\][ \t]+)?(?:\*\*)?(?:[BM]\d{1,3}[:.)]?[ \t]+)?(.*)"
)
_NOTHING = re.compile(r"(?:none|nothing|n/a|no\b.{0,30})[.!]?$", re.ASCII | re.IGNORECASE)
_LABEL = re.compile(
    r"[\s#*_`>-]*(?:(?:final|overall|review)\s)?(?:verdict|grade)\b", re.ASCII | re.IGNORECASE
)
_LINES = 5000
_CHARS = 500


def reason(found: Layout) -> str:
    """The first blocker; else the first line that is neither heading nor verdict."""
    first, in_blockers = "", False
    for number, whole in enumerate(found.lines[:_LINES]):
        line = whole[:_CHARS]
        if found.places[number] >= Place.INDENTED or not line.strip() or _LABEL.match(line):
            continue
        item, heading = _ITEM.match(line), _HEADING.match(line)
        if in_blockers and item and item[1].strip() and not _NOTHING.match(item[1].strip()):
            return one_line(item[1])
        if heading:
            in_blockers = bool(_BLOCKERS.search(heading[1]))
        elif not first:
            first = one_line(line)
    return first
