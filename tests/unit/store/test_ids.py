"""Run ids: short, easy to read aloud, never taken twice."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnish.store.ids import ALPHABET, new_run_id


def test_ids_are_short_and_without_look_alikes() -> None:
    made = {new_run_id(lambda name: False) for _ in range(200)}
    assert all(re.fullmatch(r"r-[a-hjkmnp-z2-9]{4}", name) for name in made)
    assert len(made) > 190


@given(st.sets(st.sampled_from(ALPHABET), min_size=1), st.randoms())
def test_a_taken_id_is_never_given(taken_beginnings, random) -> None:  # type: ignore[no-untyped-def]
    def taken(name: str) -> bool:
        return len(name) == 6 and name[2] in taken_beginnings

    name = new_run_id(taken, random.choice)
    assert not taken(name)
    assert 6 <= len(name) <= 10


def test_with_every_id_taken_it_gives_up_instead_of_looping() -> None:
    with pytest.raises(RuntimeError, match="no free run id"):
        new_run_id(lambda name: True)
