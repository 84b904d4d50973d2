"""The line of a written review that a person wants to see first."""

from __future__ import annotations

import re
from collections.abc import Iterator

from burnish.contracts._markdown import Layout, Place
from burnish.contracts._text import one_line

_HEADING = re.compile(r" {0,3}#{1,6}[ \t]+(.*)")
_BLOCKERS = re.compile(
    r"must[- ]?fix|block(?:er|ing)|required|issues?\b|findings?\b|problems?\b|critical",
    re.ASCII | re.IGNORECASE,
)
_ITEM = re.compile(
    r" {0,3}(?:[-*+]|\d{1,9}[.)]|#{3,6})[ \t]+(?:\[([ xX])\][ \t]+)?(?:\*\*)?(?:[BM]\d{1,3}[:.)]?[ \t]+)?(.*)"
)
_NOTHING = re.compile(r"(?:none|nothing|n/a|no\b.{0,30})[.!]?$", re.ASCII | re.IGNORECASE)
_LABEL = re.compile(
    r"[\s#*_`>-]*(?:(?:final|overall|review)\s)?(?:verdict|grade)\b", re.ASCII | re.IGNORECASE
)
_MUST_FIX = re.compile(r"[*_\s]*(?:must[- ]?fix|block(?:er|ing))", re.ASCII | re.IGNORECASE)
_PLACE = re.compile(r"\w\.\w{1,8}:\d")
_WORD_ALONE = re.compile(
    r"[\s*_`>-]*(?:PASS|WARN|FAIL|APPROVED|CHANGES_REQUESTED|NEEDS_DISCUSSION)[\s*_`.!]*$"
)
_LINES = 5000
_CHARS = 500


def reason(found: Layout) -> str:
    """The first blocker; else the first item that names a place; else the first line of plain words."""
    first = cited = ""
    in_blockers = False
    for line in _own(found):
        item, heading = _ITEM.match(line), _HEADING.match(line)
        if item and _is_open(item) and in_blockers:
            return one_line(item[2])
        if item and not cited and _PLACE.search(line):
            cited = one_line(item[2])
        if heading:
            in_blockers = bool(_BLOCKERS.search(heading[1]))
        elif not first and not _WORD_ALONE.match(line):
            first = one_line(line)
    return cited or first


def open_blocker(found: Layout) -> str:
    """The first item under a heading that says it must be fixed; empty when there is none."""
    in_blockers = False
    for line in _own(found):
        item, heading = _ITEM.match(line), _HEADING.match(line)
        if in_blockers and item and _is_open(item):
            return one_line(item[2])
        if heading:
            in_blockers = bool(_MUST_FIX.match(heading[1]))
    return ""


def _own(found: Layout) -> Iterator[str]:
    """The reviewer's own lines of text, without the verdict's."""
    for number, whole in enumerate(found.lines[:_LINES]):
        line = whole[:_CHARS]
        if found.places[number] < Place.INDENTED and line.strip() and not _LABEL.match(line):
            yield line


def _is_open(item: re.Match[str]) -> bool:
    """Not ticked off, and not a way to say that there is nothing."""
    said = item[2].strip().strip("*_ ")
    return bool(said) and item[1] not in ("x", "X") and not _NOTHING.match(said)
