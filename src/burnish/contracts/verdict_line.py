"""The `task` dialect: a written review with one line `**Verdict: APPROVED**` in it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from burnish.contracts._labels import Words
from burnish.contracts._last_word import LastWord
from burnish.contracts._reading import Dialect, Reading
from burnish.contracts._schema import Schema, array, one_of, record, value
from burnish.contracts._structure import ISSUE, Structure, beside, issue_lines, structures
from burnish.contracts._text import one_line, writable
from burnish.model.agent import Reply
from burnish.model.review import Review, Severity, Verdict
from burnish.ports import Asking, Carrier, Contract

_VERDICTS = {
    "APPROVED": Verdict.PASS,
    "NEEDS_DISCUSSION": Verdict.DISCUSS,
    "CHANGES_REQUESTED": Verdict.FAIL,
}
_UNCLEAR = "CHANGES_REQUESTED"
_DIALECT = Dialect(
    Words(label="verdict", words=tuple(_VERDICTS), good="APPROVED"),
    LastWord("verdict", "APPROVED"),
    _VERDICTS,
    _UNCLEAR,
)
_SEED = re.compile(r"\*\*Verdict:\s*(APPROVED|CHANGES_REQUESTED|NEEDS_DISCUSSION)\*\*")

_INSTRUCTIONS = """\
## How to answer

Write the review as Markdown: a short summary, then every problem that must be fixed under the heading
`## Must-Fix`, one list item each, with file and line; write `None.` there when there is none. The last line
is the verdict and nothing else, not in a list, not in a code block, not quoted, not indented, with an empty
line before it and nothing behind it:

```
**Verdict: WORD**
```

where WORD is exactly one of these three words:

- `APPROVED`: the change can be delivered as it is, nothing must be fixed
- `CHANGES_REQUESTED`: something must be fixed first
- `NEEDS_DISCUSSION`: a person has to decide something before work can go on

Give the verdict once. If you quote text that looks like a verdict, put it in a code block. Two different
verdicts, a verdict with a condition, with text behind it, or beside something that must be fixed, approve
nothing.

If you are held to a JSON form instead, the Markdown goes into its `review`, each problem that must be fixed
into `must_fix`, and the word into `verdict`.
"""
_SCHEMA = record(
    review=value("string", "The review as Markdown: a short summary and what was looked at."),
    must_fix=array(ISSUE, "Every problem that must be fixed; empty with APPROVED."),
    verdict=one_of(_VERDICTS),
)


class VerdictLine:
    """The last line is `**Verdict: X**`, X one of APPROVED, CHANGES_REQUESTED, NEEDS_DISCUSSION.

    Also taken: `Verdict: X`, `**Verdict**: X`, `## Verdict: X`, or a last section `## Verdict` that holds
    only X, any letter case. A denial counts wherever it stands. Anything else (no verdict, a condition, text
    behind an approval, something that must be fixed beside one, sources that disagree) is CHANGES_REQUESTED.
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
        if self._compat:
            return _literal(writable(reply.text))
        given = structures(reply, _SCHEMA)
        message = replace(
            _DIALECT.read("the message", beside(reply, given)), grants=not reply.structure_expected
        )
        report = replace(_DIALECT.read("the report", reply.report or ""), grants=False)
        review = _DIALECT.joined(reply, [*map(_structured, given), message, report])
        written = [_written(one.value) for one in given if one.value is not None]
        return replace(review, text=written[-1] if written else writable(reply.text or reply.report or ""))


def _literal(text: str) -> Review:
    match = _SEED.search(text)
    unclear = "" if match else "no verdict line"
    return replace(_DIALECT.review(match[1] if match else _UNCLEAR, unclear), text=text)


def _structured(given: Structure) -> Reading:
    """An answer of the schema; a malformed one can deny."""
    name, said = "the structured answer", given.value
    if said is None:
        word = given.native("verdict", _VERDICTS)
        denied = word not in ("", _DIALECT.good)
        return Reading(
            name, word if denied else "", against=given.wrong, denied=denied, summary=given.summary
        )
    summary = one_line(next((issue["problem"] for issue in said["must_fix"]), "")) or one_line(said["review"])
    read = Reading(name, said["verdict"], summary=summary, denied=said["verdict"] != _DIALECT.good)
    if read.word == _DIALECT.good and said["must_fix"]:
        return replace(
            read, against=f"an approval beside something that must be fixed: {summary}", denied=True
        )
    return _DIALECT.contradicted(read, said["review"])


def _written(said: Mapping[str, Any]) -> str:
    """As the one who fixes it, and people, are used to read it."""
    parts = [writable(said["review"]).strip()]
    if said["must_fix"]:
        parts.append("## Must-Fix\n\n" + "\n".join(issue_lines(said["must_fix"])))
    return "\n\n".join([*filter(None, parts), f"**Verdict: {said['verdict']}**"]) + "\n"


def make(*, compat: bool = False, fail_on: Severity = Severity.HIGH, min_confidence: float = 0.0) -> Contract:
    return VerdictLine(compat=compat)
