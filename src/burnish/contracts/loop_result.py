"""The `loops` dialect: what the tool `set_loop_review_result` carries, also readable as JSON text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from burnish.codec import dumps
from burnish.contracts._answers import Form, answer, check_pass, literal
from burnish.contracts._denials import undone
from burnish.contracts._fields import Fields, Problems, kind
from burnish.contracts._schema import Schema, array, maybe, one_of_or_none, record, value
from burnish.contracts._text import one_line
from burnish.errors import ContractViolation
from burnish.model.agent import Reply
from burnish.model.review import Finding, Review, Severity, Verdict
from burnish.ports import Asking, Carrier, Contract

TOOL = "set_loop_review_result"
ISSUE_TYPES = (
    "over-engineering", "missing-error-handling", "pattern-violation", "dead-code", "spec-intent-mismatch",
)  # fmt: skip
_INSTRUCTIONS = """\
## How to Report Results

Call the tool `{tool}` when finished, once. If you do not have that tool, end your answer with exactly one
JSON object of the same form, strictly valid JSON, not in a code block, not quoted, not indented, nothing
behind it:

{{
  "loopId": {loop},
{task}  "passed": true | false,
  "interpretedIntent": "what the task was really trying to accomplish",
  "intentSatisfied": true | false,
  "issues": [{{"file": "...", "line": 1, "type": "...", "description": "...", "suggestion": "..."}}, ...]
}}

- `loopId` and `passed` are required. Leave `taskId` out when no task was reviewed (checkpoint).
- `passed` is true only when nothing must be changed; then `issues` is empty and `intentSatisfied` is true.
- Every issue has a `description`; `line` is a number, the rest are strings.
- Issue types: {types}.
"""
_TEMPLATE = {
    "the id of the loop under review",
    "the id of the task under review",
    "what the task was really trying to accomplish",
}
_SCHEMA = record(
    loopId=value("string"),
    taskId=maybe("string", "Null when no task was reviewed (checkpoint)."),
    passed=value("boolean", "True only when nothing must be changed."),
    interpretedIntent=maybe("string", "What the task was really trying to accomplish."),
    intentSatisfied=maybe("boolean"),
    issues=array(
        record(
            file=maybe("string"),
            line=maybe("integer"),
            type=one_of_or_none(ISSUE_TYPES),
            description=value("string"),
            suggestion=maybe("string"),
        ),
        "Empty when it passed.",
    ),
)


class LoopResult:
    """The input of `set_loop_review_result`: loopId and passed, and optional fields of the right type.

    It passes when `passed` is true and `intentSatisfied` is not false. Refused: wrong types, `passed` beside
    issues, an issue without a description, results that contradict each other. Quoted objects are no answers.
    """

    name = "loop-result"
    carrier: Carrier = "tool"

    def __init__(self, *, compat: bool = False, ids: Mapping[str, str] | None = None) -> None:
        self._compat = compat
        self._ids = dict(ids or {})

    def about(self, ids: Mapping[str, str]) -> LoopResult:
        """The same, for results with these ids only: one about another loop is none about this."""
        return LoopResult(compat=self._compat, ids=ids)

    def instructions(self, asking: Asking) -> str:
        ids = asking.ids or {}
        return _INSTRUCTIONS.format(
            tool=ids.get("tool", TOOL),
            loop=dumps(ids.get("loopId", "the id of the loop under review")),
            task=_task_line(ids),
            types=", ".join(ISSUE_TYPES),
        )

    def schema(self, asking: Asking) -> Schema | None:
        return _SCHEMA

    def parse(self, reply: Reply) -> Review:
        if self._compat:
            return literal(reply, _LITERAL)
        return answer(reply, replace(_FORM, judge=partial(_judge, ids=self._ids)) if self._ids else _FORM)


def _task_line(ids: Mapping[str, str]) -> str:
    """Left out where a loop is reviewed and no task of it (checkpoint)."""
    task = ids.get("taskId", "" if ids else "the id of the task under review")
    return f'  "taskId": {dumps(task)},\n' if task else ""


@dataclass(frozen=True)
class _Result:
    passed: bool
    intent: str
    satisfied: bool | None
    findings: tuple[Finding, ...]

    def review(self, passed: bool) -> Review:
        findings = self.findings
        missed = f"not what was intended: {self.intent}" if self.satisfied is False else ""
        if missed and not findings:
            findings = (Finding(one_line(missed), detail=missed, category="spec-intent-mismatch"),)
        summary = one_line(self.intent) if passed else next((finding.title for finding in findings), "")
        verdict = Verdict.PASS if passed else Verdict.FAIL
        return Review(
            verdict,
            "passed" if passed else "failed",
            summary=summary,
            findings=findings,
            intent=self.intent,
            intent_satisfied=self.satisfied,
        )


def _judge(value: dict[str, Any], ids: Mapping[str, str] | None = None) -> Review:
    result = _read(value, ids or {})
    if result.passed and result.findings:
        raise ContractViolation(
            "conflict",
            f"'passed' is true beside {len(result.findings)} issues; a review that passes has none",
        )
    if result.passed and _TEMPLATE & {value.get("loopId"), value.get("taskId"), result.intent}:
        raise ContractViolation("malformed", "the result is a template that was not filled in")
    if result.passed:
        check_pass(value, _SCHEMA["properties"])
        if undone(result.intent):
            raise ContractViolation(
                "conflict", f"a pass whose intent says: {one_line(result.intent)}", denied=True
            )
    return result.review(result.passed and result.satisfied is not False)


def _judge_literally(value: dict[str, Any]) -> Review:
    """The seed takes `passed` as given."""
    result = _read(value, {})
    return result.review(result.passed)


def _read(value: dict[str, Any], ids: Mapping[str, str]) -> _Result:
    problems = Problems()
    required = Fields(value, "the result", "missing_field", problems)
    required.text("loopId", required=True)
    passed = value.get("passed")
    if not required.has("passed"):
        required.note(required.violation("passed", "true or false", None))
    elif not isinstance(passed, bool):
        why = f"'passed' must be true or false, found {kind(passed)}"
        required.note(ContractViolation("bad_verdict", why))
    optional = Fields(value, "the result", "malformed", problems)
    optional.text("taskId")
    for name, expected in ids.items():
        if expected and isinstance(value.get(name), str) and value[name] != expected:
            optional.note(optional.violation(name, dumps(expected), value[name]))
    issues = optional.items("issues")
    result = _Result(
        passed is True,
        optional.text("interpretedIntent"),
        optional.truth("intentSatisfied"),
        tuple(_finding(issue, number, problems) for number, issue in enumerate(issues, 1)),
    )
    problems.check()
    return result


def _finding(issue: Any, number: int, problems: Problems) -> Finding:
    fields = Fields(issue, f"issue {number}", "bad_finding", problems)
    if not isinstance(issue, dict):
        return Finding("")
    description = fields.text("description", required=True)
    return Finding(
        one_line(description) or description.strip()[:80],
        file=fields.text("file"),
        line=fields.line(),
        detail=description,
        suggestion=fields.text("suggestion"),
        category=fields.text("type"),
    )


_FAILS = re.compile(
    r"""["'](?:passed|intentSatisfied)["']\s{0,9}:\s{0,9}["']?false\b(?!\s{0,9}[|/])""", re.ASCII
)
_KEYS = ("passed", "loopId")
_FORM = Form("loop review result", _KEYS, "missing_field", _judge, _FAILS, closing="REVIEW_COMPLETE")
_LITERAL = Form("loop review result", _KEYS, "missing_field", _judge_literally, _FAILS)


def make(*, compat: bool = False, fail_on: Severity = Severity.HIGH, min_confidence: float = 0.0) -> Contract:
    return LoopResult(compat=compat)
