"""How repairs of planted bugs are counted, on results made up here."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import pytest
from bench._bugs import bugs, equivalent, identical
from bench.repair import Result, digest, read_results, tell_kinds
from bench.section import Page


def result(name: str, *, repaired: bool = True, right: bool = True) -> Result:
    return Result(name, True, repaired, right, False, right, 1.5, 20)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("a > b", "b < a"),
        ("not a == b", "a != b"),
        ("not a < b", "a >= b"),
        ("x = x + 1", "x += 1"),
        ("y = x - 1", "y = x + -1"),
    ],
)
def test_two_ways_to_write_the_same_are_equivalent_and_not_identical(one: str, other: str) -> None:
    assert equivalent(one, other)
    assert not identical(one, other)


@pytest.mark.parametrize(("one", "other"), [("a > b", "a >= b"), ("a - 1", "1 - a"), ("a < b", "b < a")])
def test_what_means_something_else_is_not_equivalent(one: str, other: str) -> None:
    assert not equivalent(one, other)


def test_layout_and_comments_make_no_difference() -> None:
    assert identical("x = 1  # one\n", "\nx = (1)\n")


def test_a_bug_counts_in_its_kind_and_in_all_and_overfitting_apart() -> None:
    chosen = [bug for bug in bugs() if bug.kind == "sort"][:3]
    first, second, third = (bug.id for bug in chosen)
    results = {
        first: result(first),
        second: result(second, right=False),
        third: result(third, repaired=False, right=False),
    }
    page = Page()
    tell_kinds(page, chosen, results)
    row = next(line for line in page.lines if line.startswith("| sort"))
    assert row == "| sort | 3 | 2 | 1 | 1 | 1 | 0 | 1.5 | 20 |"
    assert [goal.measured for goal in page.goals] == ["2 of 3", "1 of 2"]


def test_a_run_that_was_cut_off_goes_on_where_it_was(tmp_path: Path) -> None:
    kept = tmp_path / "results.jsonl"
    kept.write_text(json.dumps(asdict(result("a"))) + '\n{"id": "b", "contr')
    assert list(read_results(kept)) == ["a"]
    assert read_results(tmp_path / "none") == {}


def test_results_of_another_search_are_not_taken_for_those_of_this_one(tmp_path: Path) -> None:
    (tmp_path / "edits.py").write_text("ORDER = 1\n")
    before = digest([tmp_path])
    assert digest([tmp_path]) == before
    (tmp_path / "edits.py").write_text("ORDER = 2\n")
    assert digest([tmp_path]) != before
