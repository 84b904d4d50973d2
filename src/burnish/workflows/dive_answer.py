"""The form of a deep dive's answer: what the prompt asks for, and the check of what comes back."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from burnish.contracts._schema import array, one_of, record, value
from burnish.errors import ContractViolation
from burnish.model.agent import Reply
from burnish.model.assessment import Dive, PlanStep
from burnish.model.review import Finding, Severity
from burnish.workflows.answer_object import object_with
from burnish.workflows.complaint import malformed

INSTRUCTIONS = """\
## How to answer

End your answer with exactly one JSON object of this form, strictly valid JSON, nothing behind it:

{
  "finding_id": "sec-001-1a2b3c4d",
  "root_cause": {"summary": "...", "details": "...", "affected_scope": "...",
    "similar_patterns": ["path:line", ...]},
  "remediation_plan": {"approach": "...", "priority": "P0 - ...", "estimated_effort": "...",
    "risk_level": "low" | "medium" | "high" | "critical",
    "steps": [{"step": 1, "action": "...", "files": ["path:function:lines"], "commands": [],
      "rationale": "...", "validation": "..."}, ...],
    "rollback_strategy": "..."},
  "impact_assessment": {"files_affected": [], "tests_required": [], "breaking_changes": false},
  "reassessed_severity": "critical" | "high" | "medium" | "low",
  "severity_change_reason": "...",
  "confidence_score": 0.0 to 1.0,
  "references": []
}

- `finding_id` is the id above. `summary`, `approach`, at least one step, `reassessed_severity` and
  `confidence_score` are needed; a severity that differs from the one above needs its reason.
- Commands are told to a person. Nobody runs them.
"""

_TEXTS = array(value("string"))
SCHEMA = record(
    finding_id=value("string"),
    root_cause=record(
        summary=value("string"),
        details=value("string", "What was looked at, how, and why it is so; at least 100 words."),
        affected_scope=value("string"),
        similar_patterns=_TEXTS,
    ),
    remediation_plan=record(
        approach=value("string"),
        priority=value("string"),
        estimated_effort=value("string"),
        risk_level=one_of(("low", "medium", "high", "critical")),
        steps=array(
            record(
                step=value("integer"),
                action=value("string"),
                files=_TEXTS,
                commands=_TEXTS,
                rationale=value("string"),
                validation=value("string"),
            )
        ),
        rollback_strategy=value("string"),
    ),
    impact_assessment=record(files_affected=_TEXTS, tests_required=_TEXTS, breaking_changes=value("boolean")),
    reassessed_severity=one_of(Severity),
    severity_change_reason=value("string"),
    confidence_score=value("number"),
    references=_TEXTS,
)
_MOST = 50
_Text = Annotated[str, Field(max_length=8000), BeforeValidator(lambda value: "" if value is None else value)]
_Needed = Annotated[str, Field(min_length=1, max_length=8000)]
_Texts = Annotated[list[_Text], BeforeValidator(lambda value: [] if value is None else value)]


class _Form(BaseModel):
    """Unknown keys are ignored: agents like to add some, and none of them is acted upon."""

    model_config = ConfigDict(extra="ignore", strict=True, str_strip_whitespace=True)


class _RootCause(_Form):
    summary: _Needed
    details: _Text = ""
    affected_scope: _Text = ""
    similar_patterns: _Texts = Field(default_factory=list)


class _Step(_Form):
    action: _Needed
    files: _Texts = Field(default_factory=list)
    commands: _Texts = Field(default_factory=list)
    rationale: _Text = ""
    validation: _Text = ""


class _Plan(_Form):
    approach: _Needed
    priority: _Text = ""
    estimated_effort: _Text = ""
    risk_level: _Text = ""
    steps: list[_Step] = Field(min_length=1, max_length=_MOST)
    rollback_strategy: _Text = ""


class _Impact(_Form):
    files_affected: _Texts = Field(default_factory=list)
    tests_required: _Texts = Field(default_factory=list)
    breaking_changes: bool = False


class _Answer(_Form):
    finding_id: str
    root_cause: _RootCause
    remediation_plan: _Plan
    impact_assessment: _Impact = _Impact()
    reassessed_severity: Severity = Field(strict=False)
    severity_change_reason: _Text = ""
    confidence_score: float = Field(ge=0, le=1, allow_inf_nan=False)
    references: _Texts = Field(default_factory=list)


def read_dive(reply: Reply, finding: Finding, iteration: int) -> Dive:
    """Raises ContractViolation, in words that can be put before the agent again."""
    try:
        answer = _Answer.model_validate(object_with("root_cause", reply))
    except ValidationError as error:
        raise malformed("answer", error.errors(include_url=False, include_input=False)) from None
    if answer.finding_id != finding.id:
        raise ContractViolation(
            "malformed", f"'finding_id' is {answer.finding_id[:60]!r}, expected {finding.id!r}"
        )
    if answer.reassessed_severity is not finding.severity and not answer.severity_change_reason:
        raise ContractViolation("malformed", "the severity was changed without 'severity_change_reason'")
    return _dive(answer, finding, iteration)


def _dive(answer: _Answer, finding: Finding, iteration: int) -> Dive:
    plan, cause, impact = answer.remediation_plan, answer.root_cause, answer.impact_assessment
    return Dive(
        finding_id=finding.id,
        iteration=iteration,
        root_cause=cause.summary,
        details=cause.details,
        scope=cause.affected_scope,
        similar=tuple(cause.similar_patterns[:_MOST]),
        affected=tuple(impact.files_affected[:_MOST]),
        tests=tuple(impact.tests_required[:_MOST]),
        approach=plan.approach,
        priority=plan.priority,
        effort=plan.estimated_effort,
        risk=plan.risk_level,
        steps=tuple(
            PlanStep(step.action, tuple(step.files), tuple(step.commands), step.rationale, step.validation)
            for step in plan.steps
        ),
        rollback=plan.rollback_strategy,
        breaking=impact.breaking_changes,
        severity=answer.reassessed_severity,
        reason=answer.severity_change_reason or "unchanged",
        confidence=answer.confidence_score,
        references=tuple(answer.references[:_MOST]),
    )
