"""What follows an iteration."""

from __future__ import annotations

from dataclasses import replace

import pytest

from burnish.render.slots import summary
from burnish.slots.report import Fate, Next, SlotReport, SlotsReport, after

PASSED = SlotReport(1, 1, Fate.PASSED)
UNREVIEWED = SlotReport(1, 1, Fate.UNREVIEWED)
FAILED = SlotReport(1, 2, Fate.FAILED)
LIMITED = SlotReport(1, 3, Fate.FAILED, retry_s=30.0)
IDLE = SlotReport(1, 4, Fate.IDLE, stop="no_beads_available")


def test_a_slot_whose_reviewer_failed_was_reviewed_without_a_verdict() -> None:
    broken = replace(FAILED, item="bd-1", why="reviewer contract violation: no JSON object found")
    report = SlotsReport("r-1", "", (broken, replace(FAILED, run="r-2", why="fixer: no")), 1, None, 1, "", 1)
    assert summary(report) == [
        "iteration 1 slot 2: FAILED (no verdict) bd-1: reviewer contract violation: no JSON object found",
        "iteration 1 slot 2: FAILED (no review) r-2: fixer: no",
    ]


@pytest.mark.conformance("L-17")
def test_one_failed_slot_fails_its_iteration_whatever_the_others_did() -> None:
    assert after([PASSED, FAILED], 3) == (Next.FAILED, 0.0)
    assert after([PASSED, FAILED], 0) == (Next.FAILED, 0.0)
    assert after([FAILED, IDLE], 3) == (Next.FAILED, 0.0)


def test_only_when_every_failed_agent_named_a_delay_is_it_waited_for() -> None:
    longer = SlotReport(1, 5, Fate.FAILED, retry_s=60.0)
    assert after([PASSED, LIMITED, longer], 3) == (Next.WAIT, 60.0)
    assert after([FAILED, LIMITED], 3) == (Next.FAILED, 0.0)


def test_a_slot_that_asks_a_person_keeps_its_iteration_open() -> None:
    asks = SlotReport(1, 6, Fate.ASKS, why="which of the two?")
    assert after([PASSED, asks, FAILED], 3) == (Next.ASKS, 0.0)


def test_it_goes_on_while_something_is_left() -> None:
    assert after([PASSED], 2) == (Next.GO_ON, 0.0)
    assert after([UNREVIEWED], None) == (Next.GO_ON, 0.0)
    assert after([PASSED], 0) == (Next.EMPTY, 0.0)
    assert after([], 2) == (Next.EMPTY, 0.0)


def test_a_stop_marker_ends_it_and_says_so_where_work_is_left() -> None:
    assert after([PASSED, IDLE], 2) == (Next.STOPPED, 0.0)
    assert after([PASSED, IDLE], 0) == (Next.EMPTY, 0.0)
    assert after([IDLE], None) == (Next.EMPTY, 0.0)
