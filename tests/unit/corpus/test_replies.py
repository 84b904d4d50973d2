"""The corpus of labelled replies: 0 false passes, and honest passes are known."""

from __future__ import annotations

from collections import Counter

import pytest

from burnish.corpus import replies
from burnish.corpus.score import question, read_answers, rows, score

ROWS = rows("replies")


def told(rule: object) -> dict[str, bool]:
    assert callable(rule)
    return {row["id"]: rule(row) for row in ROWS}


def test_no_labelled_reply_passes_that_should_not_and_honest_ones_do() -> None:
    found = score("burnish", "replies", ROWS, told(replies.ours))
    assert found.wrong == ()
    assert found.recognised >= 0.99, found.missed
    assert found.sound


def test_the_literal_and_the_naive_rules_are_fooled_by_the_same_rows() -> None:
    """The hardened rules exist because of these; when this turns small, the corpus no longer tests anything."""
    for rule in (replies.seeds, replies.naive):
        assert len(score("x", "replies", ROWS, told(rule)).wrong) > 250


def test_the_corpus_is_as_large_and_as_mixed_as_it_says() -> None:
    assert len(ROWS) >= 600
    assert len({row["id"] for row in ROWS}) == len(ROWS)
    assert sum(row["expected"] == "pass" for row in ROWS) >= 150
    by = Counter(row["author"] for row in ROWS)
    assert by["blind"] + by["fresh"] >= len(ROWS) / 3
    assert {row["contract"] for row in ROWS} == {
        "grade",
        "verdict-line",
        "json-verdict",
        "loop-result",
        "findings",
    }


def test_who_is_scored_does_not_see_the_labels() -> None:
    for row in ROWS[:50]:
        asked = question(row)
        assert '"expected"' not in asked
        assert row["id"] in asked


@pytest.mark.parametrize(
    ("output", "answers"),
    [
        ('{"id": "a", "pass": true}\n{"id": "b", "pass": false}\n', {"a": True, "b": False}),
        ('noise\n{"id": "a", "pass": "yes"}\n{"pass": true}\n[]\n', {}),
        ('{"id": "a", "pass": true}\n{"id": "a", "pass": false}\n', {"a": False}),
    ],
)
def test_answers_are_read_line_by_line_and_only_in_their_form(output: str, answers: dict[str, bool]) -> None:
    assert read_answers("replies", output) == answers


def test_a_row_without_an_answer_is_neither_passed_nor_known() -> None:
    found = score("x", "replies", ROWS, {})
    assert (found.wrong, len(found.unanswered)) == ((), len(ROWS))
    assert found.recognised == 0
    assert not found.sound
