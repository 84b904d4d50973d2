"""The `spec` dialect: a report with a heading `## Grade: PASS`, WARN or FAIL."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from burnish.contracts._inline import TooBusy
from burnish.contracts._labels import Labelled, Said, Words
from burnish.contracts._markdown import Layout, Place, own_lines
from burnish.contracts._review_text import reason
from burnish.contracts._schema import Schema, array, one_of, record, value
from burnish.contracts._structure import ISSUE, Structure, issue_lines, structure
from burnish.contracts._text import clean, one_line, too_long, writable
from burnish.model.agent import Reply
from burnish.model.review import Review, Severity, Verdict
from burnish.ports import Asking, Carrier, Contract

_VERDICTS = {"PASS": Verdict.PASS, "WARN": Verdict.WARN, "FAIL": Verdict.FAIL}
_BADNESS = {"PASS": 0, "WARN": 1, "FAIL": 2}
_WORDS = Words(label="grade", words=tuple(_VERDICTS), good="PASS", qualifiers="final|overall")
# Grades of a part can only lower the final one, so they need not be headings.
_PARTS = re.compile(
    r"[ ]{0,3}(?:[-*#]+[ ]+)?[*_]*(?:(?!(?i:previous|prior|last|earlier|cycle)\b)[\w-]+[ ]){0,3}"
    r"(?:Compliance|Quality|Grade)\b[^:\n]{0,20}:[ *_`]{0,8}(WARN|FAIL)\b"
    r"(?![ *_`]{0,8}(?:when|if|means|[|/=?]))",
    re.ASCII,
)
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
file and line. End it with exactly one grade, as a heading on a line of its own, not in a code block, not
quoted, not indented:

```
## Grade: GRADE
```

where GRADE is exactly one of the words `PASS`, `WARN`, `FAIL`, and nothing else stands on that line. Give the
grade once. If you quote text that looks like a grade, put it in a code block. A grade with a condition behind
it, two that differ, or none, counts as FAIL.
"""
_TO_FILE = """
Write the report to the file `{report}`. When it is written, answer with exactly: done
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
    """A heading `## Grade: X`, X one of PASS, WARN, FAIL, outside of quotations.

    It is looked for in the report file if there is one, else in the message. Of several grades the worst
    counts (which is what the matrix of compliance and quality says, too). Anything unclear (no grade, a
    condition, an unknown word) is FAIL.
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
        if reply.structured is not None and not self._compat:
            return _structured(structure(reply, _SCHEMA, "grade"))
        text = writable(reply.text if reply.report is None else reply.report)
        if self._compat:
            return _literal(text)
        unsure = too_long(reply, text)
        try:
            found = own_lines(clean(text), _WORDS.mention)
            word, unclear = _decide(found)
        except TooBusy as error:
            return _review("FAIL", str(error), text)
        if unsure and word == "PASS":
            word, unclear = "FAIL", unsure
        return _review(word, unclear, text, reason(found))


def _structured(given: Structure) -> Review:
    """An answer of the schema: the worst of its grades, and of what the words beside it say."""
    said = given.value
    if said is None:
        return _review("FAIL", given.wrong, given.text)
    text = _written(said)
    summary = one_line(next((issue["problem"] for issue in said["problems"]), "")) or one_line(said["report"])
    worst = max((said["compliance"], said["quality"], said["grade"]), key=_BADNESS.__getitem__)
    if worst != said["grade"]:
        return _review(worst, f"the grade {said['grade']} contradicts a part graded {worst}", text, summary)
    if worst == "PASS" and said["problems"]:
        return _review("FAIL", f"a PASS beside a problem: {summary}", text, summary)
    unclear = given.wrong
    if worst == "PASS":
        unclear = unclear or next(filter(None, map(_denial, given.beside)), "")
    return _review("FAIL" if unclear else worst, unclear, text, summary)


def _denial(text: str) -> str:
    """What words beside a structured PASS say against it."""
    try:
        found = own_lines(clean(text), _WORDS.mention)
        lines = _WORDS.find(found)
    except TooBusy as error:
        return str(error)
    worse = {line.word for line in lines if line.word not in ("PASS", Said.TEMPLATE)}
    return "the text beside the structured PASS says another grade" if worse or _parts(found) else ""


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
    return _review(word, unclear, text)


def _decide(found: Layout) -> tuple[str, str]:
    """The grade and why it is unclear."""
    lines = _WORDS.find(found)
    grades = [line for line in lines if line.heading and isinstance(line.word, str)]
    if not any(line.place is Place.LIVE for line in grades):
        return "FAIL", _why_none(lines)
    if any(line.word is Said.UNREADABLE and line.heading for line in lines):
        return "FAIL", "a grade that is none of PASS, WARN, FAIL stands beside another"
    worst = max((str(line.word) for line in grades), key=_BADNESS.__getitem__)
    lowered = max([worst, *_parts(found)], key=_BADNESS.__getitem__)
    if worst == "PASS" and lowered == "PASS" and _unfinished(found, grades):
        return "FAIL", "the part after the last grade has none"
    if lowered != worst:
        return lowered, f"the grade {worst} contradicts a part graded {lowered}"
    return worst, ""


def _parts(found: Layout) -> list[str]:
    """Grades of parts, on a line with their name or alone under their heading."""
    parts, in_section = [], False
    for line, place in zip(found.lines, found.places, strict=True):
        if place >= Place.INDENTED or not line.strip():
            continue
        short = line[:_CHARS]
        part = _PARTS.match(short) or _IN_HEADING.match(short) or (in_section and _UNDER_HEADING.match(short))
        if part:
            parts.append(part[1].upper())
        if line.lstrip().startswith("#"):
            in_section = bool(_SECTION.match(short))
    return parts


def _unfinished(found: Layout, grades: list[Labelled]) -> bool:
    """Whether the report was still going through its parts when it gave its last grade."""
    marked = enumerate(zip(found.lines, found.places, strict=True))
    parts = [number for number, (line, place) in marked if place == Place.LIVE and _SECTION.match(line)]
    last = max(line.number for line in grades)
    return bool(parts) and parts[0] < last < parts[-1]


def _why_none(lines: list[Labelled]) -> str:
    if any(isinstance(line.word, str) for line in lines):
        return "the grade is not a heading like '## Grade: PASS', or may be a quotation"
    if lines and all(line.word is Said.TEMPLATE for line in lines):
        return "the grade is a template that was not filled in"
    if lines:
        return "the grade is not one of the three words, alone"
    return "no grade outside of quotations"


def _review(word: str, unclear: str, text: str, summary: str = "") -> Review:
    return Review(_VERDICTS[word], word, summary=summary, unclear=unclear, text=text)


def make(*, compat: bool = False, fail_on: Severity = Severity.HIGH, min_confidence: float = 0.0) -> Contract:
    return Grade(compat=compat)
