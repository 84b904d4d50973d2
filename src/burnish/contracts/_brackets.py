"""Where blocks in brackets begin and end in text that is partly prose, in linear time."""

from __future__ import annotations

import re

from burnish.contracts._inline import Span, Spans, TooBusy, events

MAX_TOKENS = 60_000

# NUL stands for quoted lines: no JSON value goes on behind one.
_INSIDE = re.compile(r'[\[\]{}\x00]|"[^"\\\n]*(?:\\.[^"\\\n]*)*"?')
_ARRAY = re.compile(r"\[\s*\{")
_LIKE_JSON = re.compile(r'\{\s*"|(?<!\[)\[')


def first_block(text: str) -> str | None:
    """From the first opening brace to its partner; None when it has none."""
    start = text.find("{")
    waiting, end = Walk(text).partner(start)
    return None if waiting else text[start:end]


class Walk:
    """`closed` are the outermost blocks, `broken` what began like JSON and never ended, `words` the rest."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.closed: list[tuple[int, int]] = []
        self.broken: list[tuple[int, int]] = []
        self._soft: list[Span] = []
        self._spans = Spans(text)
        self.words: set[int] = set()
        self._tokens = 0
        # Text may be walked again after a brace that turned out to be prose, but not for ever.
        self._again = 3 * len(text) // 2 + 1000

    def run(self) -> None:
        arrays = _ARRAY.search(self.text)
        pattern = events(self.text, r"{\[" if arrays else "{", r"\{|\[(?=\s*\{)" if arrays else r"\{")
        position = 0
        while (event := pattern.match(self.text, position)) and event["mark"]:
            if event["mark"] not in "{[":
                self._count(5)
                position = self._quotation(event)
            elif event.start("mark") in self.words:
                position = event.end()
            else:
                position = self._block(event.start("mark"))

    def is_soft(self, position: int) -> bool:
        return any(span.start <= position < span.end for span in self._soft)

    def _count(self, cost: int = 1) -> None:
        self._tokens += cost
        if self._tokens > MAX_TOKENS:
            raise TooBusy(f"the review has more than {MAX_TOKENS} brackets, strings and quotations")

    def _quotation(self, event: re.Match[str]) -> int:
        span = self._spans.at(event)
        if span and span.closed:
            return span.end
        if span and not self.is_soft(span.end - 1):
            self._soft.append(span)
        return event.end()

    def _block(self, start: int) -> int:
        """Where to go on after the block that opens at `start`."""
        self._count(5)
        waiting, end = self.partner(start)
        if not waiting:
            self.closed.append((start, end))
            return end
        if _LIKE_JSON.match(self.text, start):
            self.broken.append((start, end))
            return end
        self.words.update(place for place in waiting if not _LIKE_JSON.match(self.text, place))
        self._again -= end - start
        if self._again < 0:
            raise TooBusy("the review has too many braces that are never closed")
        return start + 1

    def partner(self, start: int) -> tuple[list[int], int]:
        """The brackets that stay open, and the end of the block or of what was looked at."""
        waiting: list[int] = []
        text, end, left = self.text, len(self.text), MAX_TOKENS - self._tokens
        for count, token in enumerate(_INSIDE.finditer(text, start)):
            place = token.start()
            mark = text[place]
            if mark in "{[":
                if place not in self.words:
                    waiting.append(place)
            elif mark in "]}":
                self._close(waiting, "{" if mark == "}" else "[")
                if not waiting:
                    end = token.end()
                    break
            elif mark == "\x00":
                end = place
                break
            if count > left:
                break
        self._count(count)
        return waiting, end

    def _close(self, waiting: list[int], opening: str) -> None:
        """A brace closes over brackets left open in it; a bracket without a partner is a word."""
        if self.text[waiting[-1]] == opening:
            waiting.pop()
        elif opening == "{":
            index = next((i for i in range(len(waiting) - 1, -1, -1) if self.text[waiting[i]] == "{"), None)
            if index is not None:
                del waiting[index:]
