"""What the agents of a run are told: by whom they are called, from where, and what of what went before."""

from __future__ import annotations

from pathlib import Path

import pytest

from burnish.model.agent import Reply, Request
from burnish.model.briefing import Briefing
from burnish.model.history import History
from burnish.model.review import Finding, Review, Severity, Verdict
from burnish.model.step import Role
from burnish.model.task import Task
from burnish.workflows.previous import MOST_REVIEWS, earlier_reviews
from tests.loops import Drive, cycle_of, edits, failing, passing, profile_named, says

SPEC, TASK = profile_named("spec"), profile_named("task")
OF_SPEC = Briefing(spec="# Input\n\ntext is refused", spec_path="specs/042-input.md")
BRIEFED = Briefing(
    guidelines=(("REVIEW.md", "Every function has a test."), ("AGENTS.md", "Run make check.")),
    plan="1. Check in `parse`.",
    plan_from="task 3",
    note="Keep the old message.",
)


def spec_drive(folder: Path, *grades: str, phase: str = "2") -> Drive:
    """A phase of a spec; each review writes its grade where OUTPUT says and answers as it was told."""

    def review(request: Request) -> Reply:
        grade = f"## Grade: {grades[cycle_of(request) - 1]}"
        return Reply("done", report=f"{grade}\n", report_witnessed=True)

    def fix(request: Request) -> str:
        edits()(request)
        return "done"

    return Drive(folder, SPEC, review, fix=fix, briefing=OF_SPEC, phase=phase)


@pytest.mark.conformance("O-06", "O-07")
def test_each_cycle_of_a_spec_starts_with_the_spec_reviewer(tmp_path: Path) -> None:
    drive = spec_drive(tmp_path, "FAIL", "WARN", "PASS")
    assert drive.run().passed
    reviews = drive.asked(Role.REVIEW)
    assert len(reviews) == 3
    for cycle, request in enumerate(reviews, 1):
        assert request.prompt.startswith(
            "Invoke spec-reviewer.\n\nSPEC: specs/042-input.md\nIMPLEMENTATION: current working directory\n"
            f"PHASE: 2\nCYCLE: {cycle}\n"
        )


@pytest.mark.conformance("O-10")
def test_the_reviewer_of_a_spec_writes_into_its_outbox_and_returns_done(tmp_path: Path) -> None:
    drive = spec_drive(tmp_path, "PASS")
    ending = drive.run()
    (request,) = drive.asked(Role.REVIEW)
    lines = request.prompt.splitlines()
    assert f"OUTPUT: {request.outbox}/report.md" in lines
    assert f"SIGNAL: {request.outbox}/phase-2-review-1.done" in lines
    assert "Return EXACTLY: done" in lines
    # `done` alone is all it says, and the report is what is graded.
    assert ending.passed


@pytest.mark.conformance("O-18", "O-19", "O-21")
def test_the_fixer_of_a_spec_is_called_by_its_name_with_review_scope_and_commit(tmp_path: Path) -> None:
    drive = spec_drive(tmp_path, "FAIL", "PASS")
    assert drive.run().passed
    (request,) = drive.asked(Role.FIX)
    assert request.prompt.startswith(
        f"Invoke spec-fixer.\n\nREVIEW: {request.inbox}/reviews/phase-2-review-1.md\n"
        "IMPLEMENTATION: current working directory\nSCOPE: targeted\n\n"
        "Commit: spec(042): FIX phase-2 cycle-1\n\n"
        f"SIGNAL: {request.outbox}/phase-2-fix-1.done\n\nReturn EXACTLY: done\n"
    )
    assert (request.inbox / "reviews" / "phase-2-review-1.md").read_text() == "## Grade: FAIL\n"
    subjects = [message.splitlines()[0] for message in drive.workspaces.messages.values()]
    assert any(subject.startswith("spec(042): FIX phase-2 cycle-1 - ") for subject in subjects)


def test_the_implementer_of_a_spec_gets_its_phase_and_the_document(tmp_path: Path) -> None:
    drive = spec_drive(tmp_path, "PASS", phase="3")
    drive.run()
    (request,) = drive.asked(Role.IMPLEMENT)
    assert request.prompt.startswith("IMPLEMENT phase-3\n\nSPEC: specs/042-input.md\n")
    assert "Commit: spec(042): IMPLEMENT phase-3\n" in request.prompt
    assert "text is refused" in request.prompt


@pytest.mark.conformance("G-47")
def test_the_reviewer_compares_the_change_with_the_plan_if_there_is_one(tmp_path: Path) -> None:
    for number, briefing in enumerate((BRIEFED, Briefing())):
        drive = Drive(tmp_path / str(number), TASK, says(passing(TASK)), briefing=briefing)
        drive.run()
        (request,) = drive.asked(Role.REVIEW)
        asked = "Worked out beforehand (task 3). Compare the change with it" in request.prompt
        assert asked is bool(briefing.plan)
        assert ("```text\n1. Check in `parse`.\n```" in request.prompt) is bool(briefing.plan)


def test_guidelines_reach_each_role_as_data(tmp_path: Path) -> None:
    drive = Drive(tmp_path, TASK, says(failing(TASK), passing(TASK)), briefing=BRIEFED)
    drive.run()
    asked = {role: drive.asked(role)[0].prompt for role in (Role.IMPLEMENT, Role.REVIEW, Role.FIX)}
    assert all("```text\nRun make check.\n```" in prompt for prompt in asked.values())
    told = {role for role, prompt in asked.items() if "```text\nEvery function has a test.\n```" in prompt}
    assert told == {Role.REVIEW, Role.FIX}
    assert all("```text\nKeep the old message.\n```" in prompt for prompt in asked.values())


@pytest.mark.conformance("G-67")
def test_only_the_last_review_is_told_whole_and_earlier_ones_in_a_line(tmp_path: Path) -> None:
    words = [f"- Point {n} is wrong (app.py:{n})\n\nLong words {n}\n\n{failing(TASK)}" for n in (1, 2)]
    drive = Drive(tmp_path, TASK, says(*words, passing(TASK)))
    drive.run()
    third, fix = drive.asked(Role.REVIEW)[2].prompt, drive.asked(Role.FIX)[1].prompt
    for prompt in (third, fix):
        assert "cycle 1: CHANGES_REQUESTED | Point 1 is wrong (app.py:1)\n" in prompt
        assert "Long words 1" not in prompt
        assert "Long words 2" in prompt
    assert "Earlier reviews" not in drive.asked(Role.REVIEW)[1].prompt


@pytest.mark.conformance("G-69", "G-77")
def test_every_fix_starts_afresh_with_all_that_it_needs(tmp_path: Path) -> None:
    sessions = []

    def fix(request: Request) -> str:
        sessions.append((request.workspace, request.inbox))
        # Nothing of an earlier fixer's is there but the files themselves.
        assert [path.name for path in request.inbox.iterdir()] == ["review.md"]
        assert list(request.outbox.iterdir()) == []
        return edits()(request)

    drive = Drive(
        tmp_path, TASK, says(failing(TASK), failing(TASK), passing(TASK)), fix=fix, briefing=BRIEFED
    )
    drive.run()
    assert len(set(sessions)) == 2
    for cycle, request in enumerate(drive.asked(Role.FIX), 1):
        for context in ("Add a check", "1. Check in `parse`.", "No check.", "Keep the old message."):
            assert context in request.prompt
        assert f"cycle {cycle}" in request.prompt
    reviews = drive.asked(Role.REVIEW)
    assert len({request.workspace for request in reviews}) == len(reviews) == 3


def review_with(*findings: Finding, **more: str) -> Review:
    return Review(Verdict.FAIL, "CHANGES_REQUESTED", findings=findings, **more)  # type: ignore[arg-type]


def history_of(*reviews: Review) -> History:
    history = History(Task("x", "b", "t", "b", "t"))
    for review in reviews:
        history = history.add(review)
    return history


def test_a_line_about_a_review_has_its_worst_findings_and_how_many_more() -> None:
    findings = [Finding(f"small {number}", Severity.LOW) for number in range(9)]
    worst = Finding("it\nbreaks\x1b[31m", Severity.CRITICAL, "a.py", 3)
    (line,) = earlier_reviews(history_of(review_with(*findings, worst, summary="bad"), review_with()))
    assert line.startswith(
        "cycle 1: CHANGES_REQUESTED | bad | found: it breaks\\x1b[31m (a.py:3) [critical]; small 0 [low]; "
    )
    assert line.endswith("small 6 [low]; and 2 more")


def test_a_line_says_that_a_pass_was_overruled_or_a_verdict_unclear() -> None:
    told = earlier_reviews(
        history_of(review_with(overruled="red"), review_with(unclear="none"), review_with())
    )
    assert told == [
        "cycle 1: CHANGES_REQUESTED | overruled: red",
        "cycle 2: CHANGES_REQUESTED | unclear: none",
    ]


def test_of_very_many_reviews_the_oldest_are_not_told() -> None:
    told = earlier_reviews(history_of(*[review_with(summary="x" * 900)] * (MOST_REVIEWS + 4)))
    assert told[:2] == ["cycles 1 to 3: not told here", f"cycle 4: CHANGES_REQUESTED | {'x' * 199}…"]
    assert len(told) == MOST_REVIEWS + 1
