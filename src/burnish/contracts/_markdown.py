"""Which lines of a Markdown text are the writer's own, and which are quoted.

Where Markdown leaves doubt, a line counts as quoted: a verdict that was really given costs one more question,
a quoted one that passes costs the guarantee.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass, field
from enum import IntEnum
from itertools import accumulate

from burnish.contracts._inline import TooBusy, spans

MAX_LINES = 50_000


class Place(IntEnum):
    """SOFT may be quoted (after an unclosed fence, in a collapsed section): it can deny, never approve."""

    LIVE = 0
    SOFT = 1
    INDENTED = 2
    QUOTED = 3


@dataclass(frozen=True)
class Fence:
    """A fenced block: its info string and the lines between the fences (`end` is exclusive)."""

    info: str
    first: int
    end: int
    top_level: bool


@dataclass
class Layout:
    """Lines and where each stands."""

    lines: list[str]
    places: bytearray
    fences: list[Fence] = field(default_factory=list)

    def offsets(self) -> list[int]:
        """Where each line begins in the text."""
        return list(accumulate((len(line) + 1 for line in self.lines), initial=0))[:-1]


BLANKS = re.compile(r"\n[ \t\n]*\n")
_ITEM = r"(?:(?:[-*+]|\d{1,9}[.)])[ ]{1,4})"
_OPEN = re.compile(rf"( {{0,3}}(?:{_ITEM}{{1,4}})?)(`{{3,}}|~{{3,}})(.*)")
_CLOSE = re.compile(r"( *)(`{3,}|~{3,})[ \t]*$")
_QUOTE = re.compile(rf" {{0,3}}{_ITEM}{{0,4}}>")
_DIFF = re.compile(r"\+|-(?=[{\[\"#*`_]|  |\t|Verdict)")
_HUNK = re.compile(r"@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@|diff --git ")
_STARTS_BLOCK = re.compile(r" {0,3}(?:#{1,6}(?:[ \t]|$)|[-*+][ \t]|\d{1,9}[.)][ \t]|(?:[-*_][ \t]*){3,}$)")
# A line with one of these first may be more than a plain paragraph line.
_SPECIAL = frozenset(" \t>`~+-*0123456789@d")


def layout(text: str) -> Layout:
    """Block structure only: fences, block quotes, indented code, unfenced diffs."""
    lines = text.split("\n")
    if len(lines) > MAX_LINES:
        raise TooBusy(f"the review has more than {MAX_LINES} lines")
    walk = _Walk(Layout(lines, bytearray(len(lines))))
    for number, line in enumerate(lines):
        walk.step(number, line)
    walk.finish()
    return walk.layout


def own_lines(text: str, about: re.Pattern[str]) -> Layout:
    """Block and inline structure: also code spans over several lines, comments and quoting tags.

    What is inside of lines only matters, and is only looked at, when a line is `about` what is asked for.
    """
    found = layout(BLANKS.sub("\n\n", text))
    if "`" not in text and "<" not in text:
        return found
    masked = "\n".join(
        "" if place >= Place.INDENTED else line for line, place in zip(found.lines, found.places, strict=True)
    )
    if about.search(masked):
        _mark(found, masked)
    return found


def _mark(found: Layout, masked: str) -> None:
    begins = list(accumulate((len(line) + 1 for line in masked.split("\n")), initial=0))[:-1]
    soft_until = 0
    for span in spans(masked):
        if span.end <= soft_until and not span.closed:
            continue
        place = Place.QUOTED if span.closed else Place.SOFT
        for number in range(bisect_left(begins, span.start), bisect_left(begins, span.end)):
            found.places[number] = max(found.places[number], place)
        if not span.closed:
            soft_until = span.end


class _Walk:
    """One pass over the lines, remembering the open fence, the quotation before and the diff hunk."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.fence: tuple[str, int, str, int, bool] | None = None
        self.in_hunk = False
        self.after_quote = False

    def step(self, number: int, line: str) -> None:
        places = self.layout.places
        if self.fence:
            places[number] = Place.QUOTED
            self._maybe_close(number, line)
        elif not line or line[0] not in _SPECIAL:
            self.in_hunk = self.in_hunk and not line
            # A paragraph goes on behind a quotation without its mark.
            self.after_quote = self.after_quote and bool(line) and not _STARTS_BLOCK.match(line)
            places[number] = Place.SOFT if self.after_quote else Place.LIVE
        else:
            places[number] = self._special(number, line)

    def _special(self, number: int, line: str) -> Place:
        if not line.strip(" \t"):
            self.after_quote = False
            return Place.LIVE
        if ">" in line and _QUOTE.match(line):
            self.after_quote = True
            return Place.QUOTED
        opened = _OPEN.match(line) if "```" in line or "~~~" in line else None
        if opened and not (opened[2][0] == "`" and "`" in opened[3]):
            reach = len(opened[1]) + 3 if opened[1].strip() else 3
            self.fence = (opened[2], reach, opened[3].strip(), number, not opened[1].strip())
            self.after_quote = self.in_hunk = False
            return Place.QUOTED
        if line[0] in "@d" and _HUNK.match(line):
            self.in_hunk = True
            return Place.QUOTED
        if (self.in_hunk and line[0] in " +-\\") or (line[0] in "+-" and _DIFF.match(line)):
            return Place.QUOTED
        self.in_hunk = False
        if line.startswith("    ") or "\t" in line[: len(line) - len(line.lstrip(" \t"))]:
            return Place.INDENTED
        self.after_quote = self.after_quote and not _STARTS_BLOCK.match(line)
        return Place.SOFT if self.after_quote else Place.LIVE

    def _maybe_close(self, number: int, line: str) -> None:
        assert self.fence
        mark, reach, info, opened, top_level = self.fence
        found = _CLOSE.match(line) if mark[0] in line else None
        if found and len(found[1]) <= reach and found[2][0] == mark[0] and len(found[2]) >= len(mark):
            self.layout.fences.append(Fence(info, opened + 1, number, top_level))
            self.fence = None

    def finish(self) -> None:
        if not self.fence:
            return
        _, _, info, opened, top_level = self.fence
        end = len(self.layout.lines)
        self.layout.fences.append(Fence(info, opened + 1, end, top_level))
        self.layout.places[opened + 1 :] = bytes([Place.SOFT]) * (end - opened - 1)
