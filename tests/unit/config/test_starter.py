"""A first burnish.toml: all it says is true for our own loader, whatever the repository is called."""

from __future__ import annotations

import re
import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnish.config.branch_pattern import check_pattern
from burnish.config.files import ConfigFile
from burnish.config.load import Loaded, Sources, load
from burnish.config.starter import KNOWN_AGENTS, Seen, starter
from burnish.config.test_command import TestCommand

EXAMPLE = re.compile(r"^# ([a-z_]+ = .+)$", re.M)
FULL = Seen(("Python", "Go"), TestCommand("pytest -q", "pytest.ini"), "main", ("AGENTS.md",), KNOWN_AGENTS)


def read(text: str) -> Loaded:
    return load(Sources(repository=(ConfigFile("burnish.toml", text.encode()),)))


def set_keys(loaded: Loaded) -> set[str]:
    return {key for key, origin in loaded.origins.items() if origin != "default"}


@pytest.mark.parametrize("seen", [Seen(), FULL], ids=["nothing", "everything"])
def test_only_the_gate_is_set_and_only_where_one_was_found(seen: Seen) -> None:
    assert set_keys(read(starter(seen))) == ({"gate.command"} if seen.tests else set())


@pytest.mark.parametrize("seen", [Seen(), FULL], ids=["nothing", "everything"])
def test_every_example_is_a_setting_that_can_be_used(seen: Seen) -> None:
    text = EXAMPLE.sub(r"\1", starter(seen))
    assert len(EXAMPLE.findall(starter(seen))) >= 20
    loaded = read(text)
    assert len(set_keys(loaded)) == len(EXAMPLE.findall(starter(seen))) + bool(seen.tests)
    check_pattern(loaded.settings.land.branch_pattern)


def test_what_is_called_a_default_is_one() -> None:
    """Examples that say nothing new: unset and set must be the same."""
    examples = tomllib.loads(EXAMPLE.sub(r"\1", starter(Seen())))
    settings = read("").settings
    assert examples["defaults"] == settings.defaults.model_dump()
    assert examples["work"]["jobs"] == settings.work.jobs
    assert examples["land"] == {"how": "branch", "branch_pattern": settings.land.branch_pattern}
    of_type = examples["task_types"]["implement"]
    assert of_type["timeout_minutes"] * 60 == settings.timeouts.implement_s
    assert of_type["review_timeout_minutes"] * 60 == settings.timeouts.review_s
    assert of_type["improve_timeout_minutes"] * 60 == settings.timeouts.fix_s


def test_agents_are_named_and_never_set() -> None:
    text = starter(FULL)
    assert "# Found on your PATH: claude, codex, gemini, " in text
    assert '# implementer = "claude"' in text
    assert '# reviewer = "codex"' in text
    assert read(text).settings.agents.implementer is None


@given(st.text(max_size=30), st.text(max_size=30))
def test_names_of_a_repository_cannot_become_settings(one: str, other: str) -> None:
    hostile = f"{one}\n[agents]\nimplementer = 'evil'\r\n{other}\u2028x = 1"
    seen = Seen((), TestCommand(f"make {hostile}", hostile), hostile, (hostile,))
    assert set_keys(read(starter(seen))) == {"gate.command"}


def test_the_file_is_easy_on_the_eye() -> None:
    assert max(map(len, starter(Seen()).splitlines())) <= 100
    assert not any(line != line.rstrip() for line in starter(FULL).splitlines())
