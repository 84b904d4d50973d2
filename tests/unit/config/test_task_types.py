"""What a task of a type gets: flag > task_types > defaults > limits and timeouts > the profile's own."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnish.app.choices import limit_of, models_of, times_of
from burnish.config.files import ConfigFile
from burnish.config.load import Flag, Loaded, Sources, load
from burnish.config.schema import FIELDS, Settings, TaskTypes
from burnish.config.task_types import TaskSettings, resolve
from burnish.errors import UsageError
from burnish.model.profile import Limit, LimitUnit, Profile
from burnish.model.queue import TaskType
from burnish.model.step import Role
from burnish.registry import load as find

SEED = """
defaults:
  auto_review: false
  max_review_cycles: 3
task_types:
  implement:
    auto_review: true
    max_review_cycles: 3
    model: opus
    review_model: sonnet
    timeout_minutes: 60
    review_timeout_minutes: 10
    improve_timeout_minutes: 30
"""


def loaded(text: str, *, yaml: bool = False, **others: Any) -> Loaded:
    if yaml:
        pytest.importorskip("yaml")
    return load(Sources(repository=(ConfigFile("the file", text.encode(), yaml=yaml),), **others))


def of(text: str, kind: str = "implement", *, yaml: bool = False) -> TaskSettings:
    return resolve(loaded(text, yaml=yaml).settings, kind)


def profile(name: str) -> Profile:
    found: Profile = find("profiles", name)()
    return found


def test_there_is_a_section_for_every_type_of_task() -> None:
    assert list(TaskTypes.model_fields) == [str(kind) for kind in TaskType]


@pytest.mark.conformance("G-18", "G-19")
def test_a_task_is_not_reviewed_by_itself_and_may_take_three_reviews_where_nothing_is_said() -> None:
    for kind in TaskType:
        found = resolve(Settings(), kind)
        assert (found.auto_review, found.max_review_cycles, dict(found.models)) == (False, 3, {})
        assert (found.implement_s, found.review_s, found.fix_s) == (3600, 600, 1800)
        assert found.decided_by["max_review_cycles"] == "defaults.max_review_cycles"


@pytest.mark.conformance("G-18", "G-19")
def test_the_defaults_hold_for_every_type_that_says_nothing_itself() -> None:
    text = "defaults: {auto_review: true, max_review_cycles: 4}\ntask_types: {plan: {auto_review: false}}"
    assert (of(text, "task", yaml=True).auto_review, of(text, "plan", yaml=True).auto_review) == (True, False)
    assert of(text, "plan", yaml=True).max_review_cycles == 4


@pytest.mark.conformance("G-20", "G-21")
def test_what_is_said_for_a_type_beats_the_defaults_for_that_type_alone() -> None:
    text = """
    [defaults]
    max_review_cycles = 3
    [task_types.implement]
    auto_review = true
    max_review_cycles = 5
    """
    assert (of(text).auto_review, of(text).max_review_cycles) == (True, 5)
    assert of(text).decided_by["max_review_cycles"] == "task_types.implement.max_review_cycles"
    assert (of(text, "task").auto_review, of(text, "task").max_review_cycles) == (False, 3)


@pytest.mark.conformance("G-22", "G-23")
@pytest.mark.parametrize(
    ("text", "yaml"),
    [
        ("task_types: {implement: {model: opus, review_model: sonnet}}", True),
        ("[task_types.implement]\nmodel = 'opus'\nreview_model = 'sonnet'", False),
        ("task_types.implement = {model = 'opus', review_model = 'sonnet'}", False),
    ],
)
def test_each_role_has_a_model_of_its_own(text: str, yaml: bool) -> None:
    found = of(text, yaml=yaml)
    assert dict(found.models) == {Role.IMPLEMENT: "opus", Role.REVIEW: "sonnet"}
    assert found.decided_by["models.review"] == "task_types.implement.review_model"
    assert models_of(loaded(text, yaml=yaml).settings) == (("implement", "opus"), ("review", "sonnet"))
    assert dict(of(text, "task", yaml=yaml).models) == {}


@pytest.mark.conformance("G-24", "G-25", "G-26")
def test_each_role_has_minutes_of_its_own() -> None:
    text = """
    task_types:
      implement:
        timeout_minutes: 30
        review_timeout_minutes: 5
        improve_timeout_minutes: 0.5
    """
    found = of(text, yaml=True)
    assert (found.implement_s, found.review_s, found.fix_s) == (1800, 300, 30)
    times = times_of(loaded(text, yaml=True).settings)
    assert (times.implement_s, times.review_s, times.fix_s, times.gate_s) == (1800, 300, 30, 900)


def test_the_origins_own_example_is_read_as_it_stands() -> None:
    found = of(SEED, yaml=True)
    assert (found.auto_review, found.max_review_cycles) == (True, 3)
    assert (found.implement_s, found.review_s, found.fix_s) == (3600, 600, 1800)
    assert all(key.startswith("task_types.implement.") for key in found.decided_by.values())


@pytest.mark.parametrize(
    ("text", "kind", "expected"),
    [
        ("[task_types.review]\ntimeout_minutes = 1\nmodel = 'm'", "review", (60, 1800, "m", None)),
        (
            "[task_types.review]\nreview_timeout_minutes = 2\ntimeout_minutes = 1",
            "review",
            (120, 1800, None, None),
        ),
        ("[task_types.improve]\ntimeout_minutes = 1\nmodel = 'm'", "improve", (600, 60, None, "m")),
        ("[task_types.implement]\ntimeout_minutes = 1\nmodel = 'm'", "implement", (600, 1800, None, None)),
    ],
)
def test_a_task_that_is_a_review_or_a_fix_has_that_as_its_own_work(
    text: str, kind: str, expected: tuple[float, float, str | None, str | None]
) -> None:
    found = of(text, kind)
    models = (found.models.get(Role.REVIEW), found.models.get(Role.FIX))
    assert (found.review_s, found.fix_s, *models) == expected


LAYERS = {
    "task_types.implement.max_review_cycles": 2,
    "defaults.max_review_cycles": 4,
    "limits.cycles": 6,
}


@given(st.sets(st.sampled_from(list(LAYERS))))
def test_the_most_special_key_of_a_file_decides(said: set[str]) -> None:
    text = "\n".join(f"{key} = {LAYERS[key]}" for key in said)
    found = of(text)
    first = next((key for key in LAYERS if key in said), "defaults.max_review_cycles")
    assert (found.max_review_cycles, found.decided_by["max_review_cycles"]) == (
        LAYERS.get(first, 3) if said else 3,
        first,
    )
    limit, _ = limit_of(loaded(text).settings, profile("task"))
    assert limit == Limit(LimitUnit.REVIEWS, found.max_review_cycles)


def test_defaults_that_say_something_else_do_not_say_how_many_reviews() -> None:
    text = "defaults.auto_review = true\nlimits.cycles = 5"
    assert of(text).max_review_cycles == 5
    assert limit_of(loaded(text).settings, profile("task"))[0] == Limit(LimitUnit.REVIEWS, 5)


def test_fixes_are_one_fewer_than_reviews() -> None:
    assert of("limits.fixes = 4").max_review_cycles == 5
    assert of("limits.fixes = 4\ndefaults.max_review_cycles = 2").max_review_cycles == 2


@pytest.mark.conformance("G-21")
@pytest.mark.parametrize("flag", ["limits.cycles", "limits.fixes"])
def test_a_flag_beats_what_a_file_says_for_a_type(flag: str) -> None:
    text = "defaults.max_review_cycles = 7\ntask_types.implement.max_review_cycles = 8"
    settings = loaded(text, flags={flag: Flag("--x", 2)}).settings
    assert resolve(settings, "implement").max_review_cycles == (2 if flag == "limits.cycles" else 3)


@pytest.mark.parametrize(("flag", "part"), [("implement_s", 0), ("review_s", 1), ("fix_s", 2)])
def test_a_flag_for_a_time_beats_the_minutes_of_a_type_and_leaves_the_others(flag: str, part: int) -> None:
    names = ("timeout_minutes", "review_timeout_minutes", "improve_timeout_minutes")
    text = "[task_types.implement]\n" + "\n".join(f"{name} = 1" for name in names)
    times = times_of(loaded(text, flags={f"timeouts.{flag}": Flag("--x", 7.0)}).settings)
    expected = [60.0, 60.0, 60.0]
    expected[part] = 7.0
    assert [times.implement_s, times.review_s, times.fix_s] == expected


def test_a_stronger_source_that_speaks_in_general_beats_a_weaker_one_that_speaks_of_a_type() -> None:
    text = "[task_types.implement]\nreview_timeout_minutes = 1\nimprove_timeout_minutes = 1"
    found = loaded(text, environ={"BURNISH_TIMEOUTS_REVIEW_S": "5"})
    times = resolve(found.settings, "implement")
    assert (times.review_s, times.fix_s) == (5, 60)
    assert found.origins["task_types.implement.review_timeout_minutes"] == "default"
    assert found.origins[times.decided_by["review_s"]] == "environment BURNISH_TIMEOUTS_REVIEW_S"


def test_a_weaker_source_that_speaks_in_general_does_not_touch_a_type() -> None:
    user = (ConfigFile("mine", b"timeouts.review_s = 5\ndefaults.max_review_cycles = 9"),)
    text = "task_types.implement = {review_timeout_minutes = 1, max_review_cycles = 2}"
    found = resolve(loaded(text, user=user).settings, "implement")
    assert (found.review_s, found.max_review_cycles) == (60, 2)


def test_where_nothing_is_said_a_run_has_the_limit_of_its_profile() -> None:
    for name in ("task", "spec", "slots"):
        assert limit_of(Settings(), profile(name)) == (profile(name).limit, "")


def test_reviews_said_for_a_type_are_turned_into_the_unit_of_the_profile() -> None:
    limit, said = limit_of(loaded("task_types.implement.max_review_cycles = 4").settings, profile("slots"))
    assert limit == Limit(LimitUnit.FIXES, 3)
    assert said == "--cycles 4 is at most 3 fix(es): the profile 'slots' counts fixes"


def test_every_value_is_decided_by_a_key_that_exists() -> None:
    for kind in TaskType:
        assert set(of(SEED, kind, yaml=True).decided_by.values()) <= set(FIELDS)


def test_a_type_that_does_not_exist_is_refused_in_a_sentence() -> None:
    with pytest.raises(UsageError, match=r"unknown table 'task_types\.chore'"):
        loaded("task_types: {chore: {model: x}}", yaml=True)
