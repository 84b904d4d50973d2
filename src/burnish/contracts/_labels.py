"""Lines like `**Verdict: APPROVED**` and `## Grade: PASS`: a label, a colon, one of a few words.

A good word (the one that passes) must stand alone: `PASS (conditional on ...)`, `APPROVED?` or an unclosed
`**` do not pass. A bad word may be explained.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

from burnish.contracts._inline import TooBusy
from burnish.contracts._markdown import Layout, Place

MAX_MENTIONS = 5_000

_SPACE = "[ \\t\u00a0\u202f]"
_MARKS = "[*_]*"
_PRAISE = "[✅✔☑👍🎉🚀💯🟢✨🏆]\ufe0f?"
_SIGN = "(?:[\u2190-\u2bff\U0001f300-\U0001faff]\ufe0f?)"
_PREFIX = (
    rf" {{0,3}}(?:(?P<hashes>#{{1,6}}){_SPACE}+)?(?:(?:[-*]|\d{{1,3}}[.)]){_SPACE}+)?"
    rf"(?P<signs>(?:{_SIGN}{_SPACE}*){{0,2}})"
)
_PLACEHOLDER = re.compile(r"[<\[{(].*|WORD\b.*|GRADE\b.*|X{1,3}\b.*|\.\.\.|…", re.ASCII)
_FINE_TAIL = re.compile(rf"(?:{_SPACE}|[.!]|{_PRAISE})*(?:{_SPACE}#+)?")
_FINE_SIGNS = re.compile(rf"(?:{_SPACE}|[*_`]|{_PRAISE})*")
_HEADING = re.compile(r" {0,3}#{1,6}(?:[ \t]|$)")


class Said(Enum):
    """What a labelled line says when it says none of the words."""

    TEMPLATE = "a template that was not filled in"
    UNREADABLE = "not one of the words"


@dataclass(frozen=True)
class Labelled:
    """One labelled line: the word (or why there is none), where, and how it was written."""

    word: str | Said
    number: int
    place: Place
    qualifier: str = ""
    heading: bool = False
    tail: str = ""


@dataclass(frozen=True)
class Words:
    """The label, the words it takes, and which of them passes."""

    label: str
    words: tuple[str, ...]
    good: str
    qualifiers: str = "final|overall|review"

    @cached_property
    def _line(self) -> re.Pattern[str]:
        return re.compile(
            rf"{_PREFIX}(?P<head>{_MARKS}(?:(?P<qualifier>{self.qualifiers}){_SPACE}{{1,3}})?{self.label}{_MARKS}"
            rf"{_SPACE}{{0,3}}(?P<colon>[:：=]?){_SPACE}{{0,20}}{_MARKS})(?P<value>.*)",
            re.ASCII | re.IGNORECASE,
        )

    @cached_property
    def _value(self) -> re.Pattern[str]:
        words = "|".join(self.words)
        return re.compile(
            rf"(?P<before>(?:{_SIGN}{_SPACE}*){{0,2}}{_MARKS}`?)(?P<word>{words})(?P<close>`?{_MARKS})"
            rf"(?P<tail>(?![A-Za-z0-9_`]).*)",
            re.ASCII | re.IGNORECASE,
        )

    @cached_property
    def _choice(self) -> re.Pattern[str]:
        words = "|".join(self.words)
        return re.compile(
            rf"{_SPACE}{{0,3}}(?:[|/,]|or\b){_SPACE}{{0,3}}[*_`]*(?:{words})", re.ASCII | re.IGNORECASE
        )

    @cached_property
    def _mention(self) -> re.Pattern[str]:
        return re.compile(self.label, re.ASCII | re.IGNORECASE)

    def find(self, found: Layout) -> list[Labelled]:
        """Every labelled line that is not quoted, and the word under a heading that is only the label."""
        mentions = [
            number
            for number, line in enumerate(found.lines)
            if found.places[number] < Place.INDENTED and self._mention.search(line)
        ]
        if len(mentions) > MAX_MENTIONS:
            raise TooBusy(f"the review has more than {MAX_MENTIONS} lines with the word {self.label!r}")
        return [line for number in mentions for line in self._read(found, number, found.lines[number])]

    def _read(self, found: Layout, number: int, line: str) -> Iterator[Labelled]:
        match = self._line.match(line)
        if not match:
            return
        place, heading = Place(found.places[number]), bool(match["hashes"])
        qualifier = (match["qualifier"] or "").lower()
        value = match["value"].strip(" \t\u00a0\u202f")
        if not value.strip("#*_ \t"):
            if heading:
                yield from self._section(found, number, qualifier)
            elif match["colon"]:
                yield Labelled(Said.UNREADABLE, number, place, qualifier)
        elif match["colon"]:
            word, tail = self.word_of(value, match["signs"] + match["head"], match["signs"])
            if match["colon"] != ":":
                word = Said.UNREADABLE
            yield Labelled(word, number, place, qualifier, heading, tail)

    def _section(self, found: Layout, number: int, qualifier: str) -> Iterator[Labelled]:
        """`## Verdict`, then the word on a line of its own; it must come first to pass."""
        first, any_word = True, False
        for below in range(number + 1, len(found.lines)):
            line = found.lines[below]
            if not line.strip() or found.places[below] >= Place.INDENTED:
                first = first and not line.strip()
                continue
            if _HEADING.match(line):
                break
            word, tail = self.word_of(line.strip(" \t"))
            if isinstance(word, str) and _alone(tail) and (first or word != self.good):
                any_word = True
                yield Labelled(word, below, Place(found.places[below]), qualifier, True)
            elif self._line.match(line):
                any_word = True
            first = False
        if not any_word:
            yield Labelled(Said.UNREADABLE, number, Place(found.places[number]), qualifier, True)

    def word_of(self, value: str, head: str = "", signs: str = "") -> tuple[str | Said, str]:
        """The word a value begins with, and what comes after it."""
        match = self._value.match(value)
        if not match:
            return (Said.TEMPLATE if _PLACEHOLDER.match(value) else Said.UNREADABLE), ""
        word, tail = match["word"].upper(), match["tail"]
        if self._choice.match(tail):
            return Said.TEMPLATE, ""
        if tail.startswith("?") or not _balanced(f"{head} {match['before']} {match['close']}"):
            return Said.UNREADABLE, ""
        if word == self.good and not (_alone(tail) and _FINE_SIGNS.fullmatch(signs + match["before"])):
            return Said.UNREADABLE, ""
        return word, tail


def _alone(tail: str) -> bool:
    return len(tail) < 50 and _FINE_TAIL.fullmatch(tail) is not None


def _balanced(text: str) -> bool:
    """Whether each run of emphasis marks is closed by one as long, in order."""
    waiting: list[str] = []
    for mark in re.findall(r"\*+|_+|`+", text):
        if waiting and waiting[-1] == mark:
            waiting.pop()
        else:
            waiting.append(mark)
    return not waiting
