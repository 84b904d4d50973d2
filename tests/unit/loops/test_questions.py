"""What a writer asks a person is its last line, if that line is its own."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnish.loops.signals import MOST_CHARS, read_question
from burnish.model.signal import ExitSignal, ExitWord


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("I began.\n\nQUESTION: Which currency?", "Which currency?"),
        ("QUESTION: Which currency?\n\n", "Which currency?"),
        ("**QUESTION:** euros or dollars?\r\n", "euros or dollars?"),
        ("**QUESTION**: euros?", "euros?"),
        # Not the last line, not on a line of its own, or nothing asked.
        ("QUESTION: Which currency?\nI took euros.", None),
        ("The QUESTION: is open", None),
        ("QUESTION:", None),
        ("question: Which one?", None),
        ("TASK_QUESTION: Which one?", None),
        ("", None),
        # Somebody else's words.
        ("> QUESTION: Which currency?", None),
        ("```\nQUESTION: Which currency?\n```", None),
        ("```\nQUESTION: Which currency?", None),
        ("    QUESTION: Which currency?", None),
        ("- `QUESTION: ...`", None),
        ("<!--\nQUESTION: x\n-->", None),
    ],
)
def test_a_question_is_read_where_it_stands_for_itself(text: str, question: str | None) -> None:
    expected = ExitSignal(ExitWord.TASK_QUESTION, question) if question else None
    assert read_question(text) == expected


def test_a_question_has_a_length() -> None:
    found = read_question(f"QUESTION: {'x' * (MOST_CHARS + 9)}")
    assert found is not None
    assert len(found.reason) == MOST_CHARS


@given(st.text(max_size=300))
def test_any_text_gives_a_question_or_none_and_a_quoted_one_gives_none(text: str) -> None:
    found = read_question(text)
    assert found is None or found.word is ExitWord.TASK_QUESTION
    assert read_question("\n".join(f"> {line}" for line in f"{text}\nQUESTION: why?".split("\n"))) is None
