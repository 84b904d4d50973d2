"""The lines of `burnish spec`: one status report a cycle, and a summary of everything."""

from __future__ import annotations

import io

import pytest

from burnish import codec
from burnish.contracts.grade import part_grades
from burnish.model.events import Noticed, Recorded, RunStarted, StepFinished
from burnish.model.outcome import Outcome
from burnish.model.review import Review, Verdict
from burnish.model.step import Role, Step
from burnish.render.spec import PhaseLines, status
from burnish.render.spec_summary import data, ending, summary
from burnish.specs.phase import Phase
from burnish.specs.report import PhaseReport, PhaseState, SpecReport

TEXT = "## Compliance\n\nGrade: PASS\n\n## Quality\n\n**FAIL**\n\n- a.py:1: bad\n\n## Grade: FAIL\n"


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (TEXT, ("PASS", "FAIL")),
        ("## Compliance: WARN\n\n## Quality: PASS\n\n## Grade: WARN\n", ("WARN", "PASS")),
        ("- **Compliance**: PASS (0 gaps)\n- **Quality**: WARN (2 issues)\n", ("PASS", "WARN")),
        ("Compliance grade: FAIL\n", ("FAIL", "")),
        ("## Grade: PASS\n", ("", "")),
        ("All of it is PASS.\n", ("", "")),
        ("", ("", "")),
    ],
)
def test_the_grades_of_both_parts_are_read_where_reports_have_them(text: str, parts: tuple[str, str]) -> None:
    assert part_grades(text) == parts


@pytest.mark.parametrize(
    ("verdict", "last", "action"),
    [
        (Verdict.PASS, False, "EARLY EXIT"),
        (Verdict.PASS, True, "EARLY EXIT"),
        (Verdict.WARN, False, "FIX + re-review"),
        (Verdict.FAIL, False, "FIX + re-review"),
        (Verdict.WARN, True, "ESCALATE"),
    ],
)
def test_the_status_of_a_cycle_says_what_follows(verdict: Verdict, last: bool, action: str) -> None:
    review = codec.plain(Review(verdict, verdict.upper(), text=TEXT))
    assert status(2, review, last=last) == (
        f"REVIEW cycle 2 grade: {verdict.upper()}; Compliance: PASS; Quality: FAIL; Action: {action}"
    )


def test_a_phase_that_has_counted_before_escalates_after_its_own_limit() -> None:
    out = io.StringIO()
    lines = PhaseLines(out, 3, "View\x1b[31m")
    lines(Recorded("r-1", 1, "t", RunStarted("t", "t", "spec", "grade", "b", "s", 1, "reviews", {})))
    review = codec.plain(Review(Verdict.WARN, "WARN", text=TEXT))
    lines(Recorded("r-1", 2, "t", StepFinished(Step(Role.REVIEW, 4, "3"), "Review", review)))
    lines(Recorded("r-1", 3, "t", Noticed("k", "a\nb")))
    said = out.getvalue().splitlines()
    assert said[0].startswith("phase 3: View")
    assert said[0].endswith("(r-1, at most 1 review)")
    assert "\x1b" not in said[0]
    assert said[1].endswith("Action: ESCALATE")
    assert said[2] == "phase 3: note: a b"


def test_a_resumed_phase_knows_its_limit_and_what_was_reviewed() -> None:
    started = RunStarted("t", "t", "spec", "grade", "b", "s", 2, "reviews", {})
    review = codec.plain(Review(Verdict.WARN, "WARN", text=TEXT))
    past = [
        Recorded("r-1", 1, "t", started),
        Recorded("r-1", 2, "t", StepFinished(Step(Role.REVIEW, 1, "3"), "Review", review)),
    ]
    for known, action in ((past, "ESCALATE"), (past[:1], "FIX + re-review")):
        out = io.StringIO()
        PhaseLines(out, 3, "View", known)(
            Recorded("r-1", 3, "t", StepFinished(Step(Role.REVIEW, 2, "3"), "Review", review))
        )
        assert out.getvalue().endswith(f"Action: {action}\n")


def test_the_summary_has_phases_grades_cycles_commits_receipts_branch_and_folder() -> None:
    passed = PhaseReport(
        Phase(1, "Model"), PhaseState.PASSED, Verdict.PASS, 3, 2, "r-1", "c" * 40, "burnish/spec", "/r.json"
    )
    blocked = PhaseReport(Phase(2, "View"), PhaseState.BLOCKED, why="phase 2 needs phase 1, which failed")
    report = SpecReport(
        "r-0", "042.md", "042", "Login", "burnish/spec", "sessions/x", (passed, blocked), Outcome.ESCALATED, 5,
        "STAGE_FAILED: phase 1", ("burnish spec 042.md --resume",),
    )  # fmt: skip
    assert summary(report) == [
        "",
        "spec 042: Login (r-0)",
        "phase 1 Model: passed PASS after 3 cycles in 2 attempts, cccccccccccc",
        "    receipt: /r.json",
        "phase 2 View: blocked",
        "    phase 2 needs phase 1, which failed",
        "branch:  burnish/spec",
        "session: .burnish/sessions/x",
    ]
    assert ending(report) == ["STAGE_FAILED: phase 1", "go on with:", "  burnish spec 042.md --resume"]
    told = data(report)
    assert (told["kind"], told["v"], told["phases"][0]["phase"]) == ("spec_summary", 1, 1)
    assert (told["phases"][0]["name"], told["phases"][1]["state"]) == ("Model", "blocked")
