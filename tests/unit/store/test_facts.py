"""Events go into the journal and come back as they were."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnish.errors import StoreError
from burnish.model.events import Event, Noticed, RunStarted, StepFailed, StepFinished, StepStarted
from burnish.model.step import Role, Step
from burnish.store import facts

words = st.text(st.characters(), max_size=20)
steps = st.builds(Step, st.sampled_from(Role), st.integers(0, 99), words, words, st.integers(1, 3))
plain: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3),
    max_leaves=8,
)
events: st.SearchStrategy[Event] = st.one_of(
    st.builds(StepStarted, steps),
    st.builds(StepFinished, steps, words, plain),
    st.builds(StepFailed, steps, words, words, words),
    st.builds(Noticed, words, words),
    st.builds(
        RunStarted, words, words, words, words, words, words, st.integers(0, 9), words,
        st.dictionaries(st.sampled_from(["implementer", "reviewer", "fixer"]), words),
    ),
)  # fmt: skip


@given(events)
def test_every_event_is_read_back_as_it_was(event: Event) -> None:
    stored = facts.body(event)
    stored.encode("ascii")
    assert facts.event(event.kind, event.v, stored) == event


@pytest.mark.parametrize(("kind", "v"), [("invented_later", 1), ("notice", 2)])
def test_an_event_of_a_newer_burnish_is_refused_with_a_sentence(kind: str, v: int) -> None:
    with pytest.raises(StoreError, match="which this Burnish does not know"):
        facts.event(kind, v, '{"key":"k","text":"t"}')
