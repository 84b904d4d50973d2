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
    rf" {{0,3}}(?:(?P<hashes>#{{1,6}})[ \t]+)?(?:(?:[-*]|\d{{1,3}}[.)]){_SPACE}+)?"
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
            rf"(?P<before>(?:{_SIGN}{_SPACE}*){{0,2}}{_MARKS}`?)(?P<word>{words})(?P<close>`?[.!]?{_MARKS})"
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
    def mention(self) -> re.Pattern[str]:
        return re.compile(self.label, re.ASCII | re.IGNORECASE)

    def find(self, found: Layout) -> list[Labelled]:
        """Every labelled line that is not quoted, and the word under a heading that is only the label."""
        mentions = [
            number
            for number, line in enumerate(found.lines)
            if found.places[number] < Place.INDENTED and self.mention.search(line)
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
        """`## Verdict`, then the word on a line of its own; to pass it must be the first or the last."""
        below: list[int] = []
        for line in range(number + 1, len(found.lines)):
            if _HEADING.match(found.lines[line]) and found.places[line] < Place.INDENTED:
                break
            if found.lines[line].strip():
                below.append(line)
        any_word = False
        for line in below:
            if found.places[line] >= Place.INDENTED:
                continue
            word, tail = self.word_of(found.lines[line].strip(" \t"))
            if (
                isinstance(word, str)
                and _alone(tail)
                and (line in (below[0], below[-1]) or word != self.good)
            ):
                any_word = True
                yield Labelled(word, line, Place(found.places[line]), qualifier, True)
            elif self._line.match(found.lines[line]):
                any_word = True
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
        marks = f"{head} {match['before']} {match['close']}"
        if tail.startswith("?") or not (_balanced(marks) or _balanced(f"{marks} {tail[:200]}")):
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
