"""fix-progress-<N>.json: one group at work, finding by finding; always written whole."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from burnish.dossier.page import Page
from burnish.model.fixing import FindingFix, FixGroup, FixResult, GroupResult
from burnish.model.review import Finding

GroupStatus = Literal["pending", "in-progress", "completed", "failed"]
GroupPhase = Literal["waiting", "analyzing", "fixing", "testing", "committing", "done"]
STEPS = ("analyze_context", "apply_fix", "run_tests", "commit_changes")
DOING = {
    "analyze_context": "Look at the place and its surroundings",
    "apply_fix": "Apply the fix in a workspace of the group's own",
    "run_tests": "Look again, and run the tests",
    "commit_changes": "Commit, or restore what was there before",
}


class FindingProgress(Page):
    finding_id: str
    finding_title: str
    file: str
    line: int
    status: Literal["pending", "in-progress", "completed"] = "pending"
    result: Literal["fixed", "failed"] | None = None
    attempts: int = 0
    started_at: str | None = None
    completed_at: str | None = None
    commit_hash: str | None = None
    test_passed: bool | None = None
    error_message: str | None = None


class GroupSummary(Page):
    total_findings: int
    pending: int
    in_progress: int
    fixed: int
    failed: int
    percent_complete: int


class StepProgress(Page):
    step: str
    action: str
    status: str = "pending"
    started_at: str | None = None
    completed_at: str | None = None


class FlowControl(Page):
    implementation_approach: list[StepProgress]
    current_step: str | None = None


class FixError(Page):
    finding_id: str
    error_type: str
    message: str
    timestamp: str


class FixProgress(Page):
    progress_id: str
    group_id: str
    group_name: str
    status: GroupStatus = "pending"
    phase: GroupPhase = "waiting"
    assigned_agent: str | None = None
    started_at: str | None = None
    last_update: str
    findings: list[FindingProgress]
    summary: GroupSummary
    current_finding: str | None = None
    flow_control: FlowControl
    errors: list[FixError] = Field(default_factory=list)


def waiting(group: FixGroup, number: int, known: dict[str, Finding], at: str) -> FixProgress:
    """A group that has not begun."""
    findings = [_pending(name, known.get(name)) for name in group.findings]
    return FixProgress(
        progress_id=f"progress-{number}",
        group_id=group.id,
        group_name=group.name,
        last_update=at,
        findings=findings,
        summary=_summary(findings),
        flow_control=FlowControl(
            implementation_approach=[StepProgress(step=step, action=DOING[step]) for step in STEPS]
        ),
    )


def begun(progress: FixProgress, at: str) -> FixProgress:
    return progress.model_copy(
        update={"status": "in-progress", "phase": "analyzing", "started_at": at, "last_update": at}
    )


def tried(progress: FixProgress, fix: FindingFix, at: str) -> FixProgress:
    """One attempt at one finding is over."""
    findings = [
        _after(item, fix) if item.finding_id == fix.finding_id else item for item in progress.findings
    ]
    errors = list(progress.errors)
    if fix.error:
        errors.append(
            FixError(finding_id=fix.finding_id, error_type=_error_type(fix), message=fix.error, timestamp=at)
        )
    return progress.model_copy(
        update={
            "findings": findings, "summary": _summary(findings), "errors": errors, "last_update": at,
            "current_finding": fix.finding_id, "phase": "committing" if fix.fixed else "testing",
            "assigned_agent": fix.fixer or progress.assigned_agent,
            "flow_control": _flow(fix, at),
        }
    )  # fmt: skip


def ended(progress: FixProgress, result: GroupResult, at: str) -> FixProgress:
    for fix in result.fixes:
        progress = tried(progress, fix, at)
    failed = result.failed or result.rolled_back
    errors = [*progress.errors]
    if failed:
        errors.append(FixError(finding_id="", error_type="group", message=failed, timestamp=at))
    return progress.model_copy(
        update={
            "status": "failed" if failed else "completed", "phase": "done", "last_update": at,
            "current_finding": None, "errors": errors,
        }
    )  # fmt: skip


def landed(progress: FixProgress, result: GroupResult) -> FixProgress:
    """The commits as they stand on the one line of all groups; none where the group was rolled back."""
    commits = {fix.finding_id: fix.commit for fix in result.kept}
    findings = [
        item.model_copy(update={"commit_hash": commits.get(item.finding_id)}) for item in progress.findings
    ]
    return progress.model_copy(update={"findings": findings})


def _pending(name: str, finding: Finding | None) -> FindingProgress:
    return FindingProgress(
        finding_id=name,
        finding_title=finding.title if finding else "",
        file=finding.file if finding else "",
        line=(finding.line or 0) if finding else 0,
    )


def _after(item: FindingProgress, fix: FindingFix) -> FindingProgress:
    fixed = fix.result in (FixResult.FIXED, FixResult.ALREADY_GONE)
    return item.model_copy(
        update={
            "status": "completed", "result": "fixed" if fixed else "failed", "attempts": fix.attempts,
            "started_at": fix.started_at or None, "completed_at": fix.finished_at or None,
            "commit_hash": fix.commit or None, "test_passed": fix.gate.green if fix.gate else None,
            "error_message": fix.error or None,
        }
    )  # fmt: skip


def _summary(findings: list[FindingProgress]) -> GroupSummary:
    done = [item for item in findings if item.status == "completed"]
    fixed = sum(1 for item in done if item.result == "fixed")
    return GroupSummary(
        total_findings=len(findings),
        pending=sum(1 for item in findings if item.status == "pending"),
        in_progress=sum(1 for item in findings if item.status == "in-progress"),
        fixed=fixed,
        failed=len(done) - fixed,
        percent_complete=round(100 * len(done) / len(findings)) if findings else 100,
    )


def _flow(fix: FindingFix, at: str) -> FlowControl:
    """Which of the four steps this attempt got through."""
    through = STEPS if fix.fixed else STEPS[:3]
    steps = [
        StepProgress(
            step=step,
            action=DOING[step],
            status="completed" if step in through and (fix.fixed or step != "run_tests") else
            "failed" if step in through else "skipped",
            started_at=fix.started_at or None,
            completed_at=at if step in through else None,
        )
        for step in STEPS
    ]  # fmt: skip
    return FlowControl(implementation_approach=steps, current_step=through[-1])


def _error_type(fix: FindingFix) -> str:
    if fix.crashed:
        return "agent"
    if fix.gate is None:
        return "not_fixable" if fix.result is FixResult.NOT_FIXABLE else "not_fixed"
    return "not_fixable" if fix.result is FixResult.NOT_FIXABLE else "test_failure"
