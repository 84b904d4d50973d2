"""A flood of words from a writer is recorded as its beginning, within what a reviewer is shown."""

from burnish.prompts.book import cap
from burnish.workflows.writing import MOST_SAID, kept


def test_a_flood_is_recorded_by_its_beginning_and_its_length() -> None:
    found = kept("\0" * 4_000_000)
    assert found.startswith("\0" * MOST_SAID)
    assert found.endswith("[cut: 3950100 of 4000000 characters]")
    assert cap(found, 50_000) == found


def test_words_of_a_usual_length_are_recorded_whole() -> None:
    assert kept("x" * MOST_SAID) == "x" * MOST_SAID
