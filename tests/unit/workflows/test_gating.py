"""The gate beside the review."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from burnish.git.memory import MemoryWorkspaces
from burnish.model.change import Change, Dropped
from burnish.model.gate import GateResult
from burnish.model.history import History
from burnish.model.outcome import Outcome
from burnish.model.profile import Limit, LimitUnit
from burnish.model.review import Finding, Review, Severity, Verdict
from burnish.model.step import Role
from burnish.model.task import Task
from burnish.ports import Workspaces
from burnish.workflows.gating import judge
from tests.loops import Drive, failing, passing, profile_named, says

TASK = profile_named("task")


@dataclass
class FileGate:
    """Green as long as a condition on app.py holds."""

    green: Callable[[str], bool]
    workspaces: Workspaces | None = None
    restored: tuple[Dropped, ...] = ()
    checked: list[str] = field(default_factory=list)
    command: str = "check app.py"

    async def check(self, tree: str, base: str) -> GateResult:
        self.checked.append(tree)
        assert isinstance(self.workspaces, MemoryWorkspaces)
        fine = self.green(self.workspaces.trees[tree]["app.py"])
        restored = self.restored if tree != base else ()
        return GateResult(tree, self.command, 0 if fine else 1, "" if fine else "1 failed", restored=restored)


def drive_with(folder: Path, gate: FileGate, *replies: str, cycles: int = 3) -> Drive:
    drive = Drive(folder, TASK, says(*replies), gate=gate, limit=Limit(LimitUnit.REVIEWS, cycles))
    gate.workspaces = drive.workspaces
    return drive


def test_a_newly_red_gate_overrules_an_approval_and_is_a_finding(tmp_path: Path) -> None:
    drive = drive_with(tmp_path, FileGate(lambda text: "implement" not in text), passing(TASK), cycles=1)
    ending = drive.run()
    review = ending.history.reviews[0]
    assert ending.stop.outcome is Outcome.EXHAUSTED
    assert review.overruled == "the gate 'check app.py' turned red"
    assert (review.findings[0].category, review.findings[0].detail) == ("gate", "1 failed")


def test_the_fixer_is_told_what_the_gate_printed_and_green_again_passes(tmp_path: Path) -> None:
    gate = FileGate(lambda text: "implement" not in text or "fix" in text)
    drive = drive_with(tmp_path, gate, passing(TASK))
    assert drive.run().stop.outcome is Outcome.PASSED
    assert "1 failed" in drive.asked(Role.FIX)[0].prompt
    assert "is green on this result" in drive.asked(Role.REVIEW)[1].prompt


def test_what_was_red_before_is_not_held_against_the_change_and_is_said(tmp_path: Path) -> None:
    drive = drive_with(tmp_path, FileGate(lambda text: False), passing(TASK))
    assert drive.run().stop.outcome is Outcome.PASSED
    assert any("red on the base already" in note.text for note in drive.notes())


def test_the_base_is_checked_once_and_each_new_tree_once(tmp_path: Path) -> None:
    gate = FileGate(lambda text: True)
    drive = drive_with(tmp_path, gate, failing(TASK), passing(TASK))
    drive.run()
    assert len(gate.checked) == len(set(gate.checked)) == 3


def test_a_run_without_a_gate_says_so(tmp_path: Path) -> None:
    drive = Drive(tmp_path, TASK, says(passing(TASK)))
    drive.run()
    assert [note.key for note in drive.notes()] == ["no_gate"]


@pytest.mark.parametrize(
    ("why", "title"),
    [
        ("the base's version was used", "edits an existing judge file: tests/test_app.py"),
        ("it would run instead of the gate's own programs", "brings a file that the gate would run: tests/test_app.py"),
        ("green with it, red without", "the gate is green only with tests/test_app.py"),
    ],
)  # fmt: skip
def test_an_edited_judge_is_a_finding_that_blocks(tmp_path: Path, why: str, title: str) -> None:
    path = "tests/test_app.py"
    gate = FileGate(lambda text: True, restored=(Dropped(path, why),))
    ending = drive_with(tmp_path, gate, passing(TASK), cycles=1).run()
    review = ending.history.reviews[0]
    finding = review.findings[0]
    assert ending.stop.outcome is Outcome.EXHAUSTED
    assert review.overruled == f"the change edits or brings what judges it: {path}"
    assert (finding.category, finding.file, finding.severity) == ("judge-edit", path, Severity.HIGH)
    assert finding.title == title


def test_a_pass_beside_a_blocking_finding_is_no_pass() -> None:
    history = History(Task("x", "c", "t0", "c", "t0")).add(Change(Role.IMPLEMENT, "c1", "t1", "t0"))
    review = Review(Verdict.PASS, "APPROVED", findings=(Finding("leaks the key", Severity.HIGH),), tree="t1")
    judged = judge(review, history, Severity.HIGH)
    assert (judged.verdict, judged.passed) == (Verdict.FAIL, False)
    assert judged.overruled == "PASS beside 1 blocking finding(s)"
    assert judge(review, history, Severity.CRITICAL).passed
