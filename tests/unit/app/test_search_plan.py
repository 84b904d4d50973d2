"""Repair by search as the settings want it."""

from __future__ import annotations

from burnish.app.search_plan import SEARCH, search_option
from burnish.config.schema import Gate, Settings
from burnish.config.search_settings import Searching
from burnish.fixers._choose import code_fixers
from burnish.fixers.search import SearchFixer
from burnish.model.review import Finding
from burnish.process.tool_setup import ToolSetup

FAILING = Finding("Test fails: t.py::a", file="t.py", rule="tests:failing")


def fixer(settings: Settings, command: str = "pytest") -> SearchFixer:
    setup = ToolSetup({}, test_command=command, options={SEARCH: search_option(settings)})
    last = code_fixers(setup)[-1]
    assert isinstance(last, SearchFixer)
    return last


def test_it_takes_failing_tests_where_a_test_command_is_known() -> None:
    assert fixer(Settings()).can(FAILING)
    assert not fixer(Settings(), command="").can(FAILING)
    assert not fixer(Settings()).can(Finding("x", file="a.py", rule="ruff:F401"))


def test_it_can_be_switched_off_and_given_other_limits() -> None:
    assert not fixer(Settings(search=Searching(enabled=False))).can(FAILING)
    limits = fixer(Settings(search=Searching(max_time_s=7), gate=Gate(protect=("checks/**",)))).limits
    assert (limits.max_time_s, limits.total_time_s, limits.protected) == (7, 900, ("checks/**",))
