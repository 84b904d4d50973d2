"""The outline of a Markdown document: its front matter and headings, without what only looks like one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

_FENCE = re.compile(r" {0,3}(?:(?:[-*+]|[0-9]{1,9}[.)]) {1,4})?(`{3,}|~{3,})([^\n]*)")
_CLOSING = re.compile(r"[ \t]*(`{3,}|~{3,})[ \t]*")
_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]+([^\n]*))?")
_COMMENT = re.compile(r" {0,3}<!--")
_PAIR = re.compile(r"([A-Za-z][\w-]*)[ \t]*:(?:[ \t]+([^\n]*))?", re.ASCII)
_MARKS = re.compile(r"[*`]+|(?<!\w)_+|_+(?!\w)")


@dataclass(frozen=True)
class Heading:
    """`line` counts from 0; `text` is without emphasis and closing hashes."""

    line: int
    level: int
    text: str


@dataclass(frozen=True)
class Outline:
    """`live` has a line's text where it is the writer's own, None in code blocks, comments and front matter.

    `open_fence` is the line of a code block that never ends, -1 when there is none.
    """

    lines: Sequence[str]
    live: Sequence[str | None]
    headings: tuple[Heading, ...]
    front: dict[str, str]
    open_fence: int

    def section(self, heading: Heading, end: int) -> str:
        """What stands below a heading up to a line."""
        return "\n".join(self.lines[heading.line + 1 : end]).strip("\n")


def outline(text: str) -> Outline:
    """One pass over the lines."""
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    front, first = _front_matter(lines)
    live: list[str | None] = [None] * first
    fence, opened, commented = "", -1, False
    for number in range(first, len(lines)):
        line = lines[number]
        own = not fence and not commented
        if fence:
            closing = _CLOSING.fullmatch(line)
            fence = "" if closing and closing[1].startswith(fence) else fence
        elif commented or _COMMENT.match(line):
            own = False
            commented = "-->" not in line
        elif (found := _FENCE.fullmatch(line)) and not (found[1][0] == "`" and "`" in found[2]):
            fence, opened, own = found[1], number, False
        live.append(line if own else None)
    return Outline(lines, live, _headings(live), front, opened if fence else -1)


def heading_of(line: str) -> tuple[int, str] | None:
    """Level and text of a line that is a heading."""
    found = _HEADING.fullmatch(line)
    return (len(found[1]), plain(_unclosed(found[2] or ""))) if found else None


def plain(text: str) -> str:
    """Without emphasis and code marks, on one line."""
    return " ".join(_MARKS.sub("", text).split())


def _unclosed(text: str) -> str:
    """Without the hashes that may close a heading."""
    text = text.rstrip()
    bare = text.rstrip("#")
    return bare if not bare or bare[-1] in " \t" else text


def _headings(live: Sequence[str | None]) -> tuple[Heading, ...]:
    found = (
        (number, heading_of(line)) for number, line in enumerate(live) if line is not None and "#" in line
    )
    return tuple(Heading(number, *heading) for number, heading in found if heading)


def _front_matter(lines: Sequence[str]) -> tuple[dict[str, str], int]:
    """The keys between two lines of dashes at the very top, and the first line behind them."""
    if lines[0].rstrip() != "---":
        return {}, 0
    end = next((number for number in range(1, len(lines)) if lines[number].rstrip() in ("---", "...")), 0)
    if not end:
        return {}, 0
    pairs = (_PAIR.fullmatch(line) for line in lines[1:end])
    return {pair[1].lower(): _unquoted(pair[2] or "") for pair in pairs if pair}, end + 1


def _unquoted(value: str) -> str:
    value = value.strip()
    if value[:1] in ("'", '"') and value.find(value[0], 1) > 0:
        return value[1 : value.find(value[0], 1)]
    return value.partition(" #")[0].strip()
