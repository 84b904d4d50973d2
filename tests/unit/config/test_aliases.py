"""The origins' own spellings are read as the settings they became."""

from __future__ import annotations

from typing import Any

import pytest

from burnish.config.aliases import ALIASES
from burnish.config.files import ConfigFile
from burnish.config.load import Loaded, Sources, load
from burnish.config.schema import FIELDS, Settings
from burnish.errors import UsageError


def toml(text: str) -> Loaded:
    return load(Sources(repository=(ConfigFile("burnish.toml at base", text.encode("utf8")),)))


def yaml(text: str) -> Settings:
    pytest.importorskip("yaml")
    file = ConfigFile("burnish.yaml at base", text.encode("utf8"), yaml=True)
    return load(Sources(repository=(file,))).settings


def test_every_alias_leads_to_a_setting_and_hides_none() -> None:
    assert {alias.key for alias in ALIASES.values()} <= set(FIELDS)
    assert not set(ALIASES) & set(FIELDS)


@pytest.mark.conformance("L-41")
def test_the_keys_of_the_slots_origin_are_read() -> None:
    settings = toml("""
        reviewEnabled = true
        reviewMaxFixAttempts = 3
        developerPromptPath = ".ai_agents/prompts/developer.md"
        reviewerPromptPath = ".ai_agents/prompts/reviewer.md"
    """).settings
    assert (settings.review.enabled, settings.limits.fixes) == (True, 3)
    assert settings.prompts.implement == ".ai_agents/prompts/developer.md"
    assert settings.prompts.review == ".ai_agents/prompts/reviewer.md"


def test_the_slots_origin_says_how_many_and_how_often_in_its_own_words() -> None:
    text = 'promptPath = "p.md"\nparallelAgents = 4\niterationLimit = 7\npauseMs = 250\n'
    slots = toml(text).settings.slots
    assert (slots.prompt, slots.parallel_agents, slots.iterations, slots.pause_ms) == ("p.md", 4, 7, 250)


def test_the_minutes_of_the_task_origin_are_read_from_its_defaults_too() -> None:
    text = "defaults: {timeout_minutes: 60, review_timeout_minutes: 10, improve_timeout_minutes: 0.5}"
    timeouts = yaml(text).timeouts
    assert (timeouts.implement_s, timeouts.review_s, timeouts.fix_s) == (3600, 600, 30)


def test_the_budget_of_a_run_has_its_old_name_in_files_and_variables() -> None:
    assert toml("[limits]\nbudget_usd = 2").settings.budget.run_cost_usd == 2
    loaded = load(Sources(environ={"BURNISH_LIMITS_BUDGET_USD": "2.5"}))
    assert loaded.settings.budget.run_cost_usd == 2.5
    assert loaded.origins["budget.run_cost_usd"] == "environment BURNISH_LIMITS_BUDGET_USD"
    with pytest.raises(UsageError, match=r"budget\.run_cost_usd says again what limits\.budget_usd says"):
        toml("limits.budget_usd = 2\nbudget.run_cost_usd = 2")


@pytest.mark.parametrize(
    ("text", "key", "value"),
    [
        ("MAX_CYCLES = 2", "limits.cycles", 2),
        ("max_review_cycles = 2", "limits.cycles", 2),
        ("maxRevisionAttempts = 2", "limits.fixes", 2),
        ("review_timeout_minutes = 2", "timeouts.review_s", 120),
    ],
)
def test_an_alias_at_the_top_of_a_file_is_read(text: str, key: str, value: Any) -> None:
    loaded = toml(text)
    section, name = key.split(".")
    assert getattr(getattr(loaded.settings, section), name) == value
    assert loaded.origins[key] == "burnish.toml at base"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("MAX_CYCLES = 3\n[limits]\ncycles = 3", "limits.cycles says again what MAX_CYCLES says"),
        ("MAX_CYCLES = 3\nmax_review_cycles = 3", "max_review_cycles says again what MAX_CYCLES says"),
        ("MAX_CYCLES = 3\nreviewMaxFixAttempts = 3", "MAX_CYCLES and reviewMaxFixAttempts are two ways"),
        ("reviewMaxFixAttempts = -1", "reviewMaxFixAttempts must be a whole number from 0, found -1"),
        ("timeout_minutes = true", "timeout_minutes must be a number above 0, found true"),
        ("timeout_minutes = 0", "timeout_minutes must be a number above 0, found 0"),
    ],
)
def test_a_wrong_alias_is_named_as_it_was_written(text: str, sentence: str) -> None:
    with pytest.raises(UsageError) as caught:
        toml(text)
    assert sentence in caught.value.message
