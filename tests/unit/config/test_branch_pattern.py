"""Branches of tasks are named by the user's pattern, and git always accepts the name."""

from __future__ import annotations

import subprocess

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from burnish.config.branch_pattern import FIELDS, branch_name, check_pattern
from burnish.config.schema import Settings
from burnish.errors import UsageError

TASK = {
    "project": "shop",
    "task_id": "20260129-add-login",
    "date": "20260129",
    "slug": "add-login",
    "type": "implement",
    "number": "29",
}


@pytest.mark.parametrize(
    ("pattern", "name"),
    [
        (Settings().land.branch_pattern, "burnish/20260129-add-login"),
        ("{project}/{type}/{number}-{slug}", "shop/implement/29-add-login"),
        ("{date}_{slug}", "20260129_add-login"),
        ("always-this", "always-this"),
        ("//{slug}//x/", "add-login/x"),
        ("-{slug}.lock", "add-login"),
        ("a b/{slug}..", "a-b/add-login"),
        ("{{{slug}}}", "add-login"),
    ],
)
def test_the_fields_of_a_task_fill_the_pattern(pattern: str, name: str) -> None:
    assert branch_name(pattern, TASK) == name


def test_what_a_field_holds_stays_in_its_place() -> None:
    assert branch_name("burnish/{slug}", {**TASK, "slug": "../../main"}) == "burnish/main"
    assert (
        branch_name("burnish/{project}/{slug}", {**TASK, "project": "a/b ~^:c"}) == "burnish/a-b-c/add-login"
    )


@pytest.mark.parametrize(
    "pattern", ["burnish/{task}", "{0}", "{}", "{number:03}", "{slug!r}", "{slug.upper}"]
)
def test_an_unknown_field_is_refused_with_the_known_ones(pattern: str) -> None:
    with pytest.raises(UsageError, match=r"land\.branch_pattern has the unknown field") as caught:
        check_pattern(pattern)
    assert all(f"{{{name}}}" in caught.value.hint for name in FIELDS)


@pytest.mark.parametrize("pattern", ["burnish/{task_id", "a}b", "..", "/", "HEAD", "@", "head"])
def test_a_pattern_that_gives_no_name_is_refused(pattern: str) -> None:
    with pytest.raises(UsageError, match=r"land\.branch_pattern must"):
        check_pattern(pattern)


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=40), st.text(max_size=400))
@example("x.lock.lock", "é" * 300)
@example("@{-1}", "-")
@example("a.lock.", ".-.")
def test_git_accepts_whatever_comes_out(literal: str, slug: str) -> None:
    pattern = literal.replace("{", "{{").replace("}", "}}") + "/{slug}/x"
    name = branch_name(pattern, {**TASK, "slug": slug})
    done = subprocess.run(["git", "check-ref-format", "--branch", name], capture_output=True, check=False)
    assert done.returncode == 0, name
    assert all(len(part.encode()) <= 250 for part in name.split("/"))
