"""The files of a phase follow its events: once each, never over one another, and only for what is final."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from burnish import codec
from burnish.app.dossier_folder import Folder
from burnish.app.signal_files import find_signals
from burnish.app.spec_files import SpecFiles
from burnish.model.change import Change
from burnish.model.events import (
    Event,
    Recorded,
    RunFinished,
    RunStarted,
    StepFailed,
    StepFinished,
    StepStarted,
)
from burnish.model.review import Review, Verdict
from burnish.model.step import Role, Step
from burnish.specs.signals import Signal

STARTED = RunStarted("task", "Model", "spec", "grade", "base", "start", 3, "reviews", {})
RECEIPT = "/state/receipts/r-1.json"


class Phase:
    """Phase 4 of a session, told what happens; each event is a second after the one before it."""

    def __init__(self, root: Path) -> None:
        self.folder = root / ".burnish" / "sessions" / "x"
        self.files = SpecFiles(Folder(root, "sessions/x"), 4, "r-session")
        self.events: list[Recorded] = []
        self.tell(STARTED)

    def tell(self, event: Event) -> None:
        at = f"2026-11-15T10:00:{len(self.events):02}.000Z"
        self.events.append(Recorded("r-1", len(self.events) + 1, at, event))
        self.files(self.events[-1])

    def begin(self, role: Role, cycle: int, ask: int = 1) -> Step:
        step = Step(role, cycle, phase="4", ask=ask)
        self.tell(StepStarted(step))
        return step

    def write(self, role: Role, cycle: int, commit: str, ask: int = 1) -> None:
        change = Change(role, commit, f"tree-{commit}", "before")
        self.tell(StepFinished(self.begin(role, cycle, ask), "Change", codec.plain(change)))

    def review(self, cycle: int, verdict: Verdict, ask: int = 1, **more: Any) -> None:
        review = Review(verdict, verdict.upper(), text=f"report {cycle}/{ask}", tree="tree", **more)
        self.tell(StepFinished(self.begin(Role.REVIEW, cycle, ask), "Review", codec.plain(review)))

    def fail(self, role: Role, cycle: int, failure: str, ask: int = 1) -> None:
        self.tell(StepFailed(self.begin(role, cycle, ask), failure, f"{failure} {ask}"))

    def end(self, outcome: str, message: str = "") -> None:
        self.tell(
            RunFinished(
                outcome, "reason", message, None, "", "", 1, 0, "base", "c", None, RECEIPT, None, 0, 0
            )
        )

    @property
    def signals(self) -> dict[str, Signal]:
        found = find_signals(self.folder) if self.folder.exists() else None
        return {one.name: one.signal for one in found.signals} if found else {}


@pytest.fixture
def phase(tmp_path: Path) -> Phase:
    return Phase(tmp_path)


@pytest.mark.conformance("O-08", "O-09", "O-20")
def test_a_review_and_a_fix_have_their_files_before_the_next_step_begins(phase: Phase) -> None:
    phase.write(Role.IMPLEMENT, 0, "c0")
    assert phase.signals == {}
    phase.review(1, Verdict.WARN)
    signal = phase.signals["phase-4-review-1.done"]
    assert (signal.grade, signal.commit, signal.phase, signal.cycle, signal.run) == (
        Verdict.WARN,
        "c0",
        4,
        1,
        "r-1",
    )
    assert (phase.folder / signal.path).read_text() == "report 1/1\n"
    assert (signal.size, signal.duration_seconds, signal.receipt) == (len("report 1/1\n"), 1.0, "")
    phase.write(Role.FIX, 1, "c1")
    assert phase.signals["phase-4-fix-1.done"].commit == "c1"


def test_a_pass_is_told_when_its_receipt_is_there(phase: Phase) -> None:
    phase.write(Role.IMPLEMENT, 0, "c0")
    phase.review(1, Verdict.PASS)
    assert phase.signals == {}
    phase.end("passed")
    assert list(phase.signals) == ["phase-4-review-1.done"]
    assert phase.signals["phase-4-review-1.done"].receipt == RECEIPT
    assert phase.signals["phase-4-review-1.done"].passed


def test_of_a_review_that_is_asked_again_only_the_last_answer_counts(phase: Phase) -> None:
    phase.review(1, Verdict.FAIL, unclear="no grade")
    assert phase.signals == {}
    phase.review(1, Verdict.WARN, ask=2)
    assert phase.signals["phase-4-review-1.done"].grade is Verdict.WARN
    assert (phase.folder / "reviews/phase-4-review-1.md").read_text() == "report 1/2\n"


def test_words_without_a_grade_count_as_fail_and_say_so(phase: Phase) -> None:
    phase.review(1, Verdict.FAIL, unclear="no grade")
    phase.review(1, Verdict.FAIL, ask=2, unclear="still none")
    phase.begin(Role.FIX, 1)
    signal = phase.signals["phase-4-review-1.done"]
    assert (signal.grade, signal.error) == (Verdict.FAIL, "still none")
    assert (phase.folder / signal.path).read_text() == "> Read as FAIL: still none\n\nreport 1/2\n"
    phase.fail(Role.REVIEW, 2, "violation")
    phase.begin(Role.FIX, 2)
    assert phase.signals["phase-4-review-2.done"].grade is Verdict.FAIL


@pytest.mark.conformance("O-59")
def test_a_fixer_that_times_out_twice_leaves_a_fail_and_the_phase_another(phase: Phase) -> None:
    phase.review(1, Verdict.WARN)
    phase.fail(Role.FIX, 1, "timeout")
    assert "phase-4-fix-1.fail" not in phase.signals
    phase.fail(Role.FIX, 1, "timeout", ask=2)
    phase.end("escalated", "the fixer ran too long")
    assert phase.signals["phase-4-fix-1.fail"].error == "timeout 2"
    assert phase.signals["phase-4.fail"].error == "STAGE_FAILED: the fixer ran too long"
    phase.files.forget_failure()
    assert "phase-4.fail" not in phase.signals


def test_a_fixer_that_times_out_once_leaves_no_fail(phase: Phase) -> None:
    phase.review(1, Verdict.WARN)
    phase.fail(Role.FIX, 1, "timeout")
    phase.write(Role.FIX, 1, "c1", ask=2)
    phase.end("passed")
    assert list(phase.signals) == ["phase-4-review-1.done", "phase-4-fix-1.done"]


@pytest.mark.conformance("O-34", "O-37")
def test_files_come_back_from_the_journal_and_none_is_written_over(phase: Phase) -> None:
    phase.write(Role.IMPLEMENT, 0, "c0")
    phase.review(1, Verdict.WARN)
    phase.write(Role.FIX, 1, "c1")
    phase.review(2, Verdict.PASS)
    phase.end("passed")
    paths = sorted(path for path in phase.folder.rglob("*") if path.is_file())
    assert {path.parent.name for path in paths} == {".signals", "reviews"}
    before = {path: path.read_bytes() for path in paths}
    kept, *gone = paths
    kept.write_text("somebody's own words\n")
    for path in gone:
        path.unlink()
    SpecFiles(Folder(phase.folder.parents[2], "sessions/x"), 4, "r-session").catch_up(phase.events)
    assert kept.read_text() == "somebody's own words\n"
    assert {path: path.read_bytes() for path in gone} == {path: before[path] for path in gone}
