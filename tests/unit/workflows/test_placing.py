"""Where an agent's finding belongs, by what it quotes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnish.model.review import Finding
from burnish.workflows.placing import placed

TEXT = "a = 1\n\ndef f():\n    return a\n\ndef g():\n    return a\n"


@pytest.mark.parametrize(
    ("line", "snippet", "at", "shown"),
    [
        (4, "", 4, "return a"),
        (4, "    return a", 4, "    return a"),
        (2, "\n  return a\nmore", 4, "\n  return a\nmore"),
        (6, "return a", 7, "return a"),
        (5, "return a", 4, "return a"),
        (3, "not in there", 3, "not in there"),
        (99, "def g():", 6, "def g():"),
        (99, "", None, ""),
    ],
)
def test_a_finding_stands_at_the_nearest_line_with_its_words(
    line: int, snippet: str, at: int | None, shown: str
) -> None:
    found = placed(Finding("t", file="x", line=line, snippet=snippet), TEXT)
    assert (found.line, found.snippet) == (at, shown)


def test_nothing_is_changed_without_a_file_or_a_line() -> None:
    for finding, text in ((Finding("t", line=3), None), (Finding("t", snippet="a = 1"), TEXT)):
        assert placed(finding, text) is finding


@given(st.integers(1, 9), st.text(alphabet="ab \n", max_size=9), st.text(alphabet="ab \n", max_size=30))
def test_the_line_is_always_one_that_the_file_has(line: int, snippet: str, text: str) -> None:
    found = placed(Finding("t", line=line, snippet=snippet), text)
    assert found.line is None or 1 <= found.line <= len(text.splitlines())
