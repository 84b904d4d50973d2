"""A reviewer is held to its contract's schema, told of every error once, and heard only in that form."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from burnish.model.agent import Reply, Request
from burnish.model.outcome import Outcome
from burnish.model.profile import Limit, LimitUnit
from burnish.model.step import Role
from burnish.ports import Asking
from burnish.registry import load
from tests.loops import Drive, profile_named

ONCE = Limit(LimitUnit.REVIEWS, 1)
PASS: dict[str, Any] = {"review": "Fine.", "must_fix": [], "verdict": "APPROVED"}


@pytest.mark.parametrize("name", ["spec", "task", "slots", "loops", "review"])
def test_a_reviewer_is_asked_with_its_contracts_schema_and_a_writer_with_none(
    tmp_path: Path, name: str
) -> None:
    profile = profile_named(name)
    drive = Drive(tmp_path, profile, lambda request: "nothing of the kind", limit=ONCE)
    drive.run()
    schema = load("contracts", profile.contract)().schema(Asking())
    assert {id(request.schema) for request in drive.asked(Role.REVIEW)} == {id(schema)}
    assert all(request.schema is None for request in drive.asked(Role.IMPLEMENT))


def test_a_structured_approval_ends_the_loop(tmp_path: Path) -> None:
    ending = Drive(tmp_path, profile_named("task"), lambda request: Reply("", structured=PASS)).run()
    assert ending.stop.outcome is Outcome.PASSED


def test_a_structured_approval_beside_what_must_be_fixed_does_not_end_it(tmp_path: Path) -> None:
    issue = {"file": "app.py", "line": 1, "problem": "the check is missing", "suggestion": None}
    said = PASS | {"must_fix": [issue]}
    drive = Drive(tmp_path, profile_named("task"), lambda request: Reply("", structured=said), limit=ONCE)
    ending = drive.run()
    assert ending.stop.outcome is Outcome.EXHAUSTED
    assert "the check is missing" in drive.asked(Role.REVIEW)[1].prompt


def test_the_repair_prompt_tells_every_error_and_is_sent_once(tmp_path: Path) -> None:
    wrong = {"loopId": 3, "passed": "yes", "issues": [{"line": -1}]}
    drive = Drive(tmp_path, profile_named("loops"), lambda request: Reply("", structured=wrong), limit=ONCE)
    ending = drive.run()
    asked = drive.asked(Role.REVIEW)
    assert len(asked) == 2
    for part in (
        "- the result: 'loopId' must be a string, found the number 3",
        "- 'passed' must be true or false, found 'yes'",
        "- issue 1: 'description' must be a string, found nothing",
        "- issue 1: 'line' must be a line number, found the number -1",
    ):
        assert part in asked[1].prompt
        assert part not in asked[0].prompt
    assert ending.stop.outcome is not Outcome.PASSED


def test_a_reviewer_that_repairs_its_answer_is_heard(tmp_path: Path) -> None:
    def review(request: Request) -> Reply:
        repaired = "verdict is missing" in request.prompt
        return Reply("", structured=PASS if repaired else {"review": "", "must_fix": []})

    assert Drive(tmp_path, profile_named("task"), review).run().stop.outcome is Outcome.PASSED
