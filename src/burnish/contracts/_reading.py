"""What the sources of one reply say, each by itself, and what they say together."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from burnish.contracts._denials import denial, denying_pair
from burnish.contracts._inline import TooBusy
from burnish.contracts._labels import Labelled, Said, Words
from burnish.contracts._last_word import LastWord
from burnish.contracts._markdown import Layout, Place, own_lines
from burnish.contracts._review_text import open_blocker, reason
from burnish.contracts._text import MAX_PROSE, clean, one_line
from burnish.model.agent import Reply
from burnish.model.review import Review, Verdict

_CODE = re.compile(r"`[^`\n]{1,400}`")


@dataclass(frozen=True)
class Reading:
    """One source: its `word`, empty when it is silent.

    `misplaced` says why a passing word is not the last word, `against` what in the source speaks against a
    pass; `denied` when that can only mean no. `grants` is False for a source that never passes alone.
    """

    name: str
    word: str = ""
    misplaced: str = ""
    against: str = ""
    denied: bool = False
    summary: str = ""
    grants: bool = True


@dataclass(frozen=True)
class Dialect:
    """A dialect of written reviews: its words from good to bad, and how the good one is written."""

    words: Words
    last: LastWord
    verdicts: Mapping[str, Verdict]
    unclear: str
    # Words that parts of the text are graded with, where a dialect grades parts.
    lowered: Callable[[Layout], Sequence[str]] = lambda found: ()
    worst_counts: bool = False

    @property
    def good(self) -> str:
        return self.words.good

    @cached_property
    def _denies(self) -> re.Pattern[str]:
        words = "|".join(word for word in self.verdicts if word != self.good)
        return re.compile(rf"\b{self.words.label}[\W_]{{1,8}}(?:{words})\b", re.IGNORECASE)

    def read(self, name: str, text: str) -> Reading:
        """A source of prose. Never raises."""
        text = clean(text)
        try:
            found = own_lines(text, self.words.mention)
            lines = self.words.find(found)
        except TooBusy as error:
            return Reading(name, against=str(error))
        own = [line for line in lines if isinstance(line.word, str)]
        if len(text) > MAX_PROSE and not any(line.word != self.good for line in own):
            return Reading(name, against=f"the review is longer than {MAX_PROSE} characters")
        words = [*(str(line.word) for line in own if self._counts(line)), *self._paired(own_text(found))]
        worst, summary = self._worst(words), _explained(own) or reason(found)
        lowered = self._worst([worst or self.good, *self.lowered(found)])
        if lowered not in (worst, self.good):
            told = f"the {self.words.label} {worst} contradicts a part graded {lowered}" if worst else ""
            return Reading(name, lowered, against=told, denied=True, summary=summary)
        if len(set(words)) > 1 and not self.worst_counts:
            told = f"verdicts that contradict each other: {', '.join(sorted(set(words)))}"
            return Reading(name, self.unclear, against=told, denied=True, summary=summary)
        if worst and worst != self.good:
            return Reading(name, worst, denied=True, summary=summary)
        return self._passing(Reading(name, worst, summary=summary), found, lines, text)

    def _worst(self, words: Sequence[str]) -> str:
        return max(words, key=list(self.verdicts).index, default="")

    def contradicted(self, read: Reading, text: str) -> Reading:
        """A structured pass, with what the prose inside of it says against it."""
        if read.word != self.good:
            return read
        inner = self.read(read.name, text)
        if inner.word not in ("", self.good):
            return replace(read, against=f"its text says {inner.word}", denied=True)
        return replace(read, against=inner.against, denied=inner.denied)

    def _counts(self, line: Labelled) -> bool:
        """A good word must be the writer's own; a bad one also counts where it may be a quotation."""
        return line.word != self.good or line.place is Place.LIVE

    def _passing(self, read: Reading, found: Layout, lines: list[Labelled], text: str) -> Reading:
        """A text without a denying word: what is wrong with a pass in it."""
        if any(line.word is Said.UNREADABLE for line in lines):
            read = replace(read, against=f"the {self.words.label} line does not say one of the words, alone")
        elif lines and not read.word:
            read = replace(read, misplaced=_why_none(self.words.label, lines))
        if denying_pair(text):
            read = replace(read, against="the text holds a JSON answer that denies")
        elif not read.word and self._denies.search(text):
            read = replace(
                read, against=f"the only {self.words.label} in the text denies, and may be a quotation"
            )
        elif blocker := open_blocker(found, self.words.label):
            told = f"an approval beside something that must be fixed: {blocker}"
            read = replace(read, against=told, denied=True)
        elif said := denial(own_text(found)):
            read = replace(read, against=f"the text says: {said.words}", denied=said.refuses)
        return replace(read, misplaced=self.last.doubt(text)) if read.word else read

    def _paired(self, text: str) -> list[str]:
        """The word of a JSON object in the text that denies, quoted or not."""
        found = denying_pair(text)
        return [found.upper() if found.upper() in self.verdicts else self.unclear] if found else []

    def joined(self, reply: Reply, readings: Sequence[Reading]) -> Review:
        """All sources together: one denial denies, a disagreement never passes, silence changes nothing."""
        denials = [read for read in readings if read.word not in ("", self.good)]
        against = [read for read in readings if read.against]
        passing = [read for read in readings if read.word == self.good]
        if denials:
            first = denials[0]
            other = next((read for read in passing), None)
            unclear = first.against or (_disagree(first, other) if other else "")
            return self.review(first.word, unclear, first.summary, denied=True)
        if against:
            first = against[0]
            return self.review(self.unclear, first.against, first.summary, denied=first.denied)
        summary = next((read.summary for read in readings if read.summary), "")
        if reply.truncated and passing:
            return self.review(self.unclear, "the review was cut because it was too long", summary)
        clear = [read for read in passing if not read.misplaced]
        if any(read.grants for read in clear):
            return self.review(self.good, "", summary)
        return self.review(self.unclear, self._why_not(readings, bool(clear)), summary)

    def _why_not(self, readings: Sequence[Reading], ungranted: bool) -> str:
        if ungranted:
            return (
                f"nothing but a source that a command could have written says {self.good}; "
                f"end the final message with the {self.words.label} as well"
            )
        found = next((read.misplaced for read in readings if read.misplaced), "")
        return found or f"no {self.words.label} line outside of quotations"

    def review(self, word: str, unclear: str, summary: str = "", *, denied: bool = False) -> Review:
        return Review(self.verdicts[word], word, summary=summary, unclear=unclear, denied=denied)


def own_text(found: Layout) -> str:
    """The writer's own lines, without the code in them."""
    own = (
        line if place < Place.INDENTED else "" for line, place in zip(found.lines, found.places, strict=True)
    )
    return _CODE.sub("`code`", "\n".join(own))


def _explained(own: list[Labelled]) -> str:
    """The explanation behind a denying word on its own line."""
    return one_line(next((line.tail.strip(" *_—–-:,;.()") for line in reversed(own) if line.tail), ""))


def _disagree(first: Reading, second: Reading) -> str:
    if first.name == second.name:
        return f"{first.name} says both {first.word} and {second.word}"
    return f"{first.name} says {first.word}, {second.name} says {second.word}"


def _why_none(label: str, lines: list[Labelled]) -> str:
    if any(isinstance(line.word, str) for line in lines):
        return f"the only {label} line may be a quotation"
    return f"the {label} line is a template that was not filled in"
