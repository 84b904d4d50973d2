"""JSON objects in a reviewer's words: complete, decoded strictly, never repaired, never dug out of others.

A bracket opens a block; the block ends at its partner, strings skipped. What stands in a block is not looked
at again, so an object inside a wrapper, an envelope or half a sentence is not an answer.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from burnish.codec import loads
from burnish.contracts._brackets import Walk
from burnish.contracts._inline import TooBusy, spans
from burnish.contracts._markdown import BLANKS, Fence, Layout, Place, layout

MAX_FENCES = 1_000
_QUOTE_MARKS = {'"': '"', "'": "'", "“": "”", "‘": "’", "«": "»"}
_LIKE_JSON = re.compile(r'\{\s*["}]|[\["]')
_BETWEEN = re.compile(r"[\s,]*")


@dataclass(frozen=True)
class Block:
    """Text between matching brackets. `value` is None when it is not JSON, and `why` says what is wrong.

    `soft` blocks may be quotations, `fenced` ones stand alone in a code block.
    """

    start: int
    end: int
    text: str
    value: Any = None
    why: str = ""
    soft: bool = False
    fenced: bool = False

    @property
    def objects(self) -> list[dict[str, Any]]:
        """The object, or the objects directly in the array."""
        if isinstance(self.value, dict):
            return [self.value]
        return [item for item in self.value if isinstance(item, dict)] if isinstance(self.value, list) else []


@dataclass(frozen=True)
class Found:
    """The blocks in order, and the text around them with quoted lines masked."""

    blocks: tuple[Block, ...]
    text: str
    quoted: tuple[tuple[int, int], ...] = ()

    def loose(self, pattern: re.Pattern[str]) -> bool:
        """Whether a pattern occurs outside of decoded blocks and quotations. Raises TooBusy."""
        decoded = [(b.start, b.end) for b in self.blocks if b.value is not None and not b.fenced]
        decoded = sorted([*decoded, *self.quoted])
        places = [match.start() for match in pattern.finditer(self.text)]
        if all(_within(decoded, place) for place in places):
            return False
        quoted = [(span.start, span.end) for span in spans(self.text, inside_lines=True) if span.closed]
        return not all(_within(decoded, place) or _within(quoted, place) for place in places)


def _within(ranges: list[tuple[int, int]], place: int) -> bool:
    index = bisect_right(ranges, place, key=lambda pair: pair[0]) - 1
    return index >= 0 and place < ranges[index][1]


def find(text: str) -> Found:
    """Raises TooBusy when the text has more brackets than any answer."""
    stripped = text.strip(" \t\n")
    whole = _decode(0, _unwrapped(stripped))
    if whole.value is not None:
        return Found((whole,), stripped)
    text = BLANKS.sub("\n\n", text)
    found = layout(text)
    masked = "\n".join(
        "\x00" * len(line) if place == Place.QUOTED else line
        for line, place in zip(found.lines, found.places, strict=True)
    )
    walk = Walk(masked)
    walk.run()
    if len(found.fences) > MAX_FENCES:
        raise TooBusy(f"the review has more than {MAX_FENCES} code blocks")
    if [text[start:end] for start, end in walk.closed[:2]] == [stripped]:
        return Found((whole,), stripped)
    own = _Own(walk, found, masked)
    blocks = [*own.blocks(), *_in_fences(found, text)]
    return Found(tuple(sorted(blocks, key=lambda block: block.start)), masked, tuple(own.quoted))


def _unwrapped(text: str) -> str:
    """A whole message in backticks is no quotation: there is nothing it could be quoted in."""
    inner = text.lstrip("`")
    marks = text[: len(text) - len(inner)]
    if not 0 < len(marks) < 9 or not inner.endswith(marks):
        return text
    return inner.removesuffix(marks).removeprefix("json")


class _Own:
    """The blocks outside of code blocks; `quoted` are those that are not the writer's own."""

    def __init__(self, walk: Walk, found: Layout, text: str) -> None:
        self._walk, self._found, self._text = walk, found, text
        self._begins = found.offsets()
        self.quoted = [pair for pair in walk.closed if self._is_quoted(*pair)]

    def blocks(self) -> Iterator[Block]:
        text, walk, quoted = self._text, self._walk, set(self.quoted)
        for start, end in walk.closed:
            if (start, end) not in quoted:
                soft = self._place(start) == Place.SOFT or walk.is_soft(start)
                yield _decode(start, text[start:end], soft=soft)
        for start, end in walk.broken:
            if self._place(start) != Place.INDENTED:
                yield Block(start, end, text[start:end], why="it is never closed")
        if walk.words:
            start = min(walk.words)
            yield Block(start, start + 1, text[start : start + 200], why="it is never closed")

    def _is_quoted(self, start: int, end: int) -> bool:
        partner = _QUOTE_MARKS.get(self._text[start - 1 : start])
        in_marks = partner is not None and self._text[end : end + 1] == partner
        return in_marks or self._place(start) == Place.INDENTED

    def _place(self, position: int) -> int:
        return self._found.places[bisect_right(self._begins, position) - 1]


def _in_fences(found: Layout, text: str) -> Iterator[Block]:
    """A code block is an answer when it holds JSON and nothing else."""
    begins = [*found.offsets(), len(text) + 1]
    for fence in found.fences:
        start = begins[fence.first]
        content = text[start : begins[fence.end] - 1]
        if fence.top_level and content.strip():
            yield from _in_fence(fence, start, content)


def _in_fence(fence: Fence, start: int, content: str) -> Iterator[Block]:
    tag = fence.info.split()[0].lower() if fence.info else ""
    stripped = content.strip()
    if tag not in ("", "json", "jsonc", "json5") or (not tag and stripped[0] not in "{["):
        return
    whole = _decode(start, stripped, fenced=True)
    if whole.value is None:
        walk = Walk(content)
        walk.run()
        edges = [0, *(edge for pair in walk.closed for edge in pair), len(content)]
        between = (content[a:b] for a, b in zip(edges[::2], edges[1::2], strict=True))
        if len(walk.closed) > 1 and all(_BETWEEN.fullmatch(text) for text in between):
            for begin, end in walk.closed:
                yield _decode(start + begin, content[begin:end], fenced=True)
            return
    yield whole


def _decode(start: int, text: str, *, soft: bool = False, fenced: bool = False) -> Block:
    text = text.strip()
    value, why, end = None, "it does not begin like a JSON object", start + len(text)
    if text[:1] + text[-1:] in ("{}", "[]", '""') and _LIKE_JSON.match(text):
        try:
            value = loads(text)
        except ValueError as error:
            why = str(error)
    return Block(start, end, text, value, why, soft, fenced)
