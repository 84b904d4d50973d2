"""Every file of a review has exactly the fields the seed gives it, and can be read back."""

from __future__ import annotations

import json
from typing import Any

import pytest

from burnish.dossier.dimension import DimensionFile, dimension_file
from burnish.dossier.export import export_of, findings_of, read_export
from burnish.dossier.fix_history import FixHistory, HistoryEntry
from burnish.dossier.fix_progress import FixProgress, begun, ended, tried, waiting
from burnish.dossier.iteration import IterationFile, iteration_file
from burnish.dossier.plan import fix_plan_file, partial_plan_file
from burnish.dossier.state import ReviewState, metadata_of, settled
from burnish.errors import UsageError
from burnish.model.assessment import Assessment, DimensionReport, Dive, PlanStep
from burnish.model.dimension import Dimension
from burnish.model.fixing import FindingFix, FixGroup, FixPlan, FixResult, FixStage, GroupResult, PartialPlan
from burnish.model.review import Finding, Severity
from burnish.model.subject import FileStatus, ReviewMode, Subject, SubjectFile
from burnish.workflows.aggregate import number

NOW = "2026-11-15T10:00:00.000Z"
FILE = SubjectFile("a.py", FileStatus.MODIFIED, lines=10)
SUBJECT = Subject(ReviewMode.SESSION, "x", "t", "b", "base1234567890", "head1234567890", (FILE,))
[FINDING] = number(
    [Finding("eval", Severity.CRITICAL, "a.py", 3, "it runs anything", "do not", "injection", cwe="CWE-95")],
    Dimension.SECURITY,
)
REPORT = DimensionReport(Dimension.SECURITY, (FINDING,), finished_at=NOW, duration_s=1.5, files=1, lines=10)
DIVE = Dive(
    FINDING.id, 1, root_cause="r", steps=(PlanStep("do", ("a.py::3",)),), severity=Severity.HIGH, at=NOW
)
ASSESSMENT = Assessment((REPORT,), (FINDING,), dives=(DIVE,))
GROUP = FixGroup("G1", "security in a.py", (FINDING.id,), ("a.py",))
STAGE = FixStage(1, ("G1",))


def keys(text: str) -> set[str]:
    found: Any = json.loads(text)
    return set(found[0] if isinstance(found, list) else found)


def state(subject: Subject = SUBJECT) -> ReviewState:
    about = metadata_of(subject, NOW, (Dimension.SECURITY,), 3)
    kind = "session" if subject.mode is ReviewMode.SESSION else "module"
    return ReviewState(session_id="WFS-x", review_id="review-1", review_type=kind, metadata=about)


@pytest.mark.conformance("C-93")
def test_review_state_has_the_fields_of_the_seed() -> None:
    assert keys(state().text()) == {
        "session_id", "review_id", "review_type", "metadata", "phase", "current_iteration",
        "dimensions_reviewed", "selected_strategy", "next_action", "severity_distribution", "critical_files",
        "iterations", "completion_criteria", "completion_time",
    }  # fmt: skip
    assert ReviewState.read(state().text(), "x") == state()


@pytest.mark.conformance("C-42")
def test_a_settled_state_is_complete_and_says_whether_its_criteria_are_met() -> None:
    done = settled(state(), ASSESSMENT, NOW)
    assert (done.phase, done.next_action, done.completion_time) == ("complete", "none", NOW)
    assert done.severity_distribution.critical == 1
    assert done.completion_criteria.current_status == "partial"
    assert (
        settled(
            state(), Assessment((DimensionReport(Dimension.SECURITY),)), NOW
        ).completion_criteria.current_status
        == "met"
    )


def test_a_module_review_names_its_patterns_and_files() -> None:
    module = Subject(ReviewMode.MODULE, "x", "t", files=(FILE,), patterns=("*.py", "lib"))
    about = json.loads(state(module).text())["metadata"]
    assert (about["target_pattern"], about["resolved_files"], about["git_changes"]) == (
        "*.py,lib",
        ["a.py"],
        None,
    )
    changes = json.loads(state().text())["metadata"]["git_changes"]
    assert set(changes) == {"commit_range", "files_changed", "insertions", "deletions"}


@pytest.mark.conformance("C-30", "C-94")
def test_a_dimension_file_is_an_array_of_one_with_a_flat_summary() -> None:
    page = dimension_file(REPORT, "review-1", SUBJECT)
    [found] = json.loads(page.text())
    assert set(found) == {
        "dimension", "review_id", "analysis_timestamp", "cli_tool_used", "model", "analysis_duration_ms",
        "summary", "findings", "cross_references",
    }  # fmt: skip
    assert found["summary"] == {
        "total_findings": 1, "critical": 1, "high": 0, "medium": 0, "low": 0, "files_analyzed": 1,
        "lines_reviewed": 10,
    }  # fmt: skip
    assert set(found["findings"][0]) == {
        "id", "title", "severity", "category", "description", "file", "line", "snippet", "recommendation",
        "references", "impact", "metadata", "iteration", "status", "cross_references",
    }  # fmt: skip
    assert found["findings"][0]["status"] == "pending_remediation"
    assert not {"timestamp", "analyzed_at", "by_severity", "code_snippet", "exploit_scenario"} & set(found)
    assert DimensionFile.read(page.text(), "x") == page


@pytest.mark.conformance("C-41", "C-95")
def test_an_iteration_file_has_the_fields_of_the_seed() -> None:
    page = iteration_file(DIVE, FINDING)
    [found] = json.loads(page.text())
    assert set(found) == {
        "finding_id", "dimension", "original_dimension", "iteration", "analysis_timestamp", "cli_tool_used",
        "model", "analysis_duration_ms", "original_finding", "root_cause", "remediation_plan",
        "impact_assessment", "reassessed_severity", "severity_change_reason", "confidence_score", "references",
        "status", "cross_references",
    }  # fmt: skip
    assert set(found["root_cause"]) == {"summary", "details", "affected_scope", "similar_patterns"}
    assert set(found["remediation_plan"]["steps"][0]) == {
        "step", "action", "files", "commands", "rationale", "validation",
    }  # fmt: skip
    assert found["status"] == "remediation_plan_ready"
    assert IterationFile.read(page.text(), "x") == page


@pytest.mark.conformance("C-48", "C-50")
def test_plans_have_the_fields_of_the_seed() -> None:
    partial = json.loads(partial_plan_file(PartialPlan(1, (GROUP,), (STAGE,)), NOW).text())
    assert {"batch_id", "groups", "timeline", "metadata"} <= set(partial)
    assert partial["metadata"] == {"findings_count": 1, "groups_count": 1, "created_at": NOW}
    plan = json.loads(fix_plan_file(FixPlan((GROUP,), (STAGE,)), "fix-1", "review-1", NOW).text())
    assert set(plan) == {
        "plan_id", "fix_session_id", "review_id", "created_at", "total_findings", "execution_strategy",
        "groups", "timeline",
    }  # fmt: skip
    assert set(plan["groups"][0]) == {
        "group_id", "group_name", "findings", "fix_strategy", "risk_assessment", "progress_file",
    }  # fmt: skip
    assert plan["groups"][0]["progress_file"] == "fix-progress-1.json"
    assert set(plan["timeline"][0]) == {
        "stage",
        "stage_id",
        "groups",
        "execution_mode",
        "depends_on",
        "rationale",
    }


@pytest.mark.conformance("C-55")
def test_the_progress_of_a_group_goes_from_waiting_to_done() -> None:
    fix = FindingFix(FINDING.id, FixResult.FIXED, 1, commit="c" * 40, fixer="codemods", started_at=NOW)
    first = waiting(GROUP, 1, {FINDING.id: FINDING}, NOW)
    assert (first.status, first.phase, first.summary.pending) == ("pending", "waiting", 1)
    working = tried(begun(first, NOW), fix, NOW)
    assert (working.status, working.findings[0].commit_hash) == ("in-progress", "c" * 40)
    done = ended(working, GroupResult("G1", (fix,)), NOW)
    assert (done.status, done.phase, done.summary.fixed, done.summary.percent_complete) == (
        "completed", "done", 1, 100,
    )  # fmt: skip
    assert keys(done.text()) == {
        "progress_id", "group_id", "group_name", "status", "phase", "assigned_agent", "started_at",
        "last_update", "findings", "summary", "current_finding", "flow_control", "errors",
    }  # fmt: skip
    assert FixProgress.read(done.text(), "x") == done


def test_a_group_that_failed_says_why() -> None:
    first = waiting(GROUP, 1, {}, NOW)
    done = ended(first, GroupResult("G1", failed="the agent crashed"), NOW)
    assert done.status == "failed"
    assert done.errors[-1].message == "the agent crashed"


def test_history_has_each_session_once() -> None:
    entry = HistoryEntry(
        fix_session_id="fix-1",
        timestamp=NOW,
        status="partial",
        findings_count=2,
        fixed_count=1,
        failed_count=1,
    )
    twice = FixHistory().with_entry(entry).with_entry(entry.model_copy(update={"status": "completed"}))
    assert [item.status for item in twice.sessions] == ["completed"]


@pytest.mark.conformance("C-45")
def test_an_export_comes_back_as_the_same_findings() -> None:
    text = export_of((FINDING,), "e", NOW, ("review-1", "WFS-x", "repo-1")).text()
    assert {"export_id", "export_timestamp", "review_id", "session_id", "findings_count", "findings"} <= keys(
        text
    )
    [found] = findings_of(read_export(text, "x"))
    assert (found.id, found.title, found.severity, found.file, found.line) == (
        FINDING.id, "eval", Severity.CRITICAL, "a.py", 3,
    )  # fmt: skip
    bare = json.dumps(json.loads(text)["findings"])
    assert findings_of(read_export(bare, "x")) == (found,)


@pytest.mark.conformance("C-83")
@pytest.mark.parametrize(
    "text",
    [
        "",
        "nonsense",
        "{}",
        '{"findings": 3}',
        '[{"id": "x"}]',
        '[{"id":"","title":"t","severity":"high"}]',
        "NaN",
        "[" * 10_000,
    ],
)
def test_an_invalid_export_is_refused_in_one_sentence(text: str) -> None:
    with pytest.raises(UsageError, match=r"invalid export file mine\.json") as caught:
        read_export(text, "mine.json")
    assert "\n" not in caught.value.message
