"""Stop markers, delays, reasons and names, as they stand in what agents print and we write."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnish.contracts._answers import EMPTY
from burnish.model.change import Change, Failure, FailureKind
from burnish.model.review import Review, Verdict
from burnish.model.step import Role
from burnish.slots.failures import failure_reason
from burnish.slots.log_names import log_stem, stamp
from burnish.slots.retry_delay import retry_delay_s
from burnish.slots.stop_markers import STOP_MARKERS, heard, stop_marker


@given(st.sampled_from(STOP_MARKERS), st.text(max_size=20), st.text(max_size=20), st.booleans())
def test_a_marker_is_heard_wherever_it_stands_and_however_it_is_written(
    marker: str, before: str, behind: str, loud: bool
) -> None:
    said = f"{before} {marker.upper() if loud else marker} {behind}"
    assert stop_marker(said) in STOP_MARKERS


@given(st.text(max_size=200).filter(lambda text: "available" not in text.lower()))
def test_other_words_are_no_marker(said: str) -> None:
    assert stop_marker(said) == ""


@pytest.mark.conformance("L-29", "L-30")
@pytest.mark.parametrize("marker", STOP_MARKERS)
def test_only_a_writer_that_did_nothing_is_heard_and_never_a_reviewer(marker: str) -> None:
    said = f"There are {marker}."
    for role in (Role.IMPLEMENT, Role.FIX):
        assert heard([Change(role, "c", "tree", "tree", said=said)]) == marker
        assert heard([Change(role, "c", "new", "tree", said=said)]) == ""
    quoting = Review(Verdict.PASS, "pass", summary=said, text=said)
    failed = Failure(Role.REVIEW, FailureKind.EXIT, said)
    assert heard([Change(Role.IMPLEMENT, "c", "tree", "tree", said="done"), quoting, failed]) == ""


@pytest.mark.parametrize(
    ("printed", "delay_s"),
    [
        ('{"error": {"resets_in_seconds": 42}}', 42.0),
        ("reset_seconds=7", 7.0),
        ("retry_after_seconds: 1.5", 1.5),
        ("Please try again in 20 seconds.", 20.0),
        ("rate limited, retrying in about 3 minutes", 180.0),
        ("Retry after 5 s", 5.0),
        ("try again in 2 minutes; retry_after_seconds: 30", 120.0),
        ("retry_after_seconds: 999999999", None),
        ("exit status 1", None),
        ("try again later", None),
        ("", None),
    ],
)
def test_a_delay_is_read_from_what_a_failed_agent_printed(printed: str, delay_s: float | None) -> None:
    assert retry_delay_s(printed) == delay_s


@pytest.mark.parametrize(
    ("failure", "reason"),
    [
        (
            Failure(Role.REVIEW, FailureKind.EXIT, "x ended with status 3", 3),
            "reviewer process exited with status 3",
        ),
        (
            Failure(Role.FIX, FailureKind.EXIT, "x ended with status 9", 9),
            "fixer process exited with status 9",
        ),
        (
            Failure(
                Role.REVIEW, FailureKind.VIOLATION, "reviewer contract violation (no_json): nothing there"
            ),
            "reviewer contract violation: no JSON object found (nothing there)",
        ),
        (
            Failure(Role.REVIEW, FailureKind.VIOLATION, f"reviewer contract violation (no_json): {EMPTY}"),
            "reviewer contract violation: empty reviewer output (the answer is empty)",
        ),
        (
            Failure(Role.REVIEW, FailureKind.VIOLATION, "reviewer contract violation (bad_verdict): 'x'"),
            "reviewer contract violation: invalid verdict ('x')",
        ),
        (
            Failure(Role.REVIEW, FailureKind.VIOLATION, "reviewer contract violation (conflict): two"),
            "reviewer contract violation: two",
        ),
        (Failure(Role.IMPLEMENT, FailureKind.TIMEOUT, "slow"), "implementer process ran out of time"),
        (Failure(Role.IMPLEMENT, FailureKind.LIMITED, "quota"), "implementer: quota"),
    ],
)
def test_why_a_slot_failed_is_said_in_the_words_of_its_origin(failure: Failure, reason: str) -> None:
    assert failure_reason(failure) == reason


def test_logs_are_named_by_iteration_slot_and_what_was_done() -> None:
    at = stamp("2026-11-15T18:07:00.123456+00:00")
    assert log_stem(1, at, 2, Role.IMPLEMENT, 0) == "iter-001-20261115T180700Z-agent-02"
    assert log_stem(12, at, 2, Role.REVIEW, 3) == "iter-012-20261115T180700Z-agent-02-review-3"
    assert log_stem(1, at, 11, Role.FIX, 1, attempt=2) == "iter-001-20261115T180700Z-agent-11b-fix-1"
