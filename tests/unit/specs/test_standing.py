"""Where a phase stands by its signals: numbering and finished fixes are there again, a PASS needs its receipt."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnish.model.review import Verdict
from burnish.model.step import Role
from burnish.specs.signals import Signal, Status
from burnish.specs.standing import Standing, standing

IMPLEMENTED = Signal(1, Role.IMPLEMENT, commit="c0")


def review(cycle: int, grade: Verdict | None, *, phase: int = 1, receipt: str = "") -> Signal:
    return Signal(phase, Role.REVIEW, cycle, grade=grade, commit="seen", receipt=receipt)


def fix(cycle: int, *, phase: int = 1) -> Signal:
    return Signal(phase, Role.FIX, cycle, commit=f"c{cycle}")


def stands(*signals: Signal) -> Standing:
    return standing(signals, lambda one: one.receipt == "good")[signals[0].phase]


@pytest.mark.conformance("O-44")
@pytest.mark.parametrize(
    ("signals", "role", "cycle"),
    [
        ([IMPLEMENTED], Role.REVIEW, 1),
        ([IMPLEMENTED, review(1, Verdict.WARN)], Role.FIX, 1),
        ([IMPLEMENTED, review(1, Verdict.FAIL)], Role.FIX, 1),
        ([IMPLEMENTED, review(1, None)], Role.FIX, 1),
        ([IMPLEMENTED, review(1, Verdict.WARN), fix(1)], Role.REVIEW, 2),
        ([IMPLEMENTED, review(1, Verdict.WARN), fix(1), review(2, Verdict.FAIL)], Role.FIX, 2),
        ([review(1, Verdict.PASS, receipt="good")], None, 1),
        ([review(1, Verdict.PASS, receipt="good"), fix(1)], Role.REVIEW, 2),
        ([review(2, Verdict.PASS)], Role.REVIEW, 3),
        ([Signal(1, Role.IMPLEMENT, status=Status.FAIL)], Role.IMPLEMENT, 0),
        ([IMPLEMENTED, review(1, Verdict.WARN), Signal(1, Role.FIX, 1, Status.FAIL)], Role.FIX, 1),
        ([IMPLEMENTED, Signal(1, Role.REVIEW, 1, Status.SKIPPED, grade=Verdict.PASS)], Role.REVIEW, 1),
        ([fix(3)], Role.REVIEW, 4),
    ],
)
def test_the_next_step_follows_from_the_signals(signals: list[Signal], role: Role | None, cycle: int) -> None:
    found = stands(*signals)
    assert (found.next, found.next_cycle, found.done) == (role, cycle, role is None)


def test_commits_and_finished_fixes_are_there_again() -> None:
    found = stands(fix(2), review(2, Verdict.WARN), IMPLEMENTED, fix(1), review(1, Verdict.FAIL))
    assert found.commits == ("c0", "c1", "c2")
    assert found.fixed == (1, 2)
    assert (found.last_cycle, found.grade) == (2, Verdict.WARN)


def test_a_pass_whose_receipt_does_not_verify_is_reviewed_again_under_a_new_number() -> None:
    found = stands(IMPLEMENTED, review(1, Verdict.PASS, receipt="forged"))
    assert (found.unverified, found.done) == (True, False)
    assert (found.next, found.next_cycle) == (Role.REVIEW, 2)


def test_why_the_step_failed_before_is_told() -> None:
    failed = Signal(1, Role.FIX, 1, Status.FAIL, error="timed out")
    assert stands(IMPLEMENTED, review(1, Verdict.WARN), failed).error == "timed out"
    assert stands(IMPLEMENTED, review(1, Verdict.WARN), failed, fix(1)).error == ""


def test_phases_stand_apart_and_signals_of_other_tools_count_in_none() -> None:
    signals = [IMPLEMENTED, review(1, Verdict.WARN, phase=3), Signal(0, None, label="gather")]
    found = standing(signals, lambda one: True)
    assert {phase: one.next for phase, one in found.items()} == {1: Role.REVIEW, 3: Role.FIX}


GRADES = st.sampled_from([Verdict.WARN, Verdict.FAIL])


@pytest.mark.conformance("O-37")
@given(st.lists(GRADES, max_size=8), st.booleans(), st.integers(0, 20), st.randoms())
def test_going_on_never_writes_over_a_signal(
    grades: list[Verdict], passes: bool, cut: int, chance: Random
) -> None:
    """Whatever part of a phase was done: the next signal has a name that is not there yet."""
    steps = [IMPLEMENTED]
    for cycle, grade in enumerate(grades, 1):
        steps += [review(cycle, grade), fix(cycle)]
    steps += [review(len(grades) + 1, Verdict.PASS)] if passes else []
    kept = steps[: max(1, cut)]
    chance.shuffle(kept)
    found = stands(*kept)
    assert found.next
    assert Signal(1, found.next, found.next_cycle).name not in {one.name for one in kept}
