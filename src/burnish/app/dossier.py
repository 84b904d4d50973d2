"""The files of a review written as it goes, from its events; they can be deleted and are written again."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from burnish import codec
from burnish.app.dossier_folder import Folder
from burnish.app.fix_dossier import FixDossier
from burnish.app.spec import ReviewSpec
from burnish.dossier.dimension import dimension_file
from burnish.dossier.iteration import iteration_file, tail
from burnish.dossier.progress import AgentStatus, DeepDive, ParallelReview, Parts, ReviewProgress, percent
from burnish.dossier.session_file import WorkflowSession
from burnish.dossier.state import NEXT, ReviewState, StatePhase, metadata_of, settled
from burnish.dossier.texts import dimension_text, dive_text
from burnish.model.assessment import Assessment, DimensionReport, Dive
from burnish.model.events import Recorded, RunStarted, StepFinished, StepStarted
from burnish.model.review import Finding
from burnish.model.step import Role, Step
from burnish.model.subject import Subject


@dataclass
class Dossier:
    """A listener. What it knows is a fold of the run's events, so a resumed run writes the same files."""

    folder: Folder
    spec: ReviewSpec
    run: str
    fixes: FixDossier
    state: ReviewState | None = None
    reports: dict[str, DimensionReport] = field(default_factory=dict)
    agents: dict[str, AgentStatus] = field(default_factory=dict)
    dives: dict[str, Dive] = field(default_factory=dict)
    cycle: int = 1

    def __call__(self, recorded: Recorded) -> None:
        at = recorded.at
        match recorded.event:
            case _ if self.spec.given:
                # Phases 6 to 9 alone: the files of the review that the findings are from stay as they are.
                self.fixes(recorded)
            case RunStarted():
                self._begin(at)
            case StepStarted(step) if step.role is Role.REVIEW:
                self._started(step, at)
            case StepFinished(step, kind, result) if step.role is Role.REVIEW:
                self._finished(step, kind, result, at)
            case _:
                self.fixes(recorded)

    def publish(self, subject: Subject, assessment: Assessment, at: str) -> None:
        """A review is over: everything in its last form."""
        self.fixes.known = {finding.id: finding for finding in assessment.findings}
        if self.spec.given:
            return
        assert self.state is not None
        review_id = self.spec.review_id
        for report in assessment.reports:
            page = dimension_file(report, review_id, subject, assessment.reports)
            self.folder.write(f"dimensions/{report.dimension}.json", page.text())
        self.state = settled(self.state, assessment, at)
        self._write(at, "complete")
        findings = {f.id: f for report in assessment.reports for f in report.findings}
        for dive in assessment.dives:
            self._write_dive(dive, findings)

    def _begin(self, at: str) -> None:
        spec = self.spec
        session = WorkflowSession(
            session_id=spec.session, type="review", description=spec.subject.title, created_at=at
        )
        self.folder.write_if_missing("../workflow-session.json", session.text())
        self.state = ReviewState(
            session_id=spec.session,
            review_id=spec.review_id,
            review_type="session" if spec.subject.mode == "session" else "module",
            metadata=metadata_of(spec.subject, at, spec.dimensions, spec.max_iterations),
        )
        for dimension in spec.dimensions:
            self.agents[dimension] = AgentStatus(
                agent_type="review-agent", dimension=str(dimension), status="pending"
            )
        self._write(at, "parallel")

    def _started(self, step: Step, at: str) -> None:
        if step.phase == "dimension":
            self._status(step.part, "in_progress", started_at=at)
            self._write(at, "parallel")
        elif step.phase.startswith("dive"):
            self.agents[step.part] = AgentStatus(
                agent_type="deep-dive-agent", finding_id=step.part, status="in_progress", started_at=at
            )
            self._write(at, "iterate")

    def _finished(self, step: Step, kind: str, result: Any, at: str) -> None:
        if kind == "DimensionReport":
            report: DimensionReport = codec.validate(DimensionReport, result)
            self.reports[step.part] = report
            # A resumed session is told its steps again, before the review is published again.
            self.fixes.known |= {finding.id: finding for finding in report.findings}
            self._status(
                step.part,
                "failed" if report.failed else "completed",
                completed_at=at,
                duration_ms=round(report.duration_s * 1000),
            )
            page = dimension_file(report, self.spec.review_id, self.spec.subject)
            self.folder.write(f"dimensions/{report.dimension}.json", page.text())
            self.folder.write(f"reports/{report.dimension}-analysis.md", dimension_text(report))
            self.folder.write(f"reports/{report.dimension}-cli-output.txt", report.raw)
            self._write(at, "parallel" if len(self.reports) < len(self.spec.dimensions) else "aggregate")
        elif kind == "Dive":
            dive: Dive = codec.validate(Dive, result)
            self._status(
                step.part, "failed" if dive.failed else "completed", completed_at=at,
                duration_ms=round(dive.duration_s * 1000),
            )  # fmt: skip
            self._write(at, "iterate")

    def _write_dive(self, dive: Dive, findings: dict[str, Finding]) -> None:
        finding = findings.get(dive.finding_id)
        if finding is None:
            return
        name = f"{dive.iteration}-finding-{tail(finding.id)}"
        self.folder.write(f"iterations/iteration-{name}.json", iteration_file(dive, finding).text())
        self.folder.write(
            f"reports/deep-dive-{dive.iteration}-{tail(finding.id)}.md", dive_text(dive, finding)
        )

    def _status(self, key: str, status: str, **fields: Any) -> None:
        self.agents[key] = self.agents[key].model_copy(update={"status": status, **fields})

    def _write(self, at: str, phase: StatePhase) -> None:
        if self.state is None:
            return
        if phase != "complete":
            reviewed = [name for name, report in self.reports.items() if not report.failed]
            self.state = self.state.model_copy(
                update={"phase": phase, "next_action": NEXT[phase], "dimensions_reviewed": reviewed}
            )
        self.folder.write("review-state.json", self.state.text())
        self.folder.write("review-progress.json", self._progress(at, phase).text())

    def _progress(self, at: str, phase: StatePhase) -> ReviewProgress:
        views = [agent for agent in self.agents.values() if agent.agent_type == "review-agent"]
        dives = [agent for agent in self.agents.values() if agent.agent_type == "deep-dive-agent"]
        done = sum(1 for agent in views if agent.status in ("completed", "failed"))
        dived = sum(1 for agent in dives if agent.status in ("completed", "failed"))
        over = phase == "complete"
        assert self.state is not None
        return ReviewProgress(
            review_id=self.spec.review_id,
            last_update=at,
            phase=phase,
            current_iteration=self.state.current_iteration,
            progress=Parts(
                parallel_review=ParallelReview(
                    total_dimensions=len(views),
                    completed=done,
                    in_progress=sum(1 for agent in views if agent.status == "in_progress"),
                    percent_complete=percent(done, len(views)),
                ),
                deep_dive=DeepDive(
                    total_findings=len(dives),
                    analyzed=dived,
                    in_progress=len(dives) - dived,
                    percent_complete=percent(dived, len(dives)),
                ),
            ),
            agent_status=list(self.agents.values()),
            overall_percent=100 if over else None,
            completion_time=at if over else None,
            final_severity_distribution=self.state.severity_distribution if over else None,
        )
