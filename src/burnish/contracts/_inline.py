"""Quoting inside lines: code spans, HTML comments, and tags whose content is not the writer's own words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

MAX_MARKS = 40_000
MAX_SPANS = 15_000

_TAGS = "pre|code|samp|xmp|blockquote|q|script|style|textarea|template|think|thinking|reasoning|details"
_TAG = rf"<(?=[!bcdpqrstx])(?:!--|(?:{_TAGS})(?=[ \t>])[^<>\n]{{0,200}}>)"
_ANY_TAG = re.compile(_TAG, re.ASCII | re.IGNORECASE)
# Where a code span cannot go on: a blank line, a heading, a list item.
_BREAK = re.compile(r"\n(?=[ \t]*\n| {0,3}(?:#{1,6}|[-*+]|\d{1,9}[.)])[ \t])")
_RUN = re.compile(r"`+")
_NAME = re.compile(r"[a-z]+", re.ASCII | re.IGNORECASE)
# Without an end these swallow the rest of the text; other tags without one are just words.
_SWALLOWS = frozenset({"pre", "script", "style", "textarea", "think", "thinking", "reasoning", "details"})


class TooBusy(ValueError):
    """More structure than any review has; reading it would take too long."""


@dataclass(frozen=True)
class Span:
    """`closed` is False for what may go on for ever, and for collapsed sections, which are text after all."""

    start: int
    end: int
    closed: bool


def events(text: str, stops: str = "", stop: str = "", *, inside_lines: bool = False) -> re.Pattern[str]:
    """A pattern that skips words and code spans within a line, up to the next mark that needs a look.

    `stops` are further characters to stop at, `stop` the pattern of those that count. The mark is the group
    `mark`, missing at the end of the text. `inside_lines` stops at the skipped code spans as well.
    """
    if _ANY_TAG.search(text):
        stops += "<"
        stop = f"{stop}|{_TAG}" if stop else _TAG
    stop = f"{stop}|`+" if stop else "`+"
    others = rf"|(?!{stop})[{stops}]" if stops else ""
    code = "" if inside_lines else r"|`[^`\n]+`(?!`)"
    # `*+`: what was skipped is never looked at again, so nothing of it is kept for going back.
    return re.compile(rf"(?:[^`{stops}]+{code}{others})*+(?P<mark>{stop})?", re.ASCII | re.IGNORECASE)


class Spans:
    """Finds the quotation that begins at a mark. All of them together take linear time."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._tag_ends: dict[str, int] = {}
        self._code_ends: dict[int, int] = {}
        self._looked_until = -1

    def at(self, event: re.Match[str]) -> Span | None:
        start, mark = event.start("mark"), event["mark"]
        if mark[0] == "`":
            end = self._code_end(start)
            return Span(start, end, True) if end else None
        if mark == "<!--":
            return self._until("-->", event) or Span(start, len(self.text), False)
        tag = _NAME.findall(mark)[0].lower()
        found = self._until(f"</{tag}", event)
        if tag == "details":
            return Span(start, found.end if found else len(self.text), False)
        if found:
            return found
        if tag in _SWALLOWS and self._begins_line(start):
            return Span(start, len(self.text), False)
        return None

    def _begins_line(self, position: int) -> bool:
        before = self.text[max(0, position - 4) : position]
        return before.endswith("\n") or before.isspace() or not before

    def _until(self, closing: str, event: re.Match[str]) -> Span | None:
        """The end found last is remembered: a thousand openings before one closing search once."""
        end = self._tag_ends.get(closing, 0)
        if 0 <= end < event.end():
            if closing == "-->":
                end = self.text.find(closing, event.end())
            else:
                found = re.compile(closing, re.ASCII | re.IGNORECASE).search(self.text, event.end())
                end = found.start() if found else -1
            self._tag_ends[closing] = end
        return Span(event.start("mark"), end + len(closing), True) if end >= 0 else None

    def _code_end(self, start: int) -> int | None:
        if start >= self._looked_until:
            self._look(start)
        return self._code_ends.get(start)

    def _look(self, start: int) -> None:
        """For each run of backticks in a paragraph the end of the next one as long."""
        found = _BREAK.search(self.text, start)
        self._looked_until = found.start() if found else len(self.text)
        if self.text.count("`", start, self._looked_until) > MAX_MARKS:
            raise TooBusy(f"a paragraph of the review has more than {MAX_MARKS} backticks")
        waiting: dict[int, int] = {}
        for run in _RUN.finditer(self.text, start, self._looked_until):
            length = run.end() - run.start()
            if length in waiting:
                self._code_ends[waiting[length]] = run.end()
            waiting[length] = run.start()


def spans(text: str, *, inside_lines: bool = False) -> Iterator[Span]:
    """The quotations of a text in order; code spans within a line only if asked for. Raises TooBusy."""
    finder, pattern, position = Spans(text), events(text, inside_lines=inside_lines), 0
    for _ in range(MAX_SPANS):
        event = pattern.match(text, position)
        if event is None or event["mark"] is None:
            return
        span = finder.at(event)
        if span:
            yield span
        position = span.end if span and span.closed else event.end()
    raise TooBusy(f"the review has more than {MAX_SPANS} quotations")
