"""Which scripts a gate's command line starts."""

from __future__ import annotations

import pytest

from burnish.gates.judge_files import named_files


@pytest.mark.parametrize(
    "command",
    [
        "./check.sh",
        "sh check.sh",
        "bash -e ./check.sh",
        "cd . && ./check.sh",
        "(./check.sh)",
        ". ./check.sh",
        "source check.sh",
        "timeout 5 ./check.sh",
        "timeout -k 1 5s ./check.sh --fast",
        "env A=1 ./check.sh",
        "A=1 ./check.sh | tee log",
        "make lint; nice -n 5 ./check.sh",
        "! ./check.sh",
    ],
)
def test_the_script_of_a_gate_is_found_however_it_is_started(command: str) -> None:
    assert named_files(command) == ("check.sh",)


@pytest.mark.parametrize(
    "command", ["python3 app.py", "pytest -q tests", "make test", "true", "", "test -f app.py"]
)
def test_what_a_program_is_given_is_not_a_script_of_the_gate(command: str) -> None:
    assert named_files(command) == ()


def test_a_path_that_leaves_the_repository_is_not_one_of_its_files() -> None:
    assert named_files("../check.sh && /usr/bin/env ./a/../../b.sh") == ()
