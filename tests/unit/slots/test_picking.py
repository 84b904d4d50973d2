"""No bead goes to two slots, and none before what it waits for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnish.slots.picking import pickable, picked_id, waiting
from burnish.slots.work_item import ItemStatus, WorkItem

KNOWN = ("bd-1", "bd-2", "ouroboros-7", "ouroboros-7.1")
items = st.lists(
    st.builds(
        WorkItem,
        id=st.integers(1, 9).map(str),
        title=st.just("x"),
        status=st.sampled_from(ItemStatus),
        priority=st.none() | st.integers(0, 4),
        waits_for=st.lists(st.integers(1, 9).map(str), max_size=2).map(tuple),
    ),
    max_size=9,
    unique_by=lambda item: item.id,
)


@given(items, st.integers(1, 8))
def test_slots_that_pick_one_after_the_other_never_get_the_same(found: list[WorkItem], slots: int) -> None:
    held: list[str] = []
    for _ in range(slots):
        free = pickable(found, held)
        if free:
            held.append(free[0].id)
    assert len(held) == len(set(held))
    assert {item.status for item in found if item.id in held} <= {ItemStatus.OPEN}


@given(items)
def test_what_is_picked_waits_for_nothing_that_remains(found: list[WorkItem]) -> None:
    remaining = {item.id for item in found if item.status is not ItemStatus.CLOSED}
    for item in pickable(found):
        assert not remaining & set(item.waits_for)


def test_the_most_urgent_goes_first_and_then_the_order_of_the_source() -> None:
    found = [
        WorkItem("a", "x"),
        WorkItem("b", "x", priority=2),
        WorkItem("c", "x", priority=0),
        WorkItem("d", "x", priority=2),
    ]
    assert [item.id for item in pickable(found)] == ["c", "b", "d", "a"]


def test_what_passed_in_this_session_blocks_nobody_and_is_not_picked_again() -> None:
    found = [WorkItem("a", "x"), WorkItem("b", "x", waits_for=("a", "unknown"))]
    assert [item.id for item in pickable(found)] == ["a"]
    assert [item.id for item in pickable(found, done={"a"})] == ["b"]
    assert [item.id for item in waiting(found, done={"a"})] == ["b"]


def test_what_another_slot_holds_still_blocks_what_waits_for_it() -> None:
    assert pickable([WorkItem("a", "x"), WorkItem("b", "x", waits_for=("a",))], held={"a"}) == ()


@pytest.mark.parametrize(
    ("said", "picked"),
    [
        ("Updated issue: bd-2", "bd-2"),
        ("I ran `bd update bd-1 --status in_progress`, unlike bd-2.", "bd-1"),
        ("I worked on ouroboros-7.1.", "ouroboros-7.1"),
        ("I worked on ouroboros-7.", "ouroboros-7"),
        ("bd-1 and bd-2", ""),
        ("Updated issue: bd-1\nUpdated issue: bd-2", ""),
        ("Updated issue: bd-99", ""),
        ("xbd-1x", ""),
        ("", ""),
    ],
)
def test_what_an_agent_says_it_picked(said: str, picked: str) -> None:
    assert picked_id(said, KNOWN) == picked
