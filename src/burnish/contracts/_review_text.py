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
_NOTHING = re.compile(
    r"(?:there (?:are|is) )?(?:none\b|nothing\b|n/a\b"
    r"|no (?:[\w-]+ ){0,3}(?:issues?|findings?|problems?|blockers?|items?)\b)",
    re.ASCII | re.IGNORECASE,
)
_LABEL = re.compile(
    r"[\s#*_`>-]*(?:(?:final|overall|review)\s)?(?:verdict|grade)\b", re.ASCII | re.IGNORECASE
)
# A heading that says so and nothing else: "Must-Fix from the last review" is about something else.
_MUST_FIX = re.compile(
    r"(?:\W*)(?:must[- ]?fix|blockers?|blocking)(?: (?:items?|issues?|findings?|problems?))?\W*(?:\d+\W*)?$",
    re.ASCII | re.IGNORECASE,
)
_BOLD_HEADING = re.compile(r" {0,3}(?:\*\*|__)([^*_]{1,60})(?:\*\*|__):?\s*$|([\w -]{1,60}):\s*$")
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
    level = 0
    for line in _own(found):
        heading = _heading(line)
        item = _ITEM.match(line)
        if heading and (not level or heading[0] <= level):
            level = heading[0] if _MUST_FIX.match(heading[1]) else 0
        elif level and item and _is_open(item):
            return one_line(item[2])
    return ""


def _heading(line: str) -> tuple[int, str] | None:
    """Its depth and its words; a bold line or one that ends with a colon counts as the deepest."""
    if marked := _HEADING.match(line):
        return len(line) - len(line.lstrip(" #")) - (len(line) - len(line.lstrip(" "))), marked[1]
    if bold := _BOLD_HEADING.match(line):
        return 9, bold[1] or bold[2]
    return None


def _own(found: Layout) -> Iterator[str]:
    """The reviewer's own lines of text, without the verdict's."""
    for number, whole in enumerate(found.lines[:_LINES]):
        line = whole[:_CHARS]
        if found.places[number] < Place.INDENTED and line.strip() and not _LABEL.match(line):
            yield line


def _is_open(item: re.Match[str]) -> bool:
    """Not ticked off, and not a way to say that there is nothing."""
    said = item[2].strip().strip("*_( ")
    done = item[1] in ("x", "X") or said.startswith("~~")
    return bool(said) and not done and not _NOTHING.match(said)
