"""How an iteration ended is what its agent says on a line of its own, not what it quotes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnish.loops.signals import MOST_CHARS, read_signal, unheard
from burnish.model.signal import ExitSignal, ExitWord

COMPLETE = ExitSignal(ExitWord.TASK_COMPLETE)
DONE = ExitSignal(ExitWord.ITERATION_DONE)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I did it.\n\nTASK_COMPLETE", COMPLETE),
        ("TASK_COMPLETE\n", COMPLETE),
        ("**TASK_COMPLETE**", COMPLETE),
        ("  TASK_COMPLETE.  ", COMPLETE),
        ("ITERATION_DONE\r\n", DONE),
        ("TASK_STUCK: no compiler here", ExitSignal(ExitWord.TASK_STUCK, "no compiler here")),
        ("**TASK_STUCK:** no compiler", ExitSignal(ExitWord.TASK_STUCK, "no compiler")),
        (
            "TASK_QUESTION: Which one?\nA or B?\n\nBye",
            ExitSignal(ExitWord.TASK_QUESTION, "Which one?\nA or B?"),
        ),
        # The last one counts.
        ("TASK_COMPLETE\nno, wait\nITERATION_DONE", DONE),
        ("ITERATION_DONE\n\nTASK_COMPLETE", COMPLETE),
        # Not on a line of its own, or without what it needs.
        ("The task is not TASK_COMPLETE yet", None),
        ("TASK_COMPLETE when the tests pass", None),
        ("TASK_STUCK", None),
        ("TASK_STUCK:", None),
        ("task_complete", None),
        ("", None),
        # Quoted, fenced, indented or in a comment.
        ("> TASK_COMPLETE", None),
        ("```\nTASK_COMPLETE\n```", None),
        ("~~~\nTASK_COMPLETE\n~~~\nITERATION_DONE", DONE),
        ("    TASK_COMPLETE", None),
        ("```\nTASK_COMPLETE", None),
        ("End with one of:\n\n- `ITERATION_DONE`\n- `TASK_COMPLETE`", None),
        ("<!--\nTASK_COMPLETE\n-->", None),
    ],
)
def test_a_signal_is_read_where_it_stands_for_itself(text: str, expected: ExitSignal | None) -> None:
    assert read_signal(text) == expected


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("> TASK_STUCK: x\nTASK_COMPLETE", "TASK_COMPLETE"),
        ("```\nmake\n\nTASK_COMPLETE\n", "TASK_COMPLETE"),
        ("    TASK_STUCK: no compiler", "TASK_STUCK"),
        ("> TASK_STUCK: x\n\nTASK_COMPLETE", ""),
        ("ITERATION_DONE\n\n    TASK_COMPLETE", ""),
        ("> TASK_COMPLETE", ""),
        ("more to do", ""),
        ("", ""),
    ],
)
def test_a_last_line_that_did_not_count_is_known_by_its_word(text: str, word: str) -> None:
    assert unheard(text) == word


@given(st.text(max_size=300))
def test_any_text_gives_a_signal_or_none_and_the_prompts_own_lines_give_none(text: str) -> None:
    found = read_signal(text)
    assert found is None or found.word in ExitWord
    quoted = "\n".join(f"> {line}" for line in f"{text}\nTASK_COMPLETE".split("\n"))
    assert read_signal(quoted) != COMPLETE


@given(st.text(alphabet="abc \n.", max_size=200))
def test_a_signal_behind_plain_words_is_found(text: str) -> None:
    plain = "\n".join(line.strip() for line in text.split("\n"))
    assert read_signal(f"{plain}\n\nTASK_COMPLETE") == COMPLETE


def test_a_flood_is_read_from_its_end_and_a_reason_is_capped() -> None:
    assert read_signal("word " * 100_000 + "\n\nTASK_COMPLETE") == COMPLETE
    found = read_signal("TASK_STUCK: " + "x" * 10_000)
    assert found is not None
    assert len(found.reason) == MOST_CHARS
    assert read_signal("\nx" * 90_000) is None
