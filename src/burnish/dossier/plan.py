"""partial-plan-<batch>.json and fix-plan.json: who fixes what, and in which order."""

from __future__ import annotations

from typing import Literal

from burnish.dossier.page import Page
from burnish.model.fixing import FixGroup, FixPlan, FixStage, PartialPlan

PARALLEL_LIMIT = 3


class FixStrategy(Page):
    approach: str
    rationale: str
    complexity: str
    estimated_duration_minutes: int
    test_pattern: str
    rollback_plan: str


class RiskAssessment(Page):
    level: str
    concerns: list[str]
    mitigation: str


class GroupEntry(Page):
    group_id: str
    group_name: str
    findings: list[str]
    fix_strategy: FixStrategy
    risk_assessment: RiskAssessment
    progress_file: str | None = None


class StageEntry(Page):
    """`stage` and `stage_id` are the same number: the seed's template and code disagree about the name."""

    stage: int
    stage_id: int
    groups: list[str]
    execution_mode: Literal["parallel", "serial"]
    depends_on: list[int]
    rationale: str


class PartialPlanMetadata(Page):
    findings_count: int
    groups_count: int
    created_at: str


class PartialPlanFile(Page):
    batch_id: int
    groups: list[GroupEntry]
    timeline: list[StageEntry]
    metadata: PartialPlanMetadata
    analysis_quality: str = "full"
    failed: str | None = None


class ExecutionStrategy(Page):
    approach: Literal["hybrid", "parallel", "serial"]
    parallel_limit: int
    total_stages: int
    rationale: str


class FixPlanFile(Page):
    plan_id: str
    fix_session_id: str
    review_id: str
    created_at: str
    total_findings: int
    execution_strategy: ExecutionStrategy
    groups: list[GroupEntry]
    timeline: list[StageEntry]


def partial_plan_file(plan: PartialPlan, at: str) -> PartialPlanFile:
    return PartialPlanFile(
        batch_id=plan.batch,
        groups=[_group(group) for group in plan.groups],
        timeline=[_stage(stage) for stage in plan.stages],
        metadata=PartialPlanMetadata(
            findings_count=sum(len(group.findings) for group in plan.groups),
            groups_count=len(plan.groups),
            created_at=at,
        ),
        analysis_quality="degraded" if plan.degraded else "full",
        failed=plan.failed or None,
    )


def fix_plan_file(plan: FixPlan, fix_session: str, review_id: str, at: str) -> FixPlanFile:
    together = any(len(stage.groups) > 1 for stage in plan.stages)
    approach: Literal["hybrid", "parallel", "serial"] = "serial"
    if together:
        approach = "parallel" if len(plan.stages) == 1 else "hybrid"
    return FixPlanFile(
        plan_id=f"plan-{fix_session.removeprefix('fix-')}",
        fix_session_id=fix_session,
        review_id=review_id,
        created_at=at,
        total_findings=sum(len(group.findings) for group in plan.groups),
        execution_strategy=ExecutionStrategy(
            approach=approach,
            parallel_limit=PARALLEL_LIMIT,
            total_stages=len(plan.stages),
            rationale="groups that share a file are in different stages",
        ),
        groups=[_group(group, progress_name(number)) for number, group in enumerate(plan.groups, 1)],
        timeline=[_stage(stage) for stage in plan.stages],
    )


def progress_name(number: int) -> str:
    return f"fix-progress-{number}.json"


def _group(group: FixGroup, progress_file: str | None = None) -> GroupEntry:
    return GroupEntry(
        group_id=group.id,
        group_name=group.name,
        findings=list(group.findings),
        fix_strategy=FixStrategy(
            approach=group.approach,
            rationale=group.rationale,
            complexity=group.complexity,
            estimated_duration_minutes=group.minutes,
            test_pattern=group.test_pattern,
            rollback_plan=group.rollback,
        ),
        risk_assessment=RiskAssessment(
            level=group.risk, concerns=list(group.concerns), mitigation=group.mitigation
        ),
        progress_file=progress_file,
    )


def _stage(stage: FixStage) -> StageEntry:
    return StageEntry(
        stage=stage.number,
        stage_id=stage.number,
        groups=list(stage.groups),
        execution_mode="parallel" if stage.mode == "parallel" else "serial",
        depends_on=list(stage.depends_on),
        rationale=stage.rationale,
    )
