"""Tasks from a markdown file."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnish.errors import UsageError
from burnish.specs.checklist import read_items


def _texts(text: str) -> list[str]:
    return [item.text for item in read_items(text, "night.md")]


def test_each_checklist_item_is_a_task_with_what_is_indented_below_it() -> None:
    text = "# Night\n\n- [ ] One\n  more of one\n\n- [x] Two\nnot of two\n* [ ] Three\n"
    items = read_items(text, "night.md")
    assert [(item.text, item.done) for item in items] == [
        ("One\n  more of one", False), ("Two", True), ("Three", False),
    ]  # fmt: skip


def test_without_a_checklist_each_heading_below_the_title_is_a_task() -> None:
    assert _texts("# Night\n\nwords\n\n## One\nbody\n### part\n## Two\n") == ["One\nbody\n### part", "Two"]
    assert _texts("# One\na\n# Two\n") == ["One\na", "Two"]


def test_after_names_tasks_of_the_file_with_a_hash_and_of_the_queue_without() -> None:
    items = read_items("- [ ] One\n- [ ] Two (after: #1, 29)\n- [ ] Three\n  after: #1 and #2\n", "x")
    assert [(item.text, item.after, item.waits_for) for item in items] == [
        ("One", (), ()), ("Two", (1,), (29,)), ("Three", (1, 2), ()),
    ]  # fmt: skip


def test_items_and_headings_in_code_are_code() -> None:
    text = "```\n- [ ] not this\n# nor this\n```\n- [ ] This\n  ```\n  - [ ] nor this\n  ```\n"
    assert [line.splitlines()[0] for line in _texts(text)] == ["This"]


@pytest.mark.parametrize("text", ["", "words only\n", "```\n- [ ] a\n```\n"])
def test_a_file_without_tasks_is_told(text: str) -> None:
    with pytest.raises(UsageError, match="expected a checklist"):
        read_items(text, "night.md")


def test_a_task_after_one_that_is_not_there_is_told() -> None:
    with pytest.raises(UsageError, match="after #9, and the file has 1 tasks"):
        read_items("- [ ] One (after: #9)\n", "night.md")


@given(
    st.lists(
        st.text(alphabet=st.characters(codec="utf8", exclude_categories=("C", "Z")), min_size=1), min_size=1
    )
)
def test_every_item_that_is_written_is_read(words: list[str]) -> None:
    text = "".join(f"- [ ] {word}\n" for word in words)
    if "after:" in text.lower() or "after" in text.lower():
        return
    assert len(read_items(text, "x")) == len(words)


@given(st.text())
def test_any_text_is_read_or_refused_in_a_sentence(text: str) -> None:
    try:
        assert all(item.text.strip() for item in read_items(text, "x"))
    except UsageError as error:
        assert error.message
