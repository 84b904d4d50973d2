"""Which suppression comments a change adds, and a checkout in which they say nothing any more."""

from __future__ import annotations

import difflib
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnish.gates.added_lines import Hunk, read_hunks
from burnish.gates.suppressions import Suppression, added_suppressions, disarm, own_marks


def diff(path: str, before: str, after: str) -> str:
    lines = difflib.unified_diff(before.split("\n"), after.split("\n"), f"a/{path}", f"b/{path}", lineterm="")
    return f"diff --git a/{path} b/{path}\n" + "\n".join(lines) + "\n"


def added(path: str, before: str, after: str) -> list[str]:
    return [str(one) for one in added_suppressions(read_hunks(diff(path, before, after)))]


@pytest.mark.parametrize(
    "line",
    [
        "x = 1  # noqa", "x = 1  # NOQA: E501", "x = 1  # type: ignore[arg-type]", "# ruff: noqa", "# pylint: disable=all",
        "if x:  # pragma: no cover", "eval(x)  # nosec", "a(); // eslint-disable-line", "/* eslint-disable */",
        "// @ts-ignore", "// @ts-nocheck", "x() //nolint:errcheck", "/* istanbul ignore next */", "# rubocop:disable Style",
        "# shellcheck disable=SC2086", "x = 1  # fmt: skip", "# fmt: off", "# isort: skip", "// prettier-ignore",
         "int x; // NOLINT", "x: int = f()  # pyright: ignore", "# mypy: ignore-errors",
    ],
)  # fmt: skip
def test_a_suppression_that_a_change_adds_is_found(line: str) -> None:
    assert added("app.x", "one\ntwo\n", f"one\n{line}\ntwo\n") == ["app.x:2"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a\nx = 1  # noqa: E501\nb\n", "a\nb\nc\nd\ne\nf\ng\nh\n    x = 1  # noqa: E501\n"),
        ("x = 1  # noqa: E501\n", "x = 2  # noqa: E501\n"),
        ("x = 1  # noqa: E501\n", "x = 1  # noqa: E501 - the reason\n"),
        ("x = 1  # noqa: E501\n", "x = 1\n"),
        ("a\n", "a\nb\n"),
    ],
)
def test_a_suppression_that_moves_stays_or_goes_is_not_the_change_s(before: str, after: str) -> None:
    assert added("app.py", before, after) == []


def test_a_wider_suppression_and_one_more_are_new() -> None:
    assert added("app.py", "x = 1  # noqa: E501\n", "x = 1  # noqa: E501, F401\n") == ["app.py:1"]
    assert added("app.py", "x = 1  # noqa\n", "x = 1  # noqa\ny = 1  # noqa\n") == ["app.py:2"]


def test_prose_suppresses_nothing() -> None:
    assert added("docs/lint.md", "a\n", "a\nwrite # noqa\n") == []


def test_no_content_is_taken_for_the_head_of_a_file() -> None:
    text = diff("app.py", "a\n-- a/x\n", "a\n++ b/other.py\n@@ -1 +1 @@\nx  # noqa\n")
    assert [(hunk.path, hunk.start) for hunk in read_hunks(text)] == [("app.py", 2)]
    assert [str(one) for one in added_suppressions(read_hunks(text))] == ["app.py:4"]


def test_odd_names_are_read_as_git_writes_them() -> None:
    text = '--- /dev/null\n+++ "b/odd\\tname\\".py"\n@@ -0,0 +1 @@\n+x  # noqa\n'
    assert read_hunks(text) == [Hunk('odd\tname".py', 1, ("x  # noqa",))]
    assert read_hunks("--- a/gone.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-x  # noqa\n") == []


@given(st.text(alphabet="+-@ ab#\n\\0123,", max_size=200))
def test_any_text_is_read_without_an_accident(text: str) -> None:
    assert isinstance(added_suppressions(read_hunks(f"+++ b/x.py\n{text}")), list)


def spoiled(folder: Path, name: str, text: str, *words: str) -> str:
    (folder / name).write_text(text)
    disarm(folder, [Suppression(name, 1, one) for one in words])
    return (folder / name).read_text()


@pytest.mark.parametrize(
    ("name", "line", "words", "after"),
    [
        ("a.py", "import os  # noqa: F401", ("noqa: F401",), "import os  # xoqa  F401"),
        ("a.py", "f()  # type: ignore[x]  # noqa: E1", ("noqa: E1",), "f()  # type: ignore[x]  # xoqa  E1"),
        ("a.py", "f()  # nosec  # noqa: E1", ("nosec", "noqa: E1"), "f()  # xosec  # xoqa  E1"),
        ("a.js", "f({a: 1}) /* eslint-disable-line */ + {b: 2}", ("eslint-disable-line",),
         "f({a: 1}) /* xslint-disable-line */ + {b: 2}"),
        ("a.ts", "// @ts-ignore", ("@ts-ignore",), "// xxs-ignore"),
        ("a.py", "HINT = '# noqa: F401'", ("noqa: F401'",), "HINT = '# noqa: F401'"),
        ("a.js", "const hint = '// eslint-disable-line'", ("eslint-disable-line'",),
         "const hint = '// eslint-disable-line'"),
    ],
)  # fmt: skip
def test_a_comment_is_spoiled_and_nothing_else(
    tmp_path: Path, name: str, line: str, words: tuple[str, ...], after: str
) -> None:
    assert spoiled(tmp_path, name, f"{line}\nx\n", *words) == f"{after}\nx\n"
    assert len(line) == len(after)


def test_nothing_outside_of_the_checkout_is_spoiled(tmp_path: Path) -> None:
    (tmp_path / "tree").mkdir()
    (tmp_path / "out.py").write_text("x  # noqa\n")
    (tmp_path / "tree/link.py").symlink_to("../out.py")
    (tmp_path / "tree/folder").symlink_to("..")
    wanted = [Suppression(name, 1, "noqa") for name in ("link.py", "folder/out.py", "../out.py")]
    assert disarm(tmp_path / "tree", wanted) == []
    assert (tmp_path / "out.py").read_text() == "x  # noqa\n"


@pytest.mark.parametrize(
    ("before", "after", "found"),
    [
        ("# a => 1\n", "# a => 1 (audited)\n", ["app.py:1"]),
        ("# a => 1\n", "# audited: a => 1\n", ["app.py:1"]),
        ("x\n", "x\nprint()  # allow-print\n", ["app.py:2"]),
        ("x\n", "x\nprint()  # audited\n", []),  # a head that a checker asks for looks like this
        ("x\n", "x\ny  # other-print\n", []),
        ("# a => 1\n", "# a => 1 (other)\n", []),
    ],
)
def test_a_mark_of_the_project_s_own_checker_is_found(before: str, after: str, found: list[str]) -> None:
    hunks = read_hunks(diff("app.py", before, after))
    form = own_marks(frozenset({"audited", "allow-print"}), hunks)
    assert [str(one) for one in added_suppressions(hunks, form)] == found


def test_a_mark_of_the_project_s_own_checker_is_spoiled(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text("x = 1  # audited\n")
    hunks = read_hunks(diff("app.py", "x = 1\n", "x = 1  # audited\n"))
    form = own_marks(frozenset({"audited"}), hunks)
    assert disarm(tmp_path, added_suppressions(hunks, form), form)
    assert (tmp_path / "app.py").read_text() == "x = 1  # xudited\n"


def test_marks_in_a_long_diff_are_found_in_time() -> None:
    line = " ".join(["audited"] * 100)
    hunks = [Hunk("a.py", 1, (f"# {line}",) * 5_000, (f"# {line[:-8]}x",) * 5_000)]
    started = time.process_time()
    own_marks(frozenset({"audited"}), hunks)
    assert time.process_time() - started < 10
