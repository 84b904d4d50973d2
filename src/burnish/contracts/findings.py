"""The `review` dialect: one dimension's findings as JSON; the verdict follows from their severities."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from burnish.codec import dumps
from burnish.contracts._answers import Form, answer, literal
from burnish.contracts._denials import denial, denying_pair
from burnish.contracts._fields import Fields, Problems
from burnish.contracts._schema import Schema, array, maybe, one_of, record, value
from burnish.contracts._text import writable
from burnish.errors import ContractViolation
from burnish.model.agent import Reply
from burnish.model.dimension import Dimension
from burnish.model.review import Finding, Review, Severity, Verdict
from burnish.ports import Asking, Carrier, Contract

_REQUIRED = ("id", "title", "category", "description", "file", "recommendation")
# Agents write these instead; naming the right key in the answer is what makes them stop.
_MISSPELT = {
    "timestamp": "analysis_timestamp",
    "analyzed_at": "analysis_timestamp",
    "by_severity": "a flat 'summary'",
    "code_snippet": "snippet",
    "exploit_scenario": "impact",
}
_MAX_HIGH = 5
_MOST = 2000
_INSTRUCTIONS = """\
## How to answer

End your answer with exactly one JSON array that holds one object of this form, strictly valid JSON, not in a
code block, not quoted, not indented, nothing behind it:

[{
  "dimension": "security" | "architecture" | "quality" | "action-items" | "performance" | "maintainability"
    | "best-practices",
  "summary": {"total_findings": 0, "critical": 0, "high": 0, "medium": 0, "low": 0, "files_analyzed": 0,
    "lines_reviewed": 0},
  "findings": [{
    "id": "sec-001-1a2b3c4d", "title": "...", "severity": "critical" | "high" | "medium" | "low",
    "category": "...", "description": "...", "file": "path relative to the repository", "line": 1,
    "snippet": "...", "recommendation": "...", "references": [], "impact": "...",
    "metadata": {"confidence": 0.0 to 1.0}
  }, ...]
}]

- `findings` is empty when you found nothing. The counts in `summary` are those of `findings`.
- Severities are lower case: critical for vulnerabilities, data corruption, system-wide failure; high for
  broken features, bottlenecks, architecture violations; medium for smells and style; low for cosmetics.
- Each finding needs id, title, severity, category, description, file, line and recommendation.
- Not allowed as keys: timestamp, analyzed_at, by_severity, code_snippet, exploit_scenario.
"""
_SCHEMA = record(
    dimension=one_of(Dimension),
    analysis=value("string", "What was looked at, how, and why it was judged so; at least 100 words."),
    summary=record(
        **{
            name: value("integer")
            for name in ("total_findings", *Severity, "files_analyzed", "lines_reviewed")
        }
    ),
    findings=array(
        record(
            id=value("string", "Such as sec-001-1a2b3c4d; no two findings have the same."),
            title=value("string"),
            severity=one_of(Severity),
            category=value("string"),
            description=value("string"),
            file=value("string", "Path relative to the repository."),
            line=maybe("integer"),
            snippet=maybe("string"),
            recommendation=value("string"),
            references=array(value("string")),
            impact=maybe("string"),
            metadata=record(
                confidence=maybe("number", "From 0 to 1."),
                cwe_id=maybe("string"),
                owasp_category=maybe("string"),
            ),
        ),
        "Empty when nothing was found.",
    ),
)
_BLOCKING = "\nA finding of severity {fail_on} or worse blocks the change.\n"


class Findings:
    """One dimension object (alone or in an array of one) with `dimension` and `findings`.

    It passes when no finding is at or above the severity that blocks, with enough confidence. Refused: a
    finding without its fields, misspelt keys, counts that contradict the findings. Quoted objects are not
    answers. File names in it are data and are never opened.
    """

    name = "findings"
    carrier: Carrier = "message"

    def __init__(
        self, *, compat: bool = False, fail_on: Severity = Severity.HIGH, min_confidence: float = 0.0
    ) -> None:
        self._compat = compat
        self._fail_on = fail_on
        self._min_confidence = min_confidence
        blocking = "|".join(severity for severity in Severity if severity.at_least(fail_on))
        self._denies = re.compile(
            rf"""["']severity["']\s{{0,9}}:\s{{0,9}}["'](?:{blocking})["'](?!\s{{0,9}}[|/])""", re.A | re.I
        )

    def instructions(self, asking: Asking) -> str:
        return _INSTRUCTIONS + _BLOCKING.format(fail_on=asking.fail_on)

    def schema(self, asking: Asking) -> Schema | None:
        return _SCHEMA

    def parse(self, reply: Reply) -> Review:
        judge = self._judge_literally if self._compat else self._judge
        form = Form(
            "findings object", ("findings",), "missing_field", judge, self._denies, whole=True, prose=False
        )
        return literal(reply, form) if self._compat else answer(reply, form)

    def _judge(self, value: dict[str, Any]) -> Review:
        found = _read(value)
        _check_summary(value, found)
        beside = dumps({key: one for key, one in value.items() if key != "findings"})
        if said := denying_pair(beside) or (self._denies.search(beside) and "a blocking severity") or "":
            raise ContractViolation(
                "conflict", f"the findings object says {said!r} beside its findings", denied=True
            )
        sure = [finding for finding in found if _is_sure(finding, self._min_confidence)]
        blocking = any(finding.severity.at_least(self._fail_on) for finding in sure)
        refusal = next(filter(None, (denial(finding.detail) for finding in found)), None)
        if not blocking and refusal and refusal.refuses:
            raise ContractViolation(
                "conflict", f"a finding that does not block says: {refusal.words}", denied=True
            )
        return _review(found, blocking, len(found) - len(sure))

    def _judge_literally(self, value: dict[str, Any]) -> Review:
        """The seed has no verdict: complete is a review without criticals and with at most five highs."""
        found = _read(value)
        count = Counter(finding.severity for finding in found)
        return _review(found, count[Severity.CRITICAL] > 0 or count[Severity.HIGH] > _MAX_HIGH, 0)


def _read(value: dict[str, Any]) -> tuple[Finding, ...]:
    problems = Problems()
    required = Fields(value, "the findings object", "missing_field", problems)
    _refuse_misspelt(required, value, "malformed")
    dimension = required.text("dimension", required=True)
    items = value.get("findings")
    if not isinstance(items, list):
        required.note(required.violation("findings", "an array", items))
        items = []
    if len(items) > _MOST:
        raise ContractViolation(
            "malformed", f"{len(items)} findings, at most {_MOST} are read: give the worst"
        )
    found = tuple(_finding(item, number, dimension, problems) for number, item in enumerate(items, 1))
    problems.check()
    twice = [name for name, count in Counter(finding.id for finding in found).items() if count > 1]
    if twice:
        raise ContractViolation("bad_finding", f"two findings have the id {twice[0][:60]!r}")
    return found


def _finding(item: Any, number: int, dimension: str, problems: Problems) -> Finding:
    fields = Fields(item, f"finding {number}", "bad_finding", problems)
    if not isinstance(item, dict):
        return Finding("")
    _refuse_misspelt(fields, item, "bad_finding")
    missing = [name for name in (*_REQUIRED, "severity", "line") if not fields.has(name)]
    if missing:
        named = ", ".join(map(repr, missing))
        fields.note(ContractViolation("bad_finding", f"{fields.where} has no {named}"))
    text = {name: fields.text(name, required=fields.has(name)) for name in _REQUIRED}
    metadata = Fields(
        fields.get("metadata") or {}, f"'metadata' of finding {number}", "bad_finding", problems
    )
    own, meta = fields.share("confidence"), metadata.share("confidence")
    return Finding(
        text["title"],
        severity=_severity(fields),
        file=text["file"],
        line=fields.line(),
        detail=text["description"],
        suggestion=text["recommendation"],
        category=text["category"],
        dimension=dimension,
        confidence=meta if own is None else own,
        id=text["id"],
        snippet=_aside(fields, "snippet"),
        impact=_aside(fields, "impact"),
        references=_references(fields.get("references")),
        cwe=_cwe(metadata.get("cwe_id")),
        owasp=_aside(metadata, "owasp_category"),
    )


def _aside(fields: Fields, name: str) -> str:
    """Text that is welcome, but not worth refusing an answer for."""
    return fields.text(name) if isinstance(fields.get(name), str) else ""


def _references(value: Any) -> tuple[str, ...]:
    return tuple(writable(one) for one in value if isinstance(one, str)) if isinstance(value, list) else ()


def _cwe(value: Any) -> str:
    """`CWE-95`, however it was written."""
    found = re.fullmatch(r"(?:CWE)?[- ]?(\d{1,5})", str(value).strip(), re.A | re.I)
    return f"CWE-{int(found[1])}" if found else ""


def _severity(fields: Fields) -> Severity:
    value = fields.get("severity")
    if isinstance(value, str) and value in list(Severity):
        return Severity(value)
    if fields.has("severity"):
        fields.note(fields.violation("severity", "one of critical, high, medium, low (lower case)", value))
    return Severity.CRITICAL


def _refuse_misspelt(fields: Fields, value: dict[str, Any], code: str) -> None:
    summary = value.get("summary")
    keys = [*value, *(summary if isinstance(summary, dict) else ())]
    for wrong in (key for key in keys if key in _MISSPELT):
        why = f"{fields.where}: {wrong!r} is not a key here; write {_MISSPELT[wrong]} instead"
        fields.note(ContractViolation(code, why))


def _check_summary(value: dict[str, Any], found: tuple[Finding, ...]) -> None:
    """Counts that contradict the list mean that one of both is not what the reviewer wanted to say."""
    if value.get("summary") is None:
        return
    fields = Fields(value["summary"], "'summary'", "malformed")
    count = Counter(str(finding.severity) for finding in found)
    actual = {"total_findings": len(found)} | {severity: count[severity] for severity in Severity}
    problems = Problems()
    for name, number in actual.items():
        said = fields.get(name)
        if fields.has(name) and (said != number or isinstance(said, bool)):
            why = f"'summary' says {name} is {said!r:.40}, the findings say {number}"
            problems.add(ContractViolation("conflict", why))
    problems.check()


def _is_sure(finding: Finding, min_confidence: float) -> bool:
    return finding.confidence is None or finding.confidence >= min_confidence


def _review(found: tuple[Finding, ...], blocking: bool, unsure: int) -> Review:
    count = Counter(finding.severity for finding in found)
    parts = [f"{count[severity]} {severity}" for severity in Severity if count[severity]]
    summary = ", ".join(parts) or "no findings"
    if unsure:
        summary += f" ({unsure} below the confidence asked for)"
    ordered = tuple(sorted(found, key=lambda finding: finding.severity.rank))
    verdict = Verdict.FAIL if blocking else Verdict.PASS
    return Review(verdict, str(verdict), summary=summary, findings=ordered)


def make(*, compat: bool = False, fail_on: Severity = Severity.HIGH, min_confidence: float = 0.0) -> Contract:
    return Findings(compat=compat, fail_on=fail_on, min_confidence=min_confidence)
