"""What a search knows: which lines are suspicious, which tests are held back, which files it may edit."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnish.fixers._python import Edit
from burnish.fixers.search._baseline import held_back
from burnish.fixers.search._candidates import Candidate
from burnish.fixers.search._code import Code
from burnish.fixers.search._editable import editable, editable_files
from burnish.fixers.search._hints import hinted
from burnish.fixers.search._jobs import Job, Ran, Replacement, Told, read_told
from burnish.fixers.search._locate import ochiai, suspicious
from burnish.fixers.search._search import Plausible, Search
from burnish.fixers.search._worth import worth

SOURCE = "def f(a):\n    if a:\n        return 1\n    return 2\n"


def test_a_line_that_only_failing_tests_run_is_the_most_suspicious() -> None:
    lines = {
        "": {"a.py": frozenset({1})},
        "bad": {"a.py": frozenset({2, 4})},
        "good": {"a.py": frozenset({2, 3})},
    }
    told = Told({"bad": Ran("bad", "failed"), "good": Ran("good", "passed")}, lines)
    found = suspicious(told, ("bad",), ("good",), {"a.py": SOURCE})
    assert [(one.line, one.text) for one in found][:2] == [(4, "return 2"), (2, "if a:")]
    assert found[0].score == 1.0
    assert 3 not in {one.line for one in found}


def test_where_the_exception_came_from_is_more_suspicious_than_what_else_was_run() -> None:
    lines = {"bad": {"a.py": frozenset({2, 4})}, "good": {"a.py": frozenset({2, 4})}}
    ran = {"bad": Ran("bad", "failed", frames=(("t.py", 1), ("a.py", 4)))}
    found = suspicious(Told(ran, lines), ("bad",), ("good",), {"a.py": SOURCE})
    assert [one.line for one in found] == [4, 2]


@given(st.integers(1, 50), st.integers(0, 50), st.integers(0, 50))
def test_suspicion_grows_with_failing_tests_and_falls_with_passing_ones(
    failed: int, here: int, good: int
) -> None:
    here = min(here, failed)
    assert 0.0 <= ochiai(here, failed, good) <= 1.0
    assert ochiai(here, failed, good + 1) <= ochiai(here, failed, good)
    if here < failed:
        assert ochiai(here, failed, good) < ochiai(here + 1, failed, good)


def test_what_a_failure_says_makes_fitting_edits_likelier() -> None:
    assert hinted(["AssertionError: assert None == 3"])["final-return"] > 1
    assert hinted(["Failed: DID NOT RAISE <class 'ValueError'>"])["guard-raise"] > 1
    assert hinted(["IndexError: list index out of range"])["off-by-one-bound"] > 1
    assert hinted(["AssertionError: assert 2 == 3"]) == {}


def test_every_fourth_of_enough_passing_tests_is_held_back_and_always_the_same_ones() -> None:
    names = tuple(f"t.py::test_{number}" for number in range(12))
    assert held_back(names[:7]) == frozenset()
    assert len(held_back(names)) == 3
    assert held_back(names) == held_back(tuple(reversed(names)))


def test_a_candidate_that_breaks_a_test_that_was_held_back_loses_to_a_less_likely_one() -> None:
    code = Code("a.py", SOURCE)
    likely, unlikely = (Candidate(code, 2, "constant", (), score) for score in (0.9, 0.1))
    search = Search.__new__(Search)
    search.plausible = [
        Plausible((likely,), (), ("t.py::test_held_back",), 1),
        Plausible((unlikely,), (), (), 1),
    ]
    assert search.best is not None
    assert search.best.candidates == (unlikely,)


def test_of_two_that_break_nothing_the_one_that_repairs_more_is_taken_then_the_likelier() -> None:
    code = Code("a.py", SOURCE)
    some = [Candidate(code, 2, "constant", (), score) for score in (0.9, 0.5, 0.1)]
    search = Search.__new__(Search)
    search.plausible = [Plausible((some[1],), (), (), 1), Plausible((some[2],), (), (), 2)]
    assert search.best is not None
    assert search.best.candidates == (some[2],)
    search.plausible.append(Plausible((some[0],), (), (), 2))
    assert search.best.candidates == (some[0],)


def test_what_makes_no_sense_is_taken_only_where_nothing_better_passes() -> None:
    code = Code("a.py", "def f(a):\n    if a:\n        return True\n    return False\n")
    place = code.text.index("False")
    poor = Candidate(code, 4, "constant", (Edit(place, place + 5, "True"),), 0.9)
    fair = Candidate(code, 4, "constant", (Edit(place, place + 5, "not a"),), 0.1)
    search = Search.__new__(Search)
    search.plausible = [Plausible((poor,), (), (), 1)]
    assert search.best is not None
    assert search.best.candidates == (poor,)
    search.plausible.append(Plausible((fair,), (), (), 1))
    assert search.best.candidates == (fair,)


@pytest.mark.parametrize(
    ("source", "old", "better", "worse"),
    [
        ("def f(a, b):\n    return a - a\n", "a - a", "a - b", "a"),
        ("def f(a, b):\n    return a + b\n", "a + b", "a - b", "a + a"),
        ("def f(a):\n    return 1 + f(a)\n", "1 + f(a)", "f(a)", "1 * f(a)"),
        (
            "def f(a):\n    if a:\n        return True\n    return False\n",
            "return False",
            "return not a",
            "return a",
        ),
        ("def f(a):\n    b = dict(a)\n    return b\n", "dict(a)", "list(a)", "a"),
        ("def f(a):\n    return a\n", "return a", "return -a", "yield a"),
        ("def f(a):\n    return len(a.split())\n", "split()", "splitlines()", "partition(a)"),
        ("P = {'a': 1, 'b': 2}\n", "'b'", "'c'", "'a'"),
        ("def f(a):\n    if a:\n        return 1\n    return 2\n", "return 2", "return 3", "return 1"),
        ("def f(a):\n    a = 1\n    b = a\n    return b\n", "b = a", "b = -a", "a = 1"),
        ("def f(a, b):\n    c = a[b]\n    return c + a[0]\n", "a[0]", "a[b]", "a[7]"),
    ],
)
def test_what_leaves_no_dead_doubled_or_mixed_code_is_worth_more(
    source: str, old: str, better: str, worse: str
) -> None:
    code = Code("a.py", source)
    start = source.index(old)
    one, other = (
        worth(Candidate(code, 1, "constant", (Edit(start, start + len(old), text),), 1.0))
        for text in (better, worse)
    )
    assert one > other


@pytest.mark.parametrize(
    "name",
    [
        "test_a.py",
        "a_test.py",
        "tests/helper.py",
        "pkg/test/x.py",
        "conftest.py",
        "pkg/conftest.py",
        "setup.py",
        "a.js",
    ],
)
def test_what_judges_is_never_edited(name: str) -> None:
    assert not editable(name)


def test_the_program_is_edited_but_not_what_the_user_protects_nor_what_a_link_leads_to(
    tmp_path: Path,
) -> None:
    (tmp_path / "pkg").mkdir()
    for name in ("pkg/a.py", "pkg/checks.py", "test_a.py"):
        (tmp_path / name).write_text("x = 1\n")
    (tmp_path / "link.py").symlink_to(tmp_path / "pkg" / "a.py")
    assert editable_files(tmp_path, ("**/checks.py",)) == ("pkg/a.py",)


@given(st.binary(max_size=200))
def test_whatever_the_project_writes_there_is_read_without_harm(data: bytes) -> None:
    assert isinstance(read_told(data), Told)


def test_what_a_runner_tells_is_read_back() -> None:
    data = ascii(("test", "t.py::a", "failed", 0.5, "E", [("a.py", 3)])) + "\n"
    data += "('test', 3)\n__import__('os').getcwd()\n" + ascii(("lines", "t.py::a", {"a.py": [1, 3]})) + "\n"
    data += (
        ascii(("used", 5, 0.25)) + "\n" + ascii(("finished",)) + "\n" + ascii(("end", True, 0, 0.75)) + "\n"
    )
    told = read_told(data.encode())
    assert told.failing == ("t.py::a",)
    assert told.ran["t.py::a"].frames == (("a.py", 3),)
    assert told.lines["t.py::a"]["a.py"] == {1, 3}
    assert (told.finished, told.duration_s, told.memory_bytes, told.cpu_s) == (True, 0.75, 5, 0.25)


def test_a_job_is_written_as_plain_data() -> None:
    job = Job(1.0, edits={"a.py": (Replacement(1, 2, "ü".encode()),)}, tests=("t.py::a[é]",))
    assert job.written().isascii()
