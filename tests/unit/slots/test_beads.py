"""A snapshot of beads is whole or it is none."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnish.errors import UsageError
from burnish.slots.beads import read_beads, read_list
from burnish.slots.work_item import ItemStatus, WorkItem

NAME = ".beads/issues.jsonl"
GOOD: dict[str, Any] = {"id": "bd-1", "title": "Add login", "status": "open", "priority": 1}

ids = st.from_regex(r"[a-z]{1,5}-[0-9]{1,3}(\.[0-9]{1,2})?", fullmatch=True)
beads = st.fixed_dictionaries(
    {
        "id": ids,
        "title": st.text(min_size=1, max_size=40).filter(lambda text: text.strip()),
        "status": st.sampled_from([str(status) for status in ItemStatus]),
    },
    optional={
        "priority": st.none() | st.integers(0, 4),
        "assignee": st.text(max_size=10),
        "description": st.text(max_size=40),
        "labels": st.lists(st.text(max_size=5), max_size=2),
    },
)
snapshots = st.lists(beads, max_size=8, unique_by=lambda bead: bead["id"])


def lines(*values: Any) -> str:
    return "".join(f"{json.dumps(value)}\n" for value in values)


@given(snapshots)
def test_every_bead_of_a_good_file_is_read_in_its_order(snapshot: list[dict[str, Any]]) -> None:
    found = read_beads(lines(*snapshot), NAME)
    assert [(item.id, str(item.status), item.priority) for item in found] == [
        (bead["id"], bead["status"], bead.get("priority")) for bead in snapshot
    ]
    assert read_list(json.dumps(snapshot), "bd") == found


@given(snapshots, st.integers(0, 8), st.text(min_size=1, max_size=30))
def test_one_line_that_is_no_bead_and_none_of_the_file_is_used(
    snapshot: list[dict[str, Any]], at: int, junk: str
) -> None:
    written = lines(*snapshot).splitlines()
    at = min(at, len(written))
    bad = "{" + junk.replace("\n", " ")
    text = "\n".join([*written[:at], bad, *written[at:]])
    with pytest.raises(UsageError, match=rf"issues\.jsonl, line {at + 1}: expected a bead") as told:
        read_beads(text, NAME)
    assert "none of the file is used" in told.value.hint


@given(st.text(max_size=300))
def test_any_text_is_read_or_refused_in_a_sentence(text: str) -> None:
    for read in (read_beads, read_list):
        try:
            read(text, NAME)
        except UsageError as error:
            assert error.message.startswith(NAME)


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"id": 7}, "a number as its id"),
        ({"id": "bd 1"}, "the id 'bd 1'"),
        ({"title": None}, "null as its title"),
        ({"title": "  "}, "an empty title"),
        ({"status": "done"}, "the status 'done'"),
        ({"priority": "high"}, "a text as its priority"),
        ({"priority": True}, "true or false as its priority"),
        ({"assignee": 3}, "a number as its assignee"),
        ({"dependencies": {"bd-2": 1}}, "dependencies that are no list of objects"),
        ({"dependencies": [{"type": "blocks"}]}, "a dependency on nothing"),
    ],
)
def test_a_field_that_is_not_what_it_should_be_is_named(wrong: dict[str, Any], told: str) -> None:
    with pytest.raises(UsageError, match="line 2") as error:
        read_beads(lines(GOOD, {**GOOD, "id": "bd-2", **wrong}), NAME)
    assert told in error.value.message


@pytest.mark.parametrize("line", ["<<<<<<< HEAD", "[]", '"bd-1"', "{}", '{"id": "a", "id": "b"}', "NaN"])
def test_a_line_of_another_kind_is_no_bead(line: str) -> None:
    with pytest.raises(UsageError, match="line 1"):
        read_beads(f"{line}\n{lines(GOOD)}", NAME)


def test_an_id_stands_once() -> None:
    with pytest.raises(UsageError, match="the id 'bd-1' a second time"):
        read_beads(lines(GOOD, GOOD), NAME)


def test_what_is_left_of_a_deleted_bead_is_no_bead() -> None:
    assert read_beads(lines({"id": "bd-9", "status": "tombstone"}, GOOD), NAME) == (
        WorkItem("bd-1", "Add login", ItemStatus.OPEN, 1),
    )


def test_blockers_are_waited_for_and_an_epic_waits_for_its_children() -> None:
    epic = {**GOOD, "id": "bd-2"}
    links = [
        {"depends_on_id": "bd-2", "type": "parent-child"},
        {"depends_on_id": "bd-7", "type": "blocks"},
        {"depends_on_id": "bd-8", "type": "related"},
    ]
    child, parent = read_beads(lines({**GOOD, "dependencies": links}, epic), NAME)
    assert child.waits_for == ("bd-7",)
    assert parent.waits_for == ("bd-1",)


def test_the_prompt_of_a_bead_has_its_description_and_what_it_must_meet() -> None:
    [item] = read_beads(
        lines({**GOOD, "description": "With a form.", "acceptance_criteria": "It works."}), NAME
    )
    assert item.prompt == "Add login\n\nWith a form.\n\nAcceptance criteria:\n\nIt works."


def test_a_list_must_be_a_list() -> None:
    with pytest.raises(UsageError, match="an object instead of a list"):
        read_list("{}", "bd")
    assert read_list("[]", "bd") == ()
