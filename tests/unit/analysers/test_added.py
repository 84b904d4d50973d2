from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnish.analysers._setup import AnalyserSetup
from burnish.analysers.added import look, make
from burnish.model.review import Severity


def found(path: str, text: str) -> list[tuple[int | None, str]]:
    return [(finding.line, finding.rule.removeprefix("added:")) for finding in look(path, text)]


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("a.py", "x = 1  # noqa"),
        ("a.py", "x = 1  # NOQA: S602"),
        ("a.py", "x = 1  # ruff: ignore[S602]"),
        ("a.py", "x: int = 'a'  # type: ignore[assignment]"),
        ("a.py", "x = 1  # pyright: ignore"),
        ("a.py", "x = 1  # ty: ignore"),
        ("a.py", "x = 1  # nosec B602"),
        ("a.py", "x = 1  # pylint: disable=all"),
        ("a.py", "if x:  # pragma: no cover"),
        ("a.py", "def f():  # lizard forgives"),
        ("a.py", "key = 1  # pragma: allowlist secret"),
        ("a.js", "// eslint-disable-next-line no-eval"),
        ("a.js", "a(); // eslint-disable-line"),
        ("a.ts", "// @ts-ignore"),
        ("a.ts", "// @ts-expect-error: wrong"),
        ("a.js", "// oxlint-disable-next-line"),
        ("a.js", "// biome-ignore lint: x"),
        ("a.js", "// ast-grep-ignore"),
        ("a.js", "/* istanbul ignore next */"),
        ("a.go", "x() //nolint:errcheck"),
        ("a.go", "x() // #nosec G204"),
        ("A.java", '@SuppressWarnings("unchecked")'),
        ("A.java", "x(); // NOSONAR"),
        ("a.rs", "#[allow(dead_code)]"),
        ("a.c", "x(); // NOLINT"),
        ("a.rb", "x # rubocop:disable Style/All"),
        ("a.php", "x(); // @phpstan-ignore-next-line"),
        ("a.sh", "# shellcheck disable=SC2086"),
        ("Dockerfile", "# hadolint ignore=DL3008"),
        (".github/workflows/a.yml", "uses: x # zizmor: ignore[unpinned]"),
        ("a.swift", "// swiftlint:disable all"),
        ("A.cs", "#pragma warning disable CS0168"),
    ],
)
def test_a_checker_told_to_look_away_is_a_finding(path: str, line: str) -> None:
    assert found(path, f"\n{line}\n") == [(2, "suppression")]


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("a.py", "# ruff: noqa"),
        ("a.py", "# flake8: noqa"),
        ("a.py", "# mypy: ignore-errors"),
        ("a.ts", "// @ts-nocheck"),
        ("a.js", "/* eslint-disable */"),
        ("a.rs", "#![allow(warnings)]"),
    ],
)
def test_a_checker_switched_off_for_a_file_weighs_more(path: str, line: str) -> None:
    worst = min(look(path, f"{line}\n"), key=lambda finding: finding.severity.rank)
    assert (worst.rule, worst.severity) == ("added:suppression-file", Severity.HIGH)


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("tests/test_a.py", "@pytest.mark.skip"),
        ("tests/test_a.py", "@pytest.mark.xfail(reason='x')"),
        ("tests/test_a.py", "@pytest.mark.skipif(True, reason='x')"),
        ("tests/test_a.py", "    pytest.skip('later')"),
        ("tests/test_a.py", "@unittest.skip('x')"),
        ("tests/test_a.py", "        self.skipTest('x')"),
        ("a.test.js", "it.skip('works', () => {})"),
        ("a.test.js", "xdescribe('x', () => {})"),
        ("a_test.go", '\tt.Skip("later")'),
        ("src/test/java/ATest.java", "@Disabled"),
        ("src/lib.rs", "#[ignore]"),
        ("spec/a_spec.rb", "xit 'works' do"),
        ("tests/ATest.php", "$this->markTestSkipped('x');"),
    ],
)
def test_a_skipped_test_is_a_finding(path: str, line: str) -> None:
    assert found(path, f"{line}\n") == [(1, "skipped-test")]


def test_a_focused_test_is_a_finding_in_tests_only() -> None:
    assert found("a.test.ts", "describe.only('x', () => {})\n") == [(1, "only-test")]
    assert found("curve.js", "fit(points)\n") == []


@pytest.mark.parametrize(
    ("path", "line", "rule"),
    [
        ("a.py", "# TODO: handle this", "todo"),
        ("a.go", "// FIXME(me): wrong", "fixme"),
        ("a.sql", "-- HACK around the planner", "fixme"),
        ("a.html", "<!-- TODO: words -->", "todo"),
        ("A.java", " * TODO describe", "todo"),
        ("a.lua", "-- TODO", "todo"),
        ("a.css", "/* XXX why */", "fixme"),
        ("Makefile", "# TODO", "todo"),
        ("a.rs", "    todo!()", "not-implemented"),
        ("a.js", "    debugger;", "debugger"),
        ("a.rb", "  binding.pry", "debugger"),
        ("a.rs", "  dbg!(x);", "debugger"),
    ],
)
def test_notes_and_leftovers_are_found_in_any_language(path: str, line: str, rule: str) -> None:
    assert found(path, f"{line}\n") == [(1, rule)]


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("a.py", "text = 'write # noqa here'"),
        ("a.py", "noqa = 1"),
        ("a.py", "# notTODO, TODOs, TODO_LIST"),
        ("a.py", "name = 'pytest.mark.skip'"),
        ("a.js", "const a = '// eslint-disable-line'"),
        ("a.js", "const url = 'http://x/TODO'"),
        ("a.md", "A TODO in prose is prose."),
        ("a.js", "transit(1); permit(2); debuggers;"),
    ],
)
def test_the_same_words_elsewhere_are_no_finding(path: str, line: str) -> None:
    assert found(path, f"{line}\n") == []


def test_two_marks_on_a_line_are_one_finding_that_names_both() -> None:
    (finding,) = look("a.py", "x = 1  # type: ignore  # noqa\n")
    assert "type: ignore" in finding.detail and "noqa" in finding.detail


def test_a_whole_conflict_is_critical_and_found_in_any_text() -> None:
    text = "a\n<<<<<<< HEAD\none\n=======\ntwo\n>>>>>>> branch\n"
    (finding,) = look("notes.txt", text)
    assert (finding.line, finding.rule, finding.severity) == (2, "added:conflict-marker", Severity.CRITICAL)


@pytest.mark.parametrize(
    "text", ["Title\n=======\n", "<<<<<<< not one\n", "<<<<<<< a\n>>>>>>> b\n", ">>>>>>> b\n"]
)
def test_single_markers_are_no_conflict(text: str) -> None:
    assert found("a.rst", text) == []


def test_data_and_minified_files_are_left_out() -> None:
    added = make(AnalyserSetup(env={}))
    assert added.wants(("a.json", "a.min.js", "poetry.lock", "a.py", "a.svg", "README.md")) == (
        "a.py",
        "README.md",
    )


@pytest.mark.parametrize(
    "text", ["# TODO " * 500_000, "# TODO\n" * 300_000, "<<<<<<< a\n=======\n" * 200_000]
)
def test_a_hostile_file_costs_little_time(text: str) -> None:
    began = time.process_time()
    assert len(list(look("a.py", text))) <= 500
    assert time.process_time() - began < 5


@given(st.text(alphabet="#/*'\"\\ \nTODOnoqa<>=-", max_size=200))
def test_any_text_is_survived_and_lines_are_inside_of_it(text: str) -> None:
    for path in ("a.py", "a.js", "a.sql", "a.html"):
        assert all(1 <= (finding.line or 0) <= text.count("\n") + 1 for finding in look(path, text))
