"""What is counted as wasted, false and wrong."""

from __future__ import annotations

import pytest

from burnish.model.decision import Stop
from burnish.model.outcome import Outcome
from burnish.model.reason import Reason
from burnish.model.review import Severity
from burnish.simulator.code import Code, Defect
from burnish.simulator.tally import Course, tally

PASSED = Stop(Outcome.PASSED, Reason.REVIEW_PASSED)
STOPPED = Stop(Outcome.STOPPED, Reason.NO_PROGRESS)
EXHAUSTED = Stop(Outcome.EXHAUSTED, Reason.CYCLES_EXHAUSTED)


def course(stop: Stop, *counts: int, severity: Severity = Severity.HIGH) -> Course:
    """A run whose reviews saw so many defects."""
    return Course(
        stop, tuple(Code(frozenset(Defect(f"d{n}", severity) for n in range(count))) for count in counts)
    )


@pytest.mark.parametrize(
    ("stop", "counts", "wasted"),
    [
        (PASSED, (3, 1, 0), 0),
        (PASSED, (3, 3, 0), 1),
        (EXHAUSTED, (3, 3, 3), 2),
        (EXHAUSTED, (3, 1, 2, 1), 2),
        (EXHAUSTED, (2, 0, 0), 1),
        (PASSED, (0, 0, 0), 1),
        (EXHAUSTED, (4,), 0),
    ],
)
def test_a_round_is_wasted_when_it_neither_passes_nor_brings_the_change_further(
    stop: Stop, counts: tuple[int, ...], wasted: int
) -> None:
    assert course(stop, *counts).wasted == wasted


def test_a_pass_is_false_only_while_something_that_blocks_is_in_it() -> None:
    assert course(PASSED, 1).false_pass
    assert not course(PASSED, 1, severity=Severity.MEDIUM).false_pass
    assert not course(PASSED, 1, 0).false_pass
    assert not course(EXHAUSTED, 1).false_pass


@pytest.mark.parametrize(
    ("unstopped", "wrong"),
    [
        (course(PASSED, 2, 2, 0), 1),
        (course(PASSED, 2, 2, 2, 0), 1),
        (course(PASSED, 2, 2, 2, 2, 0), 0),
        (course(PASSED, 2, 2, 2), 0),
        (course(EXHAUSTED, 2, 2, 2, 1), 1),
        (course(EXHAUSTED, 2, 2, 3, 2), 0),
    ],
)
def test_a_stop_is_wrong_when_two_rounds_more_would_have_shown_it(unstopped: Course, wrong: int) -> None:
    counted = tally(course(STOPPED, 2, 2), unstopped)
    assert (counted.stops, counted.wrong_stops) == (1, wrong)


def test_only_a_stop_can_be_wrong_or_clean() -> None:
    whole = course(PASSED, 2, 0)
    assert (tally(whole, whole).stops, tally(whole, whole).wrong_stops) == (0, 0)
    lesser = course(STOPPED, 2, 2, severity=Severity.LOW)
    assert tally(lesser, course(EXHAUSTED, 2, 2, 2)).clean_stops == 1
    assert tally(course(STOPPED, 2), course(EXHAUSTED, 2, 2)).clean_stops == 0
