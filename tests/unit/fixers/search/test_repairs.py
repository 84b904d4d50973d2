"""The search end to end, with a real pytest in a tiny project."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

import pytest

from burnish.fixers.search import Limits, SearchFixer, repair_folder, suspicious_lines
from burnish.fixers.search._baseline import Baseline, look
from burnish.fixers.search._jobs import Job, Replacement
from burnish.fixers.search._worker import Workers, server
from burnish.model.review import Finding
from burnish.process.environment import child_environment
from burnish.process.tool_setup import ToolSetup

PROGRAM = '''"""Numbers."""


def last_digit_sum(number):
    total = 0
    while number > 0:
        total += number % 10  # the last digit
        number //= 10
    return total


def at_most(number, limit):
    return number if number > limit else limit
'''
TESTS = """from program import at_most, last_digit_sum


def test_digits():
    assert last_digit_sum(123) == 6


def test_within():
    assert at_most(1, 5) == 1


def test_beyond():
    assert at_most(9, 5) == 5
"""
BEYOND = "test_program.py::test_beyond"
COMMAND = f"{sys.executable} -m pytest -q"
# Our own plugins would only cost time there.
ENV = {**child_environment(os.environ), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "program.py").write_text(PROGRAM)
    (folder / "test_program.py").write_text(TESTS)
    return folder


def test_a_failing_test_is_repaired_in_the_program_and_nothing_else_changes(project: Path) -> None:
    finding = Finding(
        "Test fails: test_program.py::test_within",
        rule="tests:failing",
        file="test_program.py",
        detail="Test fails: test_program.py::test_within\nassert 5 == 1",
    )
    heard: list[str] = []
    setup = ToolSetup(ENV, test_command=COMMAND, progress=heard.append)
    fixer = SearchFixer(setup, Limits(max_time_s=60))
    assert fixer.can(finding)
    assert not SearchFixer(setup, Limits(enabled=False)).can(finding)
    said = asyncio.run(fixer.fix(finding, project))
    assert (project / "program.py").read_text().splitlines()[:-1] == PROGRAM.splitlines()[:-1]
    assert (project / "test_program.py").read_text() == TESTS
    assert sorted(path.name for path in project.iterdir()) == ["program.py", "test_program.py"]
    assert heard[-1] == ""
    assert "program.py:13" in said.partition("\n")[0]
    assert "-    return number if number > limit else limit\n+    return " in said
    # What passes by now is left alone.
    assert asyncio.run(fixer.fix(finding, project)) == "the test does not fail any more"


def test_unittest_is_served_as_well(project: Path) -> None:
    (project / "test_program.py").write_text(
        "import unittest\nfrom program import at_most\n\n\nclass TestAtMost(unittest.TestCase):\n"
        "    def test_within(self):\n        self.assertEqual(at_most(1, 5), 1)\n\n"
        "    def test_beyond(self):\n        self.assertEqual(at_most(9, 5), 5)\n"
    )
    test = "test_within (test_program.TestAtMost.test_within)"
    repair = asyncio.run(repair_folder(project, f"{sys.executable} -m unittest -q", 60, test=test, workers=1))
    assert repair.files["program.py"].splitlines()[:-1] == PROGRAM.splitlines()[:-1]
    assert (len(repair.files), repair.tests) == (1, 2)
    assert repair.suspects[0].line == 13


def test_the_lines_that_failing_tests_run_are_told_without_a_search(project: Path) -> None:
    found = asyncio.run(suspicious_lines(project, COMMAND, 60, setup=ToolSetup(ENV)))
    assert (found[0].file, found[0].line) == ("program.py", 13)


def test_a_candidate_that_never_ends_is_stopped_and_the_next_one_is_not_hurt(
    project: Path, tmp_path: Path
) -> None:
    place = tmp_path / "place"
    place.mkdir()
    start = PROGRAM.index("number //= 10")
    endless = {"program.py": (Replacement(start, start + len("number //= 10"), b"number += 0"),)}

    async def both() -> None:
        setup = ToolSetup(ENV)
        async with server(setup, project, place, COMMAND, 60) as one:
            job = Job(30.0, cpu_limit_s=0.3, edits=endless, tests=("test_program.py::test_digits",))
            stopped = await one.do(job)
            assert not stopped.finished
            assert not stopped.ran
            after = await one.do(Job(30.0))
            assert after.passing == ("test_program.py::test_digits",)
            assert after.finished

    asyncio.run(both())


def test_a_command_that_names_no_tests_is_told_apart_from_a_search_that_found_nothing(project: Path) -> None:
    repair = asyncio.run(repair_folder(project, "echo it is broken; false", 20))
    assert not repair.found
    assert repair.said == "the test command does not tell which tests fail"


def test_tests_that_fail_for_one_reason_are_to_pass_together_before_one_alone(project: Path) -> None:
    async def looked() -> Baseline:
        async with Workers(ToolSetup(ENV), project, COMMAND, 60) as some:
            return await look(await some.another(), project, ("program.py",), BEYOND, 60)

    base = asyncio.run(looked())
    assert base.targets == (BEYOND,)
    assert base.related == ("test_program.py::test_within",)
    assert base.with_related().targets == (BEYOND, "test_program.py::test_within")
