"""One new file is really all it takes: every file in every plugin folder can be loaded."""

from __future__ import annotations

import pytest

from burnish.errors import UsageError
from burnish.registry import load, names

FOLDERS = ("agents", "contracts", "profiles")


@pytest.mark.parametrize(("folder", "name"), [(folder, name) for folder in FOLDERS for name in names(folder)])
def test_every_plugin_has_a_maker(folder: str, name: str) -> None:
    assert callable(load(folder, name))


def test_the_five_profiles_are_known_by_their_names() -> None:
    assert names("profiles") == ["loops", "review", "slots", "spec", "task"]
    assert [load("profiles", name)().name for name in names("profiles")] == names("profiles")


def test_the_five_contracts_are_known_by_their_names() -> None:
    assert names("contracts") == ["findings", "grade", "json-verdict", "loop-result", "verdict-line"]


def test_an_unknown_name_is_answered_with_the_known_ones() -> None:
    with pytest.raises(
        UsageError, match=r"unknown profile 'tasks'; known: loops, review, slots, spec, task"
    ) as caught:
        load("profiles", "tasks")
    assert caught.value.hint == "did you mean 'task'?"


def test_a_name_cannot_leave_the_folder() -> None:
    with pytest.raises(UsageError, match="unknown profile"):
        load("profiles", "../model/task")
