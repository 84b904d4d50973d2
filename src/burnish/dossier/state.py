"""review-state.json: where the review stands, and what it came to."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from burnish.dossier.page import Page
from burnish.model.assessment import MAX_HIGH, Assessment
from burnish.model.dimension import Dimension
from burnish.model.subject import ReviewMode, Subject

StatePhase = Literal["parallel", "aggregate", "iterate", "complete"]
NextAction = Literal[
    "execute_parallel_reviews", "aggregate_findings", "execute_deep_dive", "generate_final_report",
    "complete", "none",
]  # fmt: skip
NEXT: dict[StatePhase, NextAction] = {
    "parallel": "aggregate_findings",
    "aggregate": "generate_final_report",
    "iterate": "execute_deep_dive",
    "complete": "none",
}
TARGET = "no_critical_findings_and_high_under_5"


class Distribution(Page):
    critical: int = 0
    high: int = 0
    medium: int = 0
    low: int = 0


class GitChanges(Page):
    commit_range: str
    files_changed: int
    insertions: int
    deletions: int


class Metadata(Page):
    """Session mode has `git_changes`, module mode `target_pattern` and `resolved_files`."""

    created_at: str
    dimensions: list[str]
    max_iterations: int
    git_changes: GitChanges | None = None
    target_pattern: str | None = None
    resolved_files: list[str] | None = None


class CriticalFileEntry(Page):
    file: str
    finding_count: int
    dimensions: list[str]


class SeverityChange(Page):
    before: Distribution
    after: Distribution


class IterationEntry(Page):
    iteration: int
    findings_analyzed: list[str]
    findings_resolved: int
    findings_escalated: int
    severity_change: SeverityChange
    timestamp: str


class CompletionCriteria(Page):
    target: str = TARGET
    current_status: str = "in_progress"
    estimated_completion: str | None = None


class ReviewState(Page):
    session_id: str
    review_id: str
    review_type: Literal["session", "module"]
    metadata: Metadata
    phase: StatePhase = "parallel"
    current_iteration: int = 0
    dimensions_reviewed: list[str] = Field(default_factory=list)
    selected_strategy: Literal["comprehensive"] = "comprehensive"
    next_action: NextAction = "execute_parallel_reviews"
    severity_distribution: Distribution = Distribution()
    critical_files: list[CriticalFileEntry] = Field(default_factory=list)
    iterations: list[IterationEntry] = Field(default_factory=list)
    completion_criteria: CompletionCriteria = CompletionCriteria()
    completion_time: str | None = None


def metadata_of(
    subject: Subject, created_at: str, dimensions: tuple[Dimension, ...], rounds: int
) -> Metadata:
    named = [str(dimension) for dimension in dimensions]
    if subject.mode is ReviewMode.SESSION:
        changes = GitChanges(
            commit_range=f"{subject.base[:12]}..{subject.head[:12]}",
            files_changed=len(subject.files),
            insertions=subject.insertions,
            deletions=subject.deletions,
        )
        return Metadata(created_at=created_at, dimensions=named, max_iterations=rounds, git_changes=changes)
    return Metadata(
        created_at=created_at,
        dimensions=named,
        max_iterations=rounds,
        target_pattern=",".join(subject.patterns),
        resolved_files=list(subject.present),
    )


def settled(state: ReviewState, assessment: Assessment, at: str) -> ReviewState:
    """The state of a review that is over."""
    count = assessment.distribution
    reviewed = [str(report.dimension) for report in assessment.reports if not report.failed]
    whole = len(reviewed) == len(state.metadata.dimensions)
    met = whole and count["critical"] == 0 and count["high"] <= MAX_HIGH
    return state.model_copy(
        update={
            "phase": "complete",
            "next_action": "none",
            "current_iteration": len(assessment.iterations),
            "dimensions_reviewed": reviewed,
            "severity_distribution": Distribution(**count),
            "critical_files": [
                CriticalFileEntry(
                    file=item.file,
                    finding_count=item.finding_count,
                    dimensions=[str(dimension) for dimension in item.dimensions],
                )
                for item in assessment.critical_files
            ],
            "iterations": [
                IterationEntry(
                    iteration=item.number,
                    findings_analyzed=list(item.analysed),
                    findings_resolved=item.resolved,
                    findings_escalated=item.escalated,
                    severity_change=SeverityChange(
                        before=Distribution(**item.before), after=Distribution(**item.after)
                    ),
                    timestamp=item.at,
                )
                for item in assessment.iterations
            ],
            "completion_criteria": CompletionCriteria(
                current_status="met" if met else "partial", estimated_completion=at
            ),
            "completion_time": at,
        }
    )
