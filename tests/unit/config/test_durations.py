"""Durations as people write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnish.config.durations import LONGEST_S, duration_s, in_words
from burnish.errors import UsageError


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("90s", 90), ("30m", 1800), ("2h", 7200), ("1.5h", 5400), ("1d", 86400), (" 5s ", 5), ("0.5s", 0.5)],
)
def test_a_number_and_a_unit_are_seconds(text: str, seconds: float) -> None:
    assert duration_s(text) == seconds


@pytest.mark.parametrize(
    "text",
    ["", "30", "m", "-5m", "0s", "0.0m", "1h30m", "5 m", "1e9s", "inf", "nan", "٣m", "400d", "9" * 500 + "s"],
)
def test_anything_else_is_refused_in_one_sentence(text: str) -> None:
    with pytest.raises(UsageError, match="expected a duration such as 90s, 30m or 2h, found") as refused:
        duration_s(text)
    assert len(refused.value.message) < 120


@given(st.text(max_size=30) | st.from_regex(r"[0-9.]{0,12}[smhdSMHD]{0,2}", fullmatch=True))
def test_whatever_is_written_it_is_a_possible_time_or_refused(text: str) -> None:
    try:
        seconds = duration_s(text)
    except UsageError:
        return
    assert 0 < seconds <= LONGEST_S


@given(st.integers(1, 3600), st.sampled_from("smh"))
def test_what_is_written_is_what_is_meant(number: int, unit: str) -> None:
    assert duration_s(f"{number}{unit}") == number * {"s": 1, "m": 60, "h": 3600}[unit]


@pytest.mark.parametrize(
    ("seconds", "words"), [(0.4, "0s"), (45, "45s"), (75, "1m 15s"), (720, "12m"), (7500, "2h 05m")]
)
def test_seconds_are_told_in_short_words(seconds: float, words: str) -> None:
    assert in_words(seconds) == words
