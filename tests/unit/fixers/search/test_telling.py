"""What people are told while a search is at work."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from burnish.fixers.search._telling import Telling, counted, short, telling


def search(tried: int, *sound: bool) -> Any:
    return SimpleNamespace(tried=tried, plausible=[SimpleNamespace(sound=one) for one in sound])


def test_the_words_name_the_test_how_far_it_is_and_the_time() -> None:
    state = Telling("tests/test_cart.py::TestCart::test_total", 120.0, began=10.0)
    assert state.words(13.4) == "searching a repair for test_total: running the tests, 3 s of 120 s"
    state.search = search(120, True, False)
    assert state.words(30.0) == (
        "searching a repair for test_total: 120 candidates tried, 1 passes, 20 s of 120 s"
    )


def test_the_number_of_candidates_never_goes_back() -> None:
    state = Telling("test_x", 120.0, began=10.0)
    state.goes_on_with(search(14))
    state.goes_on_with(search(6))
    assert "20 candidates tried" in state.words(30.0)


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (search(1), "1 candidate tried, none passes"),
        (search(2, False), "2 candidates tried, none passes"),
        (search(9, True, True), "9 candidates tried, 2 pass"),
    ],
)
def test_what_breaks_other_tests_does_not_count_as_passing(found: Any, words: str) -> None:
    assert counted(found) == words


@pytest.mark.parametrize(
    ("test", "name"),
    [
        ("tests/test_it.py::Case::test_x", "test_x"),
        ("test_x (test_it.Case.test_x)", "test_x"),
        ("tests/test_it.py::test_x[a::b (c)]", "test_x[a::b (c)]"),
        ("TestAdd/negative", "TestAdd/negative"),
    ],
)
def test_the_name_of_a_test_is_short(test: str, name: str) -> None:
    assert short(test) == name


def test_nothing_is_said_when_it_is_over() -> None:
    said: list[str] = []

    async def searched() -> None:
        spoken = asyncio.Event()

        def hear(text: str) -> None:
            said.append(text)
            spoken.set()

        async with telling(hear, "test_x", 60, first_s=0):
            await spoken.wait()
        await asyncio.sleep(0)

    asyncio.run(searched())
    assert said[0] == "searching a repair for test_x: running the tests, 0 s of 60 s"
    assert said[-1] == ""
