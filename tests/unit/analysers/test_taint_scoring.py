"""Short ways from a request in a known framework are surest; what its user may do anyway weighs least."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnish.analysers.taint.scoring import Evidence, SourceKind, score
from burnish.model.review import Severity

DIRECT = Evidence("sql", steps=2, framework="flask")
CLASSES = ("command", "code", "sql", "path", "xss", "log", "weak_hash")
BLOCKS = 0.5


def test_a_direct_flow_from_a_request_is_as_bad_as_its_class_and_surer_than_the_table() -> None:
    assert score(DIRECT) == (Severity.CRITICAL, 0.9)


@pytest.mark.parametrize(
    "worse",
    [
        replace(DIRECT, steps=9),
        replace(DIRECT, unknown_calls=1),
        replace(DIRECT, weak_guards=1),
        replace(DIRECT, framework=""),
        replace(DIRECT, source=SourceKind.ARGV),
        replace(DIRECT, source=SourceKind.ENVIRONMENT),
        replace(DIRECT, in_test=True),
    ],
)
def test_everything_that_speaks_against_it_makes_it_less_sure(worse: Evidence) -> None:
    assert score(worse)[1] < score(DIRECT)[1]


def test_one_unknown_call_still_blocks_and_many_do_not() -> None:
    assert score(replace(DIRECT, unknown_calls=1))[1] >= BLOCKS
    assert score(replace(DIRECT, unknown_calls=5))[1] < BLOCKS


def test_whoever_starts_a_program_decides_its_files_but_not_its_commands() -> None:
    assert score(Evidence("path", source=SourceKind.ARGV))[0] is Severity.LOW
    assert score(Evidence("path", source=SourceKind.ARGV))[1] < BLOCKS
    assert score(Evidence("command", source=SourceKind.ARGV))[0] is Severity.MEDIUM
    assert score(Evidence("command", source=SourceKind.FILES))[0] is Severity.HIGH
    assert score(Evidence("command", source=SourceKind.NETWORK))[0] is Severity.CRITICAL


def test_a_guard_that_is_too_weak_lowers_the_severity_by_one() -> None:
    assert score(replace(DIRECT, weak_guards=1))[0] is Severity.HIGH
    assert score(replace(DIRECT, weak_guards=3))[0] is Severity.HIGH


def test_in_a_test_it_is_low_and_doubtful() -> None:
    assert score(replace(DIRECT, in_test=True)) == (Severity.LOW, 0.3)


@given(
    st.builds(
        Evidence,
        st.sampled_from(CLASSES),
        steps=st.integers(0, 500),
        unknown_calls=st.integers(0, 500),
        weak_guards=st.integers(0, 5),
        source=st.sampled_from(SourceKind),
        framework=st.sampled_from(["", "django"]),
        in_test=st.booleans(),
    )
)
def test_confidence_is_a_probability_and_more_doubt_never_makes_it_surer(evidence: Evidence) -> None:
    severity, confidence = score(evidence)
    assert 0 < confidence < 1
    doubted = replace(evidence, steps=evidence.steps + 1, unknown_calls=evidence.unknown_calls + 1)
    assert score(doubted)[1] <= confidence
    assert score(doubted)[0] is severity
