"""The test command as an analyser: in a copy, sandboxed, each failing test a finding."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from burnish.analysers._setup import AnalyserSetup
from burnish.analysers.tests import make
from burnish.model.review import Severity
from burnish.ports import Sandbox
from burnish.process.bubblewrap import usable
from tests.integration.analysers.planted import lay, look, one

PYTEST = f"{sys.executable} -m pytest -q -p no:cacheprovider"
FILES = {
    "app/__init__.py": "",
    "app/calc.py": "def div(a, b):\n    return a / b\n",
    "tests/test_calc.py": (
        "from app.calc import div\n\n\ndef test_ok():\n    assert div(4, 2) == 2\n\n\n"
        "def test_zero():\n    assert div(1, 0) == 0\n\n\ndef test_wrong():\n    assert div(4, 2) == 3\n"
    ),
}


def test_each_failing_test_is_a_finding_at_its_innermost_line_in_the_repository(tmp_path: Path) -> None:
    found = look("tests", lay(tmp_path, dict(FILES)), test_command=PYTEST)
    assert [(finding.title, finding.file, finding.line) for finding in found.findings] == [
        ("Test fails: tests/test_calc.py::test_zero", "app/calc.py", 2),
        ("Test fails: tests/test_calc.py::test_wrong", "tests/test_calc.py", 13),
    ]
    assert {finding.severity for finding in found.findings} == {Severity.HIGH}
    assert found.findings[0].snippet == "return a / b"
    assert "ZeroDivisionError" in found.findings[0].detail
    assert found.isolation


def test_the_tree_itself_is_not_written(tmp_path: Path) -> None:
    source = lay(tmp_path / "tree", {"a.txt": "a"})
    found = look("tests", source, test_command="echo x > a.txt; echo y > b.txt; cat a.txt; exit 0")
    assert (found.findings, found.failed, found.raw) == ((), "", "x")
    assert [path.name for path in source.root.iterdir()] == ["a.txt"]
    assert (source.root / "a.txt").read_text() == "a"


def test_the_copy_is_gone_afterwards(tmp_path: Path) -> None:
    scratch = tmp_path / "scratch"
    look("tests", lay(tmp_path / "tree", {"a.txt": "a"}), test_command="chmod -R 500 .", scratch=scratch)
    assert list(scratch.iterdir()) == []


def test_a_failing_test_is_the_same_finding_when_it_fails_elsewhere(tmp_path: Path) -> None:
    before = look("tests", lay(tmp_path / "a", dict(FILES)), test_command=f"{PYTEST} -k zero")
    moved = dict(FILES) | {"app/calc.py": "import os\n\n\ndef div(a, b):\n    return (a) / (b)\n"}
    after = look("tests", lay(tmp_path / "b", dict(moved)), test_command=f"{PYTEST} -k zero")
    assert before.findings[0].line != after.findings[0].line
    assert before.findings[0].identity == after.findings[0].identity


def test_unittest_is_read_as_well(tmp_path: Path) -> None:
    code = (
        "import unittest\nfrom app.calc import div\n\n\nclass T(unittest.TestCase):\n"
        "    def test_zero(self):\n        self.assertEqual(div(1, 0), 0)\n"
    )
    source = lay(tmp_path, dict(FILES) | {"tests/test_calc.py": code})
    found = look(
        "tests",
        source,
        test_command=f"{sys.executable} -m unittest discover -s tests -t .".replace(" -t .", ""),
    )
    assert (one(found, "tests:failing").file, one(found, "tests:failing").line) == ("app/calc.py", 2)


def test_a_suite_that_cannot_be_loaded_is_one_finding(tmp_path: Path) -> None:
    broken = dict(FILES) | {"app/calc.py": "def div(:\n", "tests/test_b.py": "from app.calc import div\n"}
    found = look("tests", lay(tmp_path, dict(broken)), test_command=PYTEST)
    finding = one(found, "tests:suite")
    assert len(found.findings) == 1
    assert "tests/test_b.py" in finding.detail and "tests/test_calc.py" in finding.detail
    assert finding.file in ("app/calc.py", "tests/test_b.py")


def test_an_unknown_runner_that_fails_is_one_finding_with_its_last_words(tmp_path: Path) -> None:
    found = look("tests", lay(tmp_path, {"a.txt": ""}), test_command="echo something is wrong; exit 3")
    finding = one(found, "tests:suite")
    assert "Exit 3" in finding.detail and "something is wrong" in finding.detail


@pytest.mark.parametrize(
    ("command", "why"),
    [
        ("no-such-program-here", "the test command cannot start: "),
        (f"{PYTEST} -k nothing_is_called_so", "the test command found no tests"),
        (f"{sys.executable} -m no_such_module_here", "not installed here: no_such_module_here"),
    ],
)
def test_what_says_nothing_about_the_code_is_not_assessed(tmp_path: Path, command: str, why: str) -> None:
    found = look("tests", lay(tmp_path, dict(FILES)), test_command=command)
    assert why in found.failed
    assert found.findings == ()


def test_tests_that_miss_somebody_elses_package_are_not_assessed(tmp_path: Path) -> None:
    files = {"tests/test_a.py": "import some_package_nobody_has\n\n\ndef test_a():\n    pass\n"}
    found = look("tests", lay(tmp_path, dict(files)), test_command=PYTEST)
    assert found.failed == "the tests need what is not installed here: some_package_nobody_has"


def test_a_module_of_the_repository_that_is_missing_is_a_finding(tmp_path: Path) -> None:
    files = dict(FILES) | {"tests/test_calc.py": "import app.gone\n"}
    found = look("tests", lay(tmp_path, dict(files)), test_command=PYTEST)
    assert "No module named 'app.gone'" in one(found, "tests:suite").detail


def test_a_suite_that_does_not_end_is_told(tmp_path: Path) -> None:
    found = look("tests", lay(tmp_path, {"a.txt": ""}), test_command="sleep 60", timeout_s=0.5)
    assert found.failed == "the tests did not end within 0.5 s"


def test_it_wants_the_whole_tree_even_when_no_file_of_it_was_there_before() -> None:
    tests = make(AnalyserSetup(env={}, test_command="true"))
    assert tests.wants(()) == tests.wants(("a.py",)) == (".",)


def test_the_whole_tree_is_not_told_as_a_file_that_was_not_reviewed(tmp_path: Path) -> None:
    found = look("tests", lay(tmp_path, {"a.txt": ""}), (".",), test_command="true")
    assert (found.not_reviewed, found.failed, found.files) == ((), "", 1)


def test_without_a_command_it_wants_nothing() -> None:
    tests = make(AnalyserSetup(env={}))
    assert tests.wants(("a.py",)) == ()
    assert tests.missing() == "no test command is known"


@pytest.mark.skipif(not usable(), reason="bubblewrap cannot make a sandbox here")
def test_the_suite_runs_in_the_sandbox_and_writes_only_its_copy(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    source = lay(tmp_path / "tree", {"a.txt": ""})
    command = f"touch here && echo inside; touch {outside}/there || true; touch {source.root}/there || true"
    found = look("tests", source, test_command=command, sandbox=Sandbox(network=False))
    assert found.raw.splitlines()[0] == "inside"
    assert list(outside.iterdir()) == []
    assert [path.name for path in source.root.iterdir()] == ["a.txt"]
    assert "bubblewrap" in found.isolation
