"""A gate is not disarmed by what a change brings along."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.e2e.test_run import Desk
from tests.repos import TestRepo

APPROVES = "print('**Verdict: APPROVED**')\n"
CHECK = "check:\n\tgrep -q hi app.py\n"


@pytest.fixture
def desk(tmp_path: Path, repo: Callable[..., TestRepo]) -> Desk:
    return Desk(tmp_path, repo({"app.py": "print('hi')\n", "Makefile": CHECK}))


def test_a_new_file_that_disarms_the_gate_is_found_out_and_named(desk: Desk) -> None:
    cheat = "Path('app.py').write_text('x\\n')\nPath('GNUmakefile').write_text('check:\\n\\ttrue\\n')\n"
    said = desk.run("--gate", "make -s check", "--cycles", "1", implement=cheat)
    assert said.end["outcome"] == "exhausted"
    assert "the gate is green only with GNUmakefile" in json.dumps(said.events)


def test_a_new_judge_that_disarms_nothing_is_not_accused(desk: Desk) -> None:
    honest = "Path('app.py').write_text('hi\\n')\nPath('GNUmakefile').write_text('include Makefile\\n')\n"
    said = desk.run("--gate", "make -s check", "--cycles", "1", implement=honest)
    assert said.end["outcome"] == "passed"
    assert "GNUmakefile" not in json.dumps(
        [
            e.get("result", {}).get("findings")
            for e in said.events
            if e["kind"] == "step_finished" and isinstance(e["result"], dict)
        ]
    )


TEST = "import unittest\n\nimport app\n\n\nclass TestIt(unittest.TestCase):\n    def test_it(self):\n        self.assertEqual(app.X, 1)\n"
UNIT = f"{sys.executable} -m unittest -q"
LINT = "! grep -n 'hack' app.py | grep -v noqa"


@pytest.fixture
def tested(tmp_path: Path, repo: Callable[..., TestRepo]) -> Desk:
    return Desk(tmp_path, repo({"app.py": "X = 1\n", "test_app.py": TEST}))


@pytest.mark.parametrize(
    ("gate", "code", "why"),
    [
        (UNIT, "import os\nos._exit(0)\n", "it stays green with tests that must fail"),
        (LINT, "X = 1\nhack()  # noqa\n", "it is green only with suppression comments that this change adds: app.py:2"),
    ],
)  # fmt: skip
def test_code_that_disarms_the_gate_is_found_out_and_named(
    tested: Desk, gate: str, code: str, why: str
) -> None:
    said = tested.run(
        "--gate", gate, "--cycles", "1", implement=f"Path('app.py').write_text({code!r})\n", review=APPROVES
    )
    assert said.end["outcome"] == "exhausted"
    assert f"turned red ({why})" in json.dumps(said.events)


@pytest.mark.parametrize(
    ("gate", "code"),
    [
        (UNIT, "import os\nX = 1\n\n\ndef child():\n    os._exit(0)\n"),
        (LINT, "X = 1\nHINT = 'write # noqa behind it'\n"),
    ],
)
def test_code_that_only_looks_like_it_passes(tested: Desk, gate: str, code: str) -> None:
    said = tested.run(
        "--gate", gate, "--cycles", "1", implement=f"Path('app.py').write_text({code!r})\n", review=APPROVES
    )
    assert said.end["outcome"] == "passed"


def test_a_gate_whose_tests_vanish_is_red_though_nothing_in_the_code_says_why(tested: Desk) -> None:
    """Tests that must fail do not turn it red, and that is enough: here the gate itself runs none."""
    gate = f"if test -e quiet; then exit 0; else {UNIT}; fi"
    said = tested.run("--gate", gate, "--cycles", "1", implement="Path('quiet').touch()\n", review=APPROVES)
    assert said.end["outcome"] == "exhausted"
    assert "it stays green with tests that must fail" in json.dumps(said.events)
