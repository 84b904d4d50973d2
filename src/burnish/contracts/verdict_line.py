"""The `task` dialect: a written review with one line `**Verdict: APPROVED**` in it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from burnish.contracts._inline import TooBusy
from burnish.contracts._labels import Labelled, Said, Words
from burnish.contracts._markdown import Place, own_lines
from burnish.contracts._review_text import open_blocker, reason
from burnish.contracts._schema import Schema, array, one_of, record, value
from burnish.contracts._structure import ISSUE, Structure, issue_lines, structure
from burnish.contracts._text import clean, one_line, too_long, writable
from burnish.model.agent import Reply
from burnish.model.review import Review, Severity, Verdict
from burnish.ports import Asking, Carrier, Contract

_VERDICTS = {
    "APPROVED": Verdict.PASS,
    "CHANGES_REQUESTED": Verdict.FAIL,
    "NEEDS_DISCUSSION": Verdict.DISCUSS,
}
_UNCLEAR = "CHANGES_REQUESTED"
_WORDS = Words(label="verdict", words=tuple(_VERDICTS), good="APPROVED")
_SEED = re.compile(r"\*\*Verdict:\s*(APPROVED|CHANGES_REQUESTED|NEEDS_DISCUSSION)\*\*")

_INSTRUCTIONS = """\
## How to answer

Write the review as Markdown: a short summary, then every problem that must be fixed under the heading
`## Must-Fix`, one list item each, with file and line. End with exactly one verdict line, on a line of its
own, not in a code block, not quoted, not indented:

```
**Verdict: WORD**
```

where WORD is exactly one of these three words, and nothing else stands on that line:

- `APPROVED`: the change can be delivered as it is, nothing must be fixed
- `CHANGES_REQUESTED`: something must be fixed first
- `NEEDS_DISCUSSION`: a person has to decide something before work can go on

Give the verdict once. If you quote text that looks like a verdict, put it in a code block. Two different
verdicts, a verdict with a condition behind it, or none, do not approve anything.

If you are held to a JSON form instead, the Markdown goes into its `review`, each problem that must be fixed
into `must_fix`, and the word into `verdict`.
"""
_SCHEMA = record(
    review=value("string", "The review as Markdown: a short summary and what was looked at."),
    must_fix=array(ISSUE, "Every problem that must be fixed; empty with APPROVED."),
    verdict=one_of(_VERDICTS),
)


class VerdictLine:
    """A line `**Verdict: X**`, X one of APPROVED, CHANGES_REQUESTED, NEEDS_DISCUSSION, outside of quotations.

    Also taken: `Verdict: X`, `**Verdict**: X`, `## Verdict: X`, `## Verdict` with X below, any letter case.
    Anything unclear (no verdict, two that differ, a condition, an unknown word) is CHANGES_REQUESTED.
    """

    name = "verdict-line"
    carrier: Carrier = "message"

    def __init__(self, *, compat: bool = False) -> None:
        self._compat = compat

    def instructions(self, asking: Asking) -> str:
        return _INSTRUCTIONS

    def schema(self, asking: Asking) -> Schema | None:
        return None if self._compat else _SCHEMA

    def parse(self, reply: Reply) -> Review:
        if reply.structured is not None and not self._compat:
            return _structured(structure(reply, _SCHEMA, "verdict"))
        text = writable(reply.text)
        if self._compat:
            match = _SEED.search(text)
            return _review(match[1] if match else _UNCLEAR, "" if match else "no verdict line", text)
        unsure = too_long(reply, text)
        try:
            found = own_lines(clean(text), _WORDS.mention)
            word, unclear, said = _decide(_WORDS.find(found))
        except TooBusy as error:
            return _review(_UNCLEAR, str(error), text)
        if unsure and _VERDICTS[word] is Verdict.PASS:
            word, unclear = _UNCLEAR, unsure
        if _VERDICTS[word] is Verdict.PASS and (blocker := open_blocker(found)):
            word, unclear, said = _UNCLEAR, f"an approval beside something that must be fixed: {blocker}", ""
        return _review(word, unclear, text, said or reason(found))


def _structured(given: Structure) -> Review:
    """An answer of the schema. Words beside it can take an approval away, never give one."""
    said = given.value
    if said is None:
        return _review(_UNCLEAR, given.wrong, given.text)
    text, word = _written(said), said["verdict"]
    summary = one_line(next((issue["problem"] for issue in said["must_fix"]), "")) or one_line(said["review"])
    if word == _WORDS.good and said["must_fix"]:
        unclear = f"an approval beside something that must be fixed: {summary}"
    else:
        unclear = given.wrong or next(filter(None, (_denial(one, word) for one in given.beside)), "")
    return _review(_UNCLEAR if unclear else word, unclear, text, summary)


def _denial(text: str, word: str) -> str:
    """What words beside a structured verdict say against it."""
    try:
        found = own_lines(clean(text), _WORDS.mention)
        lines = _WORDS.find(found)
    except TooBusy as error:
        return str(error)
    own = [line for line in lines if isinstance(line.word, str)]
    words = {line.word for line in own if line.place is Place.LIVE or line.word != _WORDS.good} - {word}
    if words or (word == _WORDS.good and any(line.word is Said.UNREADABLE for line in lines)):
        return f"the text beside the structured verdict {word} says another"
    blocker = open_blocker(found) if word == _WORDS.good else ""
    return f"an approval beside something that must be fixed: {blocker}" if blocker else ""


def _written(said: Mapping[str, Any]) -> str:
    """As the one who fixes it, and people, are used to read it."""
    parts = [writable(said["review"]).strip()]
    if said["must_fix"]:
        parts.append("## Must-Fix\n\n" + "\n".join(issue_lines(said["must_fix"])))
    return "\n\n".join([*filter(None, parts), f"**Verdict: {said['verdict']}**"]) + "\n"


def _decide(lines: list[Labelled]) -> tuple[str, str, str]:
    """The word, why it is unclear, and the explanation behind it on its own line."""
    own = [line for line in lines if isinstance(line.word, str)]
    words = {line.word for line in own if line.place is Place.LIVE or line.word != _WORDS.good}
    if len(words) > 1:
        return _UNCLEAR, f"verdicts that contradict each other: {', '.join(sorted(map(str, words)))}", ""
    if not words:
        return _UNCLEAR, _why_none(lines), ""
    (word,) = words
    if word == _WORDS.good and any(line.word is Said.UNREADABLE for line in lines):
        return _UNCLEAR, "a second verdict line that cannot be read stands beside the approval", ""
    said = next((line.tail.strip(" *_—–-:,;.()") for line in reversed(own) if line.tail), "")
    return str(word), "", one_line(said)


def _why_none(lines: list[Labelled]) -> str:
    if not lines:
        return "no verdict line outside of quotations"
    if any(isinstance(line.word, str) for line in lines):
        return "the only verdict line may be a quotation"
    if all(line.word is Said.TEMPLATE for line in lines):
        return "the verdict line is a template that was not filled in"
    return "the verdict line does not say one of the three words, alone"


def _review(word: str, unclear: str, text: str, summary: str = "") -> Review:
    return Review(_VERDICTS[word], word, summary=summary, unclear=unclear, text=text)


def make(*, compat: bool = False, fail_on: Severity = Severity.HIGH, min_confidence: float = 0.0) -> Contract:
    return VerdictLine(compat=compat)
