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
# The whole content of a section that lists nothing.
_NOTHING = re.compile(
    r"(?:there (?:are|is|were|was) )?(?:currently )?(?:none|nothing|n/?a|nil|empty|-+|—|–"
    r"|no (?:[\w-]+ ){0,4}(?:issues?|findings?|problems?|blockers?|items?|changes?|concerns?|defects?))"
    r"(?: (?:here|found|remain(?:s|ing)?|left|identified|outstanding|needed|required|at this time|open"
    r"|must be fixed|to fix|to report|to address))*(?: \((?:all|every|earlier|previous)[^()]{0,80}\))?",
    re.ASCII | re.IGNORECASE,
)
_DONE = re.compile(r"(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[xX]\][ \t]|~~)")
_LABEL = re.compile(
    r"[\s#*_`>-]*(?:(?:final|overall|review)\s)?(?:verdict|grade)\b", re.ASCII | re.IGNORECASE
)
# A heading that says so and nothing else: "Must-Fix from the last review" is about something else.
_MUST_FIX = re.compile(
    r"\W*(?:must[- ]?(?:be )?fix(?:ed)?|blockers?|blocking|required changes?|changes? (?:required|requested)"
    r"|(?:to do |needed |required )?before (?:merg|land|releas|shipp|deploy)\w*(?: this)?"
    r"|action (?:items|required)|to-?dos?"
    r"|(?:open|outstanding|remaining|unresolved) (?:issues|points|questions|work|problems|items)"
    r"|to (?:be )?fix(?:ed)?|fix(?:es)? required|critical|show-?stoppers?)"
    r"(?: (?:items?|issues?|findings?|problems?|list))?\W*(?:\d+\W*)?$",
    re.ASCII | re.IGNORECASE,
)
_INLINE = re.compile(
    r"[\s>*_+-]*(?:must[- ]?fix|blockers?|blocking(?: issues?)?|required changes?)[\s*_]*:[\s*_]*(\S.*)",
    re.A | re.I,
)
_BOLD_HEADING = re.compile(r" {0,3}(?:\*\*|__)([^*_]{1,60})(?:\*\*|__):?\s*$|([\w -]{1,60}):\s*$")
_RULE = re.compile(r" {0,3}(?:[-*_][ \t]*){3,}$")
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


def open_blocker(found: Layout, label: str) -> str:
    """The first words under a heading that says it must be fixed; empty when it lists nothing.

    Whatever stands there counts, quoted or not, unless the section is empty, says "None." or is ticked off.
    """
    level = 0
    for number, whole in enumerate(found.lines):
        line = whole[:_CHARS]
        heading = _heading(line) if found.places[number] < Place.INDENTED else None
        if not line.strip() or _RULE.match(line):
            continue
        if heading and (not level or heading[0] <= level):
            level = heading[0] if _MUST_FIX.match(heading[1]) else 0
        elif _LABEL.match(line) and label in line.casefold():
            level = 0
        elif inline := _INLINE.match(line):
            if not _says_nothing(inline[1]):
                return one_line(inline[1])
        elif level and not _says_nothing(line) and not _DONE.match(line.strip()):
            return one_line(line) or line.strip()
    return ""


def _says_nothing(line: str) -> bool:
    plain = re.sub(r"^[\s>]*(?:(?:[-*+]|\d{1,9}[.)])\s+)?", "", line).strip(" \t*_.!")
    plain = plain[1:-1].strip(".") if plain.startswith("(") and plain.endswith(")") else plain
    return not plain or _NOTHING.fullmatch(plain) is not None


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
    done = item[1] in ("x", "X") or item[2].strip().startswith("~~")
    return bool(item[2].strip()) and not done and not _says_nothing(item[2])
