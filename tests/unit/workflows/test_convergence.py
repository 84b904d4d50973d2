"""What is told about a run that goes nowhere, under every profile, without ending it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from burnish.model.agent import Request
from burnish.model.outcome import Outcome
from burnish.model.profile import Limit, LimitUnit
from burnish.model.receipt import GivenFile
from burnish.model.review import Severity, Verdict
from burnish.workflows.convergence import TITLE_CAP, signs
from tests.loops import Drive, edits, failing, profile_named, says
from tests.unit.policies.histories import failed, finding, history

PROFILES = ("spec", "task", "slots", "loops", "review")


def nothing(request: Request) -> str:
    return "I looked at it."


def there_and_back(request: Request) -> str:
    """Writes one thing, then another, then the first again."""
    path = request.workspace / "app.py"
    path.write_text("one\n" if not path.exists() or path.read_text() != "one\n" else "other\n")
    return "done"


def codes(drive: Drive) -> list[str]:
    return [note.key for note in drive.notes() if not note.key.startswith("no_gate")]


@pytest.mark.parametrize("name", PROFILES)
def test_lack_of_progress_is_told_and_the_limit_still_decides(tmp_path: Path, name: str) -> None:
    profile = profile_named(name)
    drive = Drive(
        tmp_path, profile, says(failing(profile)), edits(), nothing, limit=Limit(LimitUnit.REVIEWS, 3)
    )
    ending = drive.run()
    assert ending.stop.outcome is Outcome.EXHAUSTED
    assert len(ending.history.reviews) == 3
    assert codes(drive) == ["no_change/1", "same_findings/2", "no_change/2", "same_findings/3"]


def test_a_tree_that_comes_back_is_told_with_the_cycle_that_saw_it(tmp_path: Path) -> None:
    profile = profile_named("task")
    drive = Drive(tmp_path, profile, says(failing(profile)), there_and_back, there_and_back)
    drive.run()
    told = {note.key: note.text for note in drive.notes()}
    assert told["oscillation/2"] == "the fix of cycle 2 brought back the tree that cycle 1 reviewed"


def test_findings_that_return_are_named_and_long_titles_cut() -> None:
    long = "x" * 200
    facts = history("t1", failed("t1", long, "b"), "t2", failed("t2", "c"), "t3", failed("t3", "b", long))
    told = dict(signs(facts))
    assert told["returning"].startswith("2 findings had gone and came back: ")
    assert "x" * TITLE_CAP not in told["returning"]
    assert "(a.py) and 1 more" in told["returning"]


def test_small_findings_are_told_from_the_third_review_on() -> None:
    small = failed("t1", finding("a", Severity.LOW))
    second = history("t1", failed("t1", "z"), "t2", small)
    assert "lesser_findings" not in dict(signs(second))
    assert "lesser_findings" in dict(signs(second.add(small)))
    assert "lesser_findings" not in dict(signs(second.add(failed("t1", "b"))))


def test_findings_about_older_code_are_told_from_the_second_review_on() -> None:
    given = (GivenFile("a.py", ("-1 +1,9",)),)
    mixed = failed("t1", finding("a", file="old.py"), finding("b"), given=given)
    assert dict(signs(history("t1", mixed))) == {}
    told = dict(signs(history("t1", failed("t1", "z"), "t2", mixed)))
    assert told["untouched_code"] == "1 finding about lines that the change did not touch: a (old.py)"


def test_a_pass_is_told_nothing_about() -> None:
    facts = history("t1", failed("t1", "a"), "t2", failed("t2", "b"), "t3")
    passed = failed("t3", finding("a", Severity.LOW))
    assert "returning" in dict(signs(facts.add(passed)))
    assert dict(signs(facts.add(replace(passed, verdict=Verdict.PASS)))) == {}
