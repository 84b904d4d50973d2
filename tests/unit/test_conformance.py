"""The conformance table is whole, its markers are valid, and the script tells the truth about both."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path
from textwrap import dedent

import pytest

ROOT = Path(__file__).resolve().parents[2]
TABLE = ROOT / "docs" / "conformance.toml"
COUNTS = {"O": 61, "G": 83, "L": 41, "P": 55, "C": 100}

PASSING = """
    import pytest

    @pytest.mark.conformance("G-40", "G-41")
    def test_one():
        pass
"""


def report(tests: Path | None = None, *more: str, table: Path = TABLE) -> tuple[int, dict, str]:
    """Exit status, the JSON that was printed, and what went to stderr."""
    command = [sys.executable, str(ROOT / "scripts" / "conformance.py"), "--json", "--table", str(table)]
    command += ["--tests", str(tests)] if tests else []
    done = subprocess.run([*command, *more], capture_output=True, text=True, check=False)
    return done.returncode, json.loads(done.stdout), done.stderr


@pytest.fixture
def tests(tmp_path: Path) -> Path:
    """A folder of tests with one marked, passing test in it."""
    folder = tmp_path / "tests"
    folder.mkdir()
    (folder / "test_one.py").write_text(dedent(PASSING), "utf8")
    return folder


def add(tests: Path, source: str, name: str = "test_more.py") -> None:
    (tests / name).write_text("import pytest\n" + dedent(source), "utf8")


def state(said: dict, id_: str) -> str:
    return next(row["state"] for row in said["rows"] if row["id"] == id_)


def test_all_340_rows_are_there_and_numbered_without_a_gap() -> None:
    table = tomllib.loads(TABLE.read_text("utf8"))
    assert Counter(id_[0] for id_ in table) == COUNTS
    assert list(table) == [f"{p}-{n:02d}" for p, count in COUNTS.items() for n in range(1, count + 1)]


def test_no_row_says_the_same_as_another() -> None:
    texts = Counter((row["profile"], row["text"]) for row in tomllib.loads(TABLE.read_text("utf8")).values())
    assert [text for text, count in texts.items() if count > 1] == []


def test_the_markers_of_this_repository_are_valid() -> None:
    status, said, _ = report()
    assert (status, said["problems"]) == (0, [])
    assert sum(said["totals"].values()) == 340


def test_a_marked_test_makes_its_rows_tested(tests: Path) -> None:
    status, said, _ = report(tests)
    assert status == 0
    assert [row["id"] for row in said["rows"] if row["state"] == "tested"] == ["G-40", "G-41"]
    assert said["totals"]["tested"] == 2


def test_an_adapted_row_can_be_tested_and_still_tells_how_it_was_adapted(tests: Path) -> None:
    add(tests, '@pytest.mark.conformance("G-34")\ndef test_two(): pass')
    command = [sys.executable, str(ROOT / "scripts" / "conformance.py"), "--tests", str(tests)]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    line = next(line for line in printed.splitlines() if line.startswith("G-34"))
    assert line.startswith("G-34   tested (adapted: ")
    assert line.endswith("tests/test_more.py::test_two")


def test_the_open_list_holds_open_rows_only(tests: Path) -> None:
    command = [sys.executable, str(ROOT / "scripts" / "conformance.py"), "--open", "--tests", str(tests)]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    rows = printed.split("\n\n")[0].splitlines()
    assert all(row[7:].startswith("open: ") for row in rows)
    assert len(rows) == report(tests)[1]["totals"]["open"]


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        ('@pytest.mark.conformance("G-84")\ndef test_two(): pass', "unknown id 'G-84'"),
        ('@pytest.mark.conformance("O-01", "O-02", "O-03", "O-05")\ndef test_two(): pass', "more than 3 ids"),
        (
            '@pytest.mark.conformance("O-01", "O-02")\n@pytest.mark.conformance("O-03", "O-05")\n'
            "def test_two(): pass",
            "more than 3 ids",
        ),
        ('@pytest.mark.conformance("O-01")\ndef helper(): pass', "not a test"),
        ('@pytest.mark.conformance("O-01")\nclass TestAll:\n    def test_two(self): pass', "not a test"),
        ('pytestmark = pytest.mark.conformance("O-01")', "not a test"),
        ('def test_two():\n    @pytest.mark.conformance("O-01")\n    def test_in(): pass', "not a test"),
        ("@pytest.mark.conformance\ndef test_two(): pass", "not a test"),
        ("@pytest.mark.conformance()\ndef test_two(): pass", "takes one to 3 ids"),
        ('ID = "O-01"\n@pytest.mark.conformance(ID)\ndef test_two(): pass', "an id is a plain string"),
        ('@pytest.mark.conformance("G-79")\ndef test_two(): pass', "G-79 is not applicable and has a test"),
    ],
)
def test_a_wrong_marker_is_named_and_fails(tests: Path, source: str, problem: str) -> None:
    add(tests, source)
    status, said, errors = report(tests)
    assert status == 1
    assert [problem in found for found in said["problems"]] == [True]
    assert "tests/test_more.py:" in errors


def test_a_marker_outside_a_test_file_is_named(tests: Path) -> None:
    add(tests, '@pytest.mark.conformance("O-01")\ndef test_two(): pass', name="cases.py")
    status, said, _ = report(tests)
    assert (status, state(said, "O-01")) == (1, "open")


def test_each_case_of_a_parametrised_test_may_carry_its_own_rows(tests: Path) -> None:
    add(
        tests,
        """
        @pytest.mark.parametrize("n", [
            pytest.param(1, marks=pytest.mark.conformance("O-29", "O-30")),
            pytest.param(2, marks=[pytest.mark.conformance("O-31", "O-32")]),
        ])
        def test_two(n): assert n == 1
        """,
    )
    status, said, _ = report(tests)
    assert (status, said["totals"]["tested"]) == (0, 6)
    status, said, _ = report(tests, "--run", "--jobs", "0")
    assert status == 1
    assert [state(said, id_) for id_ in ("O-29", "O-30", "O-31", "O-32")] == [
        "tested",
        "tested",
        "open",
        "open",
    ]


@pytest.mark.parametrize("jobs", ["2"])
def test_only_passing_tests_count_when_they_are_run(tests: Path, jobs: str) -> None:
    add(
        tests,
        """
        @pytest.mark.conformance("O-01")
        def test_red(): assert False

        @pytest.mark.conformance("O-02")
        def test_skipped(): pytest.skip("not here")

        @pytest.mark.conformance("O-03")
        @pytest.mark.parametrize("n", [1, 2])
        def test_half_red(n): assert n == 1

        @pytest.fixture
        def broken():
            yield
            raise OSError

        @pytest.mark.conformance("O-04")
        def test_red_afterwards(broken): pass
        """,
    )
    status, said, _ = report(tests, "--run", "--jobs", jobs)
    assert status == 1
    assert [state(said, f"O-0{n}") for n in (1, 2, 3, 4)] == ["open"] * 4
    assert state(said, "G-40") == "tested"
    assert sorted(said["problems"]) == [
        "tests/test_more.py::test_half_red[2] is marked and failed",
        "tests/test_more.py::test_red is marked and failed",
        "tests/test_more.py::test_red_afterwards is marked and failed",
    ]


def test_tests_that_cannot_even_be_collected_are_a_problem(tests: Path) -> None:
    add(tests, "import there_is_no_such_module")
    status, said, _ = report(tests, "--run", "--jobs", "0")
    assert (status, said["totals"]["tested"]) == (1, 0)
    assert said["problems"] == ["the marked tests could not be run, see what pytest printed"]


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("[O-07]", "[O-99]", "O-07 is missing"),
        ("[O-07]", "[O-99]", "O-99 is not one of the 340 ids"),
        ('profile = "spec"', 'profile = "task"', "O-01 belongs to profile 'spec'"),
        ('section = "Loop"', 'section = ""', "has no section"),
        ("adapted = ", "adopted = ", "unknown field 'adopted'"),
        ("adapted = ", 'not_applicable = "no"\nadapted = ', "both adapted and not applicable"),
    ],
)
def test_a_damaged_table_is_refused(tests: Path, tmp_path: Path, old: str, new: str, problem: str) -> None:
    damaged = tmp_path / "conformance.toml"
    damaged.write_text(TABLE.read_text("utf8").replace(old, new, 1), "utf8")
    status, said, _ = report(tests, table=damaged)
    assert status == 1
    assert any(problem in found for found in said["problems"])
