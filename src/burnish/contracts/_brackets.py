"""Where blocks in brackets begin and end in text that is partly prose, in linear time."""

from __future__ import annotations

import re

from burnish.contracts._inline import EVENT, Span, Spans
from burnish.contracts._markdown import TooBusy

MAX_TOKENS = 100_000

_OUTSIDE = re.compile(rf"\{{|\[(?=\s*\{{)|{EVENT.pattern}", re.ASCII | re.IGNORECASE)
# NUL stands for quoted lines: no JSON value goes on behind one.
_INSIDE = re.compile(r'[\[\]{}\x00]|"[^"\\\n]*(?:\\.[^"\\\n]*)*"?')
_LIKE_JSON = re.compile(r'\{\s*"|\[')


def first_block(text: str) -> str | None:
    """From the first opening brace to its partner; None when it has none."""
    start = text.find("{")
    waiting, end = Walk(text).partner(start)
    return None if waiting else text[start:end]


class Walk:
    """`closed` are the outermost blocks, `broken` what began like JSON and never ended."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.closed: list[tuple[int, int]] = []
        self.broken: list[tuple[int, int]] = []
        self.quoted: list[Span] = []
        self._soft: list[Span] = []
        self._spans = Spans(text)
        self._words: set[int] = set()
        self._tokens = 0
        # Text may be walked again after a brace that turned out to be prose, but not for ever.
        self._again = 3 * len(text) + 1000

    def run(self) -> None:
        position = 0
        while event := _OUTSIDE.search(self.text, position):
            if event[0][0] not in "{[":
                self._count(3)
                position = self._quotation(event)
            elif event.start() in self._words:
                position = event.end()
            else:
                position = self._block(event.start())

    def is_soft(self, position: int) -> bool:
        return any(span.start <= position < span.end for span in self._soft)

    def _count(self, cost: int = 1) -> None:
        self._tokens += cost
        if self._tokens > MAX_TOKENS:
            raise TooBusy(f"the review has more than {MAX_TOKENS} brackets, strings and code spans")

    def _quotation(self, event: re.Match[str]) -> int:
        span = self._spans.at(event)
        if span and span.closed:
            self.quoted.append(span)
            return span.end
        if span and not self.is_soft(span.end - 1):
            self._soft.append(span)
        return event.end()

    def _block(self, start: int) -> int:
        """Where to go on after the block that opens at `start`."""
        waiting, end = self.partner(start)
        if not waiting:
            self.closed.append((start, end))
            return end
        if _LIKE_JSON.match(self.text, start):
            self.broken.append((start, end))
            return end
        self._words.update(place for place in waiting if not _LIKE_JSON.match(self.text, place))
        self._again -= end - start
        if self._again < 0:
            raise TooBusy("the review has too many braces that are never closed")
        return start + 1

    def partner(self, start: int) -> tuple[list[int], int]:
        """The brackets that stay open, and the end of the block or of what was looked at."""
        waiting: list[int] = []
        for token in _INSIDE.finditer(self.text, start):
            self._count()
            mark, place = token[0][0], token.start()
            if mark == "\x00":
                return waiting, place
            if mark in "{[" and place not in self._words:
                waiting.append(place)
            elif mark in "]}":
                self._close(waiting, "{" if mark == "}" else "[")
                if not waiting:
                    return waiting, token.end()
        return waiting, len(self.text)

    def _close(self, waiting: list[int], opening: str) -> None:
        """A brace closes over brackets left open in it; a bracket without a partner is a word."""
        if self.text[waiting[-1]] == opening:
            waiting.pop()
        elif opening == "{":
            index = next((i for i in range(len(waiting) - 1, -1, -1) if self.text[waiting[i]] == "{"), None)
            if index is not None:
                del waiting[index:]
