"""review-progress.json: what is being done right now, for whoever watches the file."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from burnish.dossier.page import Page
from burnish.dossier.state import Distribution, StatePhase

AgentState = Literal["pending", "in_progress", "completed", "failed"]


class ParallelReview(Page):
    total_dimensions: int
    completed: int = 0
    in_progress: int = 0
    percent_complete: int = 0


class DeepDive(Page):
    total_findings: int = 0
    analyzed: int = 0
    in_progress: int = 0
    percent_complete: int = 0


class Parts(Page):
    parallel_review: ParallelReview
    deep_dive: DeepDive = DeepDive()


class AgentStatus(Page):
    """`dimension` for a review agent, `finding_id` for a deep-dive agent."""

    agent_type: Literal["review-agent", "deep-dive-agent"]
    dimension: str | None = None
    finding_id: str | None = None
    status: AgentState
    started_at: str | None = None
    completed_at: str | None = None
    duration_ms: int | None = None


class ReviewProgress(Page):
    review_id: str
    last_update: str
    phase: StatePhase
    current_iteration: int = 0
    progress: Parts
    agent_status: list[AgentStatus] = Field(default_factory=list)
    estimated_completion: str | None = None
    overall_percent: int | None = None
    completion_time: str | None = None
    final_severity_distribution: Distribution | None = None


def percent(done: int, total: int) -> int:
    return round(100 * done / total) if total else 0
