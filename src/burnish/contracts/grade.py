"""The `spec` dialect: a report with a heading `## Grade: PASS`, WARN or FAIL."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from burnish.contracts._labels import Words
from burnish.contracts._last_word import LastWord
from burnish.contracts._markdown import Layout, Place
from burnish.contracts._reading import Dialect, Reading
from burnish.contracts._schema import Schema, array, one_of, record, value
from burnish.contracts._structure import ISSUE, Structure, beside, issue_lines, structures
from burnish.contracts._text import clean, one_line, writable
from burnish.model.agent import Reply
from burnish.model.review import Review, Severity, Verdict
from burnish.ports import Asking, Carrier, Contract

_VERDICTS = {"PASS": Verdict.PASS, "WARN": Verdict.WARN, "FAIL": Verdict.FAIL}
_BADNESS = {"PASS": 0, "WARN": 1, "FAIL": 2}
# Grades of a part can only lower the final one, so they need not be headings.
_PARTS = re.compile(
    r"[\s>#|+*_-]*(?:\d{1,3}[.)]\s*)?[*_]*(?P<which>(?:[\w-]+[ ]){0,3})(?:Compliance|Quality|Grade)\b"
    r"[^:|\n–—-]{0,20}[:|–—-]+[\s*_`|]*(?P<value>warn\w*|fail\w*|partial\w*|incomplete|unmet|insufficient|poor|❌|⚠"
    r"|not (?:met|satisfied|compliant|acceptable|complete|done|ok))(?!\w)"
    r"(?![ *_`]{0,8}(?:when|if|means|[|/=?]\s*\w))",
    re.IGNORECASE,
)
_EARLIER = re.compile(r"previous|prior|earlier|old|cycle", re.IGNORECASE)
_UNDER_HEADING = re.compile(
    r"[\W_]{0,12}(?:(?:result|verdict|status|rating|assessment)[\W_]{1,6})?(WARN|FAIL)(?:[\W_]*$|[*_`]{0,3}[:.,;(\u2014\u2013-])",
    re.IGNORECASE,
)
_IN_HEADING = re.compile(r" {0,3}#{1,6}[ \t].*\b(?:compliance|quality)\b.*\b(WARN|FAIL)\b", re.IGNORECASE)
_PART = re.compile(
    r"[ ]{0,3}(?:[-*#]+[ ]+)?[*_]*(Compliance|Quality)\b[^:\n]{0,20}:[ *_`]{0,8}(PASS|WARN|FAIL)\b", re.ASCII
)
_BARE = re.compile(r"[\W_]{0,12}(?:(?:Grade|Result|Verdict)[\W_]{1,6})?(PASS|WARN|FAIL)[\W_]*$", re.ASCII)
_CHARS = 300
_SECTION = re.compile(r" {0,3}#{1,6}[ \t].*\b(?:compliance|quality)\b", re.ASCII | re.IGNORECASE)

_INSTRUCTIONS = """\
## How to answer

Judge two things apart from each other, each with PASS, WARN or FAIL: compliance (does the work do what was
asked, completely?) and quality (is it well made?). The grade of the whole follows from both:

| Compliance | Quality | Grade |
|------------|---------|-------|
| PASS | PASS | PASS |
| PASS | WARN | WARN |
| PASS | FAIL | FAIL |
| WARN | PASS or WARN | WARN |
| WARN | FAIL | FAIL |
| FAIL | whatever | FAIL |

Write a Markdown report with the sections `## Compliance` and `## Quality`, every problem as a list item with
file and line. Its last line is the grade as a heading and nothing else, not in a code block, not quoted,
not indented, with nothing behind it:

```
## Grade: GRADE
```

where GRADE is exactly one of the words `PASS`, `WARN`, `FAIL`. Give the grade once. If you quote text that
looks like a grade, put it in a code block. A grade with a condition, with text behind it, two that differ, or
none, counts as FAIL.
"""
_TO_FILE = """
Write the report to the file `{report}`. When it is written, answer with `done`, an empty line, and the same
grade heading as the last line, so that your own words say what the file says.
"""
_HELD = """
If you are held to a JSON form instead, the whole report goes into its `report`, each problem into `problems`,
and the three grades into `compliance`, `quality` and `grade`; then no file has to be written.
"""
_SCHEMA = record(
    report=value("string", "The report as Markdown."),
    problems=array(ISSUE, "Every problem that keeps it from a PASS; empty with PASS."),
    compliance=one_of(_VERDICTS),
    quality=one_of(_VERDICTS),
    grade=one_of(_VERDICTS, "The worse one of compliance and quality."),
)


class Grade:
    """The last line is a heading `## Grade: X`, X one of PASS, WARN, FAIL.

    It is read in the report file and in the message, which must not disagree. Of several grades the worst
    counts (which is what the matrix of compliance and quality says, too). Anything unclear (no grade, a
    condition, text behind a PASS, an unknown word) is FAIL.
    """

    name = "grade"
    carrier: Carrier = "report"

    def __init__(self, *, compat: bool = False) -> None:
        self._compat = compat

    def instructions(self, asking: Asking) -> str:
        return _INSTRUCTIONS + (_TO_FILE.format(report=asking.report) if asking.report else "") + _HELD

    def schema(self, asking: Asking) -> Schema | None:
        return None if self._compat else _SCHEMA

    def parse(self, reply: Reply) -> Review:
        text = writable(reply.text if reply.report is None else reply.report)
        if self._compat:
            return _literal(text)
        given = structures(reply, _SCHEMA)
        prose = not reply.structure_expected
        report = replace(
            _DIALECT.read("the report", reply.report or ""), grants=prose and reply.report_witnessed
        )
        message = replace(_DIALECT.read("the message", beside(reply, given)), grants=prose)
        review = _DIALECT.joined(reply, [*map(_structured, given), report, message])
        written = [_written(one.value) for one in given if one.value is not None]
        return replace(review, text=written[-1] if written else text)


def _structured(given: Structure) -> Reading:
    """An answer of the schema: the worst of its grades. A malformed one can deny."""
    name, said = "the structured answer", given.value
    if said is None:
        words = [given.native(key, _VERDICTS) for key in ("compliance", "quality", "grade")]
        worst = max(filter(None, words), key=_BADNESS.__getitem__, default="")
        denied = worst not in ("", "PASS")
        return Reading(
            name, worst if denied else "", against=given.wrong, denied=denied, summary=given.summary
        )
    summary = one_line(next((issue["problem"] for issue in said["problems"]), "")) or one_line(said["report"])
    worst = max((said["compliance"], said["quality"], said["grade"]), key=_BADNESS.__getitem__)
    read = Reading(name, worst, summary=summary, denied=worst != "PASS")
    if worst != said["grade"]:
        return replace(read, against=f"the grade {said['grade']} contradicts a part graded {worst}")
    if worst == "PASS" and said["problems"]:
        return replace(read, against=f"a PASS beside a problem: {summary}", denied=True)
    return _DIALECT.contradicted(read, said["report"])


def _written(said: Mapping[str, Any]) -> str:
    """As the one who fixes it, and people, are used to read it."""
    graded = "\n\n".join(f"## {part.title()}\n\nGrade: {said[part]}" for part in ("compliance", "quality"))
    listed = "## Problems\n\n" + "\n".join(issue_lines(said["problems"])) if said["problems"] else ""
    parts = (writable(said["report"]).strip(), graded, listed, f"## Grade: {said['grade']}")
    return "\n\n".join(filter(None, parts)) + "\n"


def part_grades(text: str) -> tuple[str, str]:
    """What a report says of compliance and of quality, each for itself; empty where it does not."""
    found = {"compliance": "", "quality": ""}
    section = ""
    for line in clean(text).splitlines():
        short = line[:_CHARS]
        if heading := _SECTION.match(short):
            section = "compliance" if "compliance" in heading[0].casefold() else "quality"
        elif short.lstrip().startswith("#"):
            section = ""
        named = _PART.match(short)
        part = named[1].casefold() if named else section
        grade = named[2] if named else _BARE.match(short)
        if part and grade and not found[part]:
            found[part] = grade if isinstance(grade, str) else grade[1]
    return found["compliance"], found["quality"]


def _literal(text: str) -> Review:
    """The seed's own rule: a substring, PASS first."""
    word = next((word for word in ("PASS", "WARN") if f"## Grade: {word}" in text), "FAIL")
    unclear = "" if word != "FAIL" or "## Grade: FAIL" in text else "no grade"
    return replace(_DIALECT.review(word, unclear), text=text)


def _parts(found: Layout) -> list[str]:
    """Grades of parts that lower the whole, on a line with their name or alone under their heading."""
    parts, in_section, in_table = list[str](), False, False
    for line, place in zip(found.lines, found.places, strict=True):
        if place >= Place.INDENTED or not line.strip():
            continue
        short = line[:_CHARS]
        cells = [cell.strip(" *_`").upper() for cell in short.split("|")] if "|" in short else []
        in_table = bool(cells) and (in_table or {"COMPLIANCE", "QUALITY"} <= set(cells))
        parts += [cell for cell in cells if in_table and cell in ("WARN", "FAIL")]
        part = _PARTS.match(short)
        if part and not _EARLIER.search(part["which"]):
            parts.append("WARN" if part["value"].upper() == "WARN" else "FAIL")
        elif part := _IN_HEADING.match(short) or (in_section and _UNDER_HEADING.match(short)) or None:
            parts.append(part[1].upper())
        if line.lstrip().startswith("#"):
            in_section = bool(_SECTION.match(short))
    return parts


_DIALECT = Dialect(
    Words(label="grade", words=tuple(_VERDICTS), good="PASS", qualifiers="final|overall"),
    LastWord("grade", "PASS", heading=True),
    _VERDICTS,
    "FAIL",
    _parts,
    worst_counts=True,
)


def make(*, compat: bool = False, fail_on: Severity = Severity.HIGH, min_confidence: float = 0.0) -> Contract:
    return Grade(compat=compat)
