"""A gate is not disarmed by what a change brings along."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.e2e.test_run import Desk
from tests.repos import TestRepo

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
