"""The only exit codes, by profile and outcome."""

from __future__ import annotations

import pytest

from burnish.model.exit_codes import exit_code
from burnish.model.outcome import Outcome

PROFILES = ("spec", "task", "slots", "loops", "review")


@pytest.mark.conformance("G-41")
def test_running_out_of_cycles_is_no_failure_for_a_task() -> None:
    assert exit_code("task", Outcome.EXHAUSTED) == 0


@pytest.mark.parametrize(
    ("profile", "code"), [("spec", 5), ("task", 0), ("slots", 1), ("loops", 4), ("review", 1)]
)
def test_running_out_ends_as_the_profile_says(profile: str, code: int) -> None:
    assert exit_code(profile, Outcome.EXHAUSTED) == code


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("outcome", Outcome)
def test_strict_calls_nothing_but_a_pass_a_success(profile: str, outcome: Outcome) -> None:
    assert (exit_code(profile, outcome, strict=True) == 0) == (outcome is Outcome.PASSED)


@pytest.mark.parametrize("profile", PROFILES)
def test_other_ends_have_the_same_code_in_every_profile(profile: str) -> None:
    codes = {
        outcome: int(exit_code(profile, outcome)) for outcome in Outcome if outcome is not Outcome.EXHAUSTED
    }
    assert codes == {
        Outcome.PASSED: 0,
        Outcome.STOPPED: 4,
        Outcome.ESCALATED: 5,
        Outcome.FAILED: 1,
        Outcome.CANCELLED: 130,
        Outcome.UNREVIEWED: 0,
    }
