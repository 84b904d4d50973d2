"""The form of a planner's answer: what the prompt asks for, and the check of what comes back."""

from __future__ import annotations

from collections import Counter
from typing import Annotated

from pydantic import AliasChoices, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from burnish.contracts._schema import array, one_of, record, value
from burnish.errors import ContractViolation
from burnish.model.agent import Reply
from burnish.model.fixing import Batch, Complexity, FixGroup, FixStage, PartialPlan, Risk, StageMode
from burnish.workflows.answer_object import object_with
from burnish.workflows.complaint import malformed
from burnish.workflows.embedded_plan import files_of

INSTRUCTIONS = """\
## How to answer

End your answer with exactly one JSON object of this form, strictly valid JSON, nothing behind it:

{
  "groups": [{
    "group_id": "G1", "group_name": "...", "findings": ["sec-001-1a2b3c4d", ...],
    "fix_strategy": {"approach": "...", "rationale": "...", "complexity": "low" | "medium" | "high",
      "estimated_duration_minutes": 5, "test_pattern": "...", "rollback_plan": "..."},
    "risk_assessment": {"level": "low" | "medium" | "high" | "critical", "concerns": [], "mitigation": "..."}
  }, ...],
  "timeline": [{"stage": 1, "groups": ["G1", ...], "execution_mode": "parallel" | "serial", "depends_on": [],
    "rationale": "..."}, ...]
}

- Every finding above is in exactly one group, two to five findings in a group where that makes sense.
- Every group is in exactly one stage; `depends_on` names earlier stages. Groups that touch the same file do
  not stand in one parallel stage.
"""

SCHEMA = record(
    groups=array(
        record(
            group_id=value("string"),
            group_name=value("string"),
            findings=array(value("string"), "ids of the findings"),
            fix_strategy=record(
                approach=value("string"),
                rationale=value("string"),
                complexity=one_of(Complexity),
                estimated_duration_minutes=value("integer"),
                test_pattern=value("string"),
                rollback_plan=value("string"),
            ),
            risk_assessment=record(
                level=one_of(Risk), concerns=array(value("string")), mitigation=value("string")
            ),
        )
    ),
    timeline=array(
        record(
            stage=value("integer"),
            groups=array(value("string")),
            execution_mode=one_of(StageMode),
            depends_on=array(value("integer")),
            rationale=value("string"),
        )
    ),
)

_Text = Annotated[str, Field(max_length=4000), BeforeValidator(lambda value: value or "")]


class _Form(BaseModel):
    """Unknown keys are ignored: agents like to add some, and none of them is acted upon."""

    model_config = ConfigDict(extra="ignore", strict=True)


class _Strategy(_Form):
    approach: _Text = ""
    rationale: _Text = ""
    complexity: Complexity = Field(default=Complexity.MEDIUM, strict=False)
    estimated_duration_minutes: int = Field(default=5, ge=0, le=10_000)
    test_pattern: _Text = ""
    rollback_plan: _Text = ""


class _Risks(_Form):
    level: Risk = Field(default=Risk.MEDIUM, strict=False)
    concerns: list[_Text] = Field(default_factory=list, max_length=50)
    mitigation: _Text = ""


class _Group(_Form):
    group_id: str = Field(min_length=1, max_length=100)
    group_name: _Text = ""
    findings: list[str] = Field(min_length=1, max_length=1000)
    fix_strategy: _Strategy = _Strategy()
    risk_assessment: _Risks = _Risks()


class _Stage(_Form):
    stage: int = Field(validation_alias=AliasChoices("stage", "stage_id"))
    groups: list[str] = Field(min_length=1, max_length=1000)
    execution_mode: StageMode = Field(default=StageMode.PARALLEL, strict=False)
    depends_on: list[int] = Field(default_factory=list)
    rationale: _Text = ""


class _Plan(_Form):
    groups: list[_Group] = Field(min_length=1, max_length=1000)
    timeline: list[_Stage] = Field(default_factory=list, max_length=1000)


def read_plan(reply: Reply, batch: Batch) -> PartialPlan:
    """Raises ContractViolation, in words that can be put before the planner again."""
    try:
        plan = _Plan.model_validate(object_with("groups", reply, "plan object"))
    except ValidationError as error:
        raise malformed("plan", error.errors(include_url=False, include_input=False)) from None
    _check_findings(plan, batch)
    _check_stages(plan)
    known = {finding.id: finding for finding in batch.findings}
    groups = tuple(
        FixGroup(
            id=group.group_id,
            name=group.group_name,
            findings=tuple(group.findings),
            # From the findings, not from the planner: what may run at once hangs on it.
            files=files_of(tuple(known[name] for name in group.findings)),
            approach=group.fix_strategy.approach,
            rationale=group.fix_strategy.rationale,
            complexity=group.fix_strategy.complexity,
            minutes=group.fix_strategy.estimated_duration_minutes,
            test_pattern=group.fix_strategy.test_pattern,
            rollback=group.fix_strategy.rollback_plan,
            risk=group.risk_assessment.level,
            concerns=tuple(group.risk_assessment.concerns),
            mitigation=group.risk_assessment.mitigation,
        )
        for group in plan.groups
    )
    return PartialPlan(batch.number, groups, _stages(plan))


def _check_findings(plan: _Plan, batch: Batch) -> None:
    count = Counter(name for group in plan.groups for name in group.findings)
    known = [finding.id for finding in batch.findings]
    unknown = [name for name in count if name not in known]
    missing = [name for name in known if name not in count]
    twice = [name for name, times in count.items() if times > 1]
    for names, what in ((unknown, "is none of these findings"), (missing, "is in no group")):
        if names:
            raise ContractViolation("bad_plan", f"the finding {names[0][:100]!r} {what}")
    if twice:
        raise ContractViolation("bad_plan", f"the finding {twice[0]!r} is planned twice")


def _check_stages(plan: _Plan) -> None:
    ids = [group.group_id for group in plan.groups]
    if len(set(ids)) < len(ids):
        raise ContractViolation("bad_plan", "two groups have the same group_id")
    staged = [name for stage in plan.timeline for name in stage.groups]
    if plan.timeline and sorted(staged) != sorted(ids):
        raise ContractViolation("bad_plan", "every group must be in exactly one stage of the timeline")
    earlier: set[int] = set()
    for stage in plan.timeline:
        if stage.stage in earlier or not set(stage.depends_on) <= earlier:
            raise ContractViolation(
                "bad_plan",
                f"stage {stage.stage} must have a number of its own and depend on earlier ones only",
            )
        earlier.add(stage.stage)


def _stages(plan: _Plan) -> tuple[FixStage, ...]:
    if not plan.timeline:
        return (FixStage(1, tuple(group.group_id for group in plan.groups)),)
    return tuple(
        FixStage(
            found.stage, tuple(found.groups), found.execution_mode, tuple(found.depends_on), found.rationale
        )
        for found in plan.timeline
    )
