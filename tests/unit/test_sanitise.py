"""Nothing untrusted reaches a terminal raw."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnish.sanitise import both_ends, clean, clean_line


@pytest.mark.parametrize("byte", [*range(0x20), *range(0x7F, 0xA0)])
def test_no_control_byte_is_printed_raw(byte: int) -> None:
    character = chr(byte)
    assert character in "\n\t" or character not in clean(f"a{character}b")


@pytest.mark.parametrize(
    "character", ["\u202e", "\u200b", "\u2066", "\U000e0041", "\ufeff", "\x9b", "\ud800"]
)
def test_hidden_and_reordering_characters_become_visible(character: str) -> None:
    assert clean(f"pass{character}") == f"pass{clean(character)}"
    assert character not in clean(character)


def test_ordinary_words_in_any_script_stay_as_they_are() -> None:
    text = "größer, 日本語, [bold]not markup[/bold], ✓ 100 %"
    assert clean(text) == text


@given(st.text(max_size=300))
def test_a_cleaned_line_is_one_line_that_can_be_written(text: str) -> None:
    line = clean_line(text)
    assert "\n" not in line
    assert line.encode("utf8").decode("utf8") == line


@given(st.text(), st.integers(min_value=3, max_value=50))
def test_what_is_too_long_keeps_its_beginning_and_its_end(text: str, most: int) -> None:
    short = both_ends(text, most)
    if len(text) <= most:
        assert short == text
    else:
        head, tail = short[: most // 3], short[most // 3 + 1 :]
        assert len(short) == most
        assert head and tail and text.startswith(head) and text.endswith(tail)
