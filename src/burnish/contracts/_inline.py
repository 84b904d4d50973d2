"""Quoting inside lines: code spans, HTML comments, and tags whose content is not the writer's own words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_TAGS = "pre|code|samp|xmp|blockquote|q|script|style|textarea|template|think|thinking|reasoning|details"
EVENT = re.compile(rf"`+|<!--|<({_TAGS})(?=[ \t>])[^<>\n]{{0,200}}>", re.ASCII | re.IGNORECASE)
# Where a code span cannot go on: a blank line, a heading, a list item.
_RUNS = re.compile(r"`+|\n(?=[ \t]*\n| {0,3}(?:#{1,6}|[-*+]|\d{1,9}[.)])[ \t])")
# Without an end these swallow the rest of the text; other tags without one are just words.
_SWALLOWS = frozenset({"pre", "script", "style", "textarea", "think", "thinking", "reasoning", "details"})


@dataclass(frozen=True)
class Span:
    """`closed` is False for what may go on for ever, and for collapsed sections, which are text after all."""

    start: int
    end: int
    closed: bool


class Spans:
    """Finds the quotation that begins at a place. All of them together take linear time."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._code_ends = _code_ends(text) if "`" in text else {}
        self._ends: dict[str, int] = {}

    def at(self, event: re.Match[str]) -> Span | None:
        mark = event[0]
        if mark[0] == "`":
            end = self._code_ends.get(event.start())
            return Span(event.start(), end, True) if end else None
        if mark == "<!--":
            return self._until("-->", event) or Span(event.start(), len(self.text), False)
        tag = event[1].lower()
        found = self._until(f"</{tag}", event)
        if tag == "details":
            return Span(event.start(), found.end if found else len(self.text), False)
        if found:
            return found
        if tag in _SWALLOWS and self._begins_line(event.start()):
            return Span(event.start(), len(self.text), False)
        return None

    def _begins_line(self, position: int) -> bool:
        before = self.text[max(0, position - 4) : position]
        return before.endswith("\n") or before.isspace() or not before

    def _until(self, closing: str, event: re.Match[str]) -> Span | None:
        """The end found last is remembered: a thousand openings before one closing search once."""
        end = self._ends.get(closing, 0)
        if 0 <= end < event.end():
            if closing == "-->":
                end = self.text.find(closing, event.end())
            else:
                found = re.compile(closing, re.ASCII | re.IGNORECASE).search(self.text, event.end())
                end = found.start() if found else -1
            self._ends[closing] = end
        return Span(event.start(), end + len(closing), True) if end >= 0 else None


def spans(text: str) -> Iterator[Span]:
    """All quotations of a text in order; what stands in a closed one is not looked at again."""
    finder, position = Spans(text), 0
    while event := EVENT.search(text, position):
        span = finder.at(event)
        if span:
            yield span
        position = span.end if span and span.closed else event.end()


def _code_ends(text: str) -> dict[int, int]:
    """For each run of backticks the end of the next one as long, in the same paragraph."""
    ends: dict[int, int] = {}
    waiting: dict[int, int] = {}
    for run in _RUNS.finditer(text):
        if run[0][0] == "`":
            length = run.end() - run.start()
            if length in waiting:
                ends[waiting[length]] = run.end()
            waiting[length] = run.start()
        else:
            waiting.clear()
    return ends
