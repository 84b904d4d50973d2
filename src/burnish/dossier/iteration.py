"""iterations/iteration-N-finding-<uuid>.json: a closer look at one finding (an array of one object)."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from burnish.dossier.dimension import FindingEntry, entry
from burnish.dossier.page import ArrayPage, Page
from burnish.model.assessment import Dive
from burnish.model.review import Finding

READY = "remediation_plan_ready"
UNANALYZED = "unanalyzed"


class RootCause(Page):
    summary: str
    details: str
    affected_scope: str
    similar_patterns: list[str]


class StepEntry(Page):
    step: int
    action: str
    files: list[str]
    commands: list[str]
    rationale: str
    validation: str


class RemediationPlan(Page):
    approach: str
    priority: str
    estimated_effort: str
    risk_level: str
    steps: list[StepEntry]
    rollback_strategy: str


class ImpactAssessment(Page):
    files_affected: list[str]
    tests_required: list[str]
    breaking_changes: bool
    dependencies_updated: list[str] = Field(default_factory=list)
    deployment_notes: str = ""


class IterationFile(ArrayPage):
    """`dimension` and `original_dimension` are the same: the seed's two places disagree about the name."""

    finding_id: str
    dimension: str
    original_dimension: str
    iteration: int
    analysis_timestamp: str
    cli_tool_used: str
    model: str
    analysis_duration_ms: int
    original_finding: FindingEntry
    root_cause: RootCause
    remediation_plan: RemediationPlan
    impact_assessment: ImpactAssessment
    reassessed_severity: str
    severity_change_reason: str
    confidence_score: float = Field(ge=0, le=1)
    references: list[str]
    status: str
    cross_references: list[dict[str, Any]] = Field(default_factory=list)


def iteration_file(dive: Dive, finding: Finding) -> IterationFile:
    return IterationFile(
        finding_id=finding.id,
        dimension=finding.dimension,
        original_dimension=finding.dimension,
        iteration=dive.iteration,
        analysis_timestamp=dive.at,
        cli_tool_used=dive.agent,
        model=dive.model,
        analysis_duration_ms=round(dive.duration_s * 1000),
        original_finding=entry(finding),
        root_cause=RootCause(
            summary=dive.root_cause,
            details=dive.details,
            affected_scope=dive.scope,
            similar_patterns=list(dive.similar),
        ),
        remediation_plan=_plan(dive),
        impact_assessment=ImpactAssessment(
            files_affected=list(dive.affected),
            tests_required=list(dive.tests),
            breaking_changes=dive.breaking,
        ),
        reassessed_severity=dive.severity or finding.severity,
        severity_change_reason=dive.failed or dive.reason,
        confidence_score=dive.confidence,
        references=list(dive.references),
        status=UNANALYZED if dive.failed else READY,
    )


def _plan(dive: Dive) -> RemediationPlan:
    return RemediationPlan(
        approach=dive.approach,
        priority=dive.priority,
        estimated_effort=dive.effort,
        risk_level=dive.risk,
        steps=[
            StepEntry(
                step=number,
                action=step.action,
                files=list(step.files),
                commands=list(step.commands),
                rationale=step.rationale,
                validation=step.validation,
            )
            for number, step in enumerate(dive.steps, 1)
        ],
        rollback_strategy=dive.rollback,
    )


def tail(finding_id: str) -> str:
    """The part of an id that stays the same: it names the files of a dive."""
    return finding_id.rpartition("-")[2]
