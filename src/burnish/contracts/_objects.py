"""JSON objects in a reviewer's words: complete ones, decoded strictly, never repaired, never dug out of others.

A bracket opens a block; the block ends at its partner, strings skipped. What stands in a block is not looked at
again, so an object inside a wrapper, an envelope or half a sentence is not an answer.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from burnish.codec import loads
from burnish.contracts._brackets import Walk
from burnish.contracts._inline import Span
from burnish.contracts._markdown import BLANKS, Fence, Layout, Place, TooBusy, layout

MAX_BLOCKS = 5_000
MAX_FENCES = 1_000
_QUOTE_MARKS = {'"': '"', "'": "'", "“": "”", "‘": "’", "«": "»"}
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
    """The blocks in order, and the text around them with its quotations."""

    blocks: tuple[Block, ...]
    text: str
    quoted: tuple[Span, ...] = ()

    def loose(self, pattern: re.Pattern[str]) -> bool:
        """Whether a pattern occurs outside of quotations and of decoded blocks."""
        hidden = sorted(
            [
                (block.start, block.end)
                for block in self.blocks
                if block.value is not None and not block.fenced
            ]
            + [(span.start, span.end) for span in self.quoted]
        )
        for match in pattern.finditer(self.text):
            index = bisect_right(hidden, (match.start(), len(self.text))) - 1
            if index < 0 or hidden[index][1] <= match.start():
                return True
        return False


def find(text: str) -> Found:
    """Raises TooBusy when the text has more brackets than any answer."""
    stripped = text.strip(" \t\n")
    whole = _decode(0, stripped)
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
    if len(walk.closed) > MAX_BLOCKS or len(found.fences) > MAX_FENCES:
        raise TooBusy(f"the review has more than {MAX_BLOCKS} blocks in braces or {MAX_FENCES} code blocks")
    if [text[start:end] for start, end in walk.closed[:2]] == [stripped]:
        return Found((whole,), stripped)
    blocks = [*_own(walk, found, masked), *_in_fences(found, text)]
    return Found(tuple(sorted(blocks, key=lambda block: block.start)), masked, tuple(walk.quoted))


def _own(walk: Walk, found: Layout, text: str) -> Iterator[Block]:
    begins = found.offsets()
    for start, end in walk.closed:
        place = found.places[bisect_right(begins, start) - 1]
        partner = _QUOTE_MARKS.get(text[start - 1 : start])
        if place == Place.INDENTED or (partner and text[end : end + 1] == partner):
            continue
        yield _decode(start, text[start:end], soft=place == Place.SOFT or walk.is_soft(start))
    for start, end in walk.broken:
        if found.places[bisect_right(begins, start) - 1] != Place.INDENTED:
            yield Block(start, end, text[start:end], why="it is never closed")


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
            for begin, end in walk.closed[:MAX_BLOCKS]:
                yield _decode(start + begin, content[begin:end], fenced=True)
            return
    yield whole


def _decode(start: int, text: str, *, soft: bool = False, fenced: bool = False) -> Block:
    value, why, end = None, "it does not begin like a JSON object", start + len(text)
    if text[:1] + text[-1:] in ("{}", "[]", '""'):
        try:
            value = loads(text)
        except ValueError as error:
            why = str(error)
    return Block(start, end, text, value, why, soft, fenced)
