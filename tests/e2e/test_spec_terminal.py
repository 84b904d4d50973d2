"""The escalation question of `burnish spec` on a terminal: retry with another agent, skip, abort."""

from __future__ import annotations

import os
import select
import subprocess
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from tests.cli import BURNISH, TIMEOUT_S, burnish
from tests.repos import TestRepo
from tests.specs import ENV, PASS_AT, TWO, Specs

QUESTION = b"How does it go on?"


def at_a_terminal(specs: Specs, answers: list[tuple[bytes, str]], *more: str) -> tuple[int, str]:
    """How it ended and what was said; each answer is typed when its question stands there."""
    ours, theirs = os.openpty()
    child = subprocess.Popen(
        [*BURNISH, *specs.arguments, *more],
        cwd=specs.repo.path, env={**os.environ, **ENV, "TERM": "dumb"},
        stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True,
    )  # fmt: skip
    os.close(theirs)
    said, seen = b"", 0
    try:
        with suppress(OSError):  # reading from a terminal whose other end is closed is an error on Linux
            while select.select([ours], [], [], TIMEOUT_S)[0]:
                said += os.read(ours, 65536)
                if answers and (at := said.find(answers[0][0], seen)) >= 0:
                    seen = at + len(answers[0][0])
                    os.write(ours, answers.pop(0)[1].encode() + b"\n")
        return child.wait(TIMEOUT_S), said.decode("utf8", "replace")
    finally:
        child.kill()
        child.wait()
        os.close(ours)


@pytest.fixture
def specs(tmp_path: Path, repo: Callable[..., TestRepo]) -> Specs:
    found = Specs(tmp_path / "agents", repo({"specs/042-login.md": TWO, "app.py": "start\n"}))
    found.agent("reviewer", "grade('FAIL' if phase == 1 else 'PASS')\n")
    return found


def test_a_failed_phase_is_done_again_with_the_agent_that_a_person_names(specs: Specs) -> None:
    arguments = dict(specs.agents)
    specs.agent("other", PASS_AT.format(at=1))
    other = specs.agents["other"]
    specs.agents = arguments
    answers = [
        (QUESTION, "r"),
        (b"implementer (", ""),
        (b"reviewer (", other),
        (b"fixer (", ""),
        (b"model", ""),
    ]
    code, said = at_a_terminal(specs, answers, "--cycles", "1")
    assert code == 0, said
    assert "STAGE_FAILED: phase 1 Model did not pass (FAIL after 1 cycle)." in said
    assert "retry with a different agent or model" in said
    assert "phase 1 Model: passed PASS after 2 cycles in 2 attempts" in said
    assert specs.steps == [
        *("phase-1-implement-1", "phase-1-review-1", "phase-1-implement-1", "phase-1-review-2"),
        *("phase-2-implement-1", "phase-2-review-1"),
    ]
    run = said.partition("spec: Login (")[2].partition(")")[0]
    log = burnish(specs.repo.path, "log", run, "--json").out
    assert '"way": "retry"' in log or '"way":"retry"' in log


def test_a_skipped_phase_is_left_out_and_what_needs_it_goes_on(specs: Specs) -> None:
    code, said = at_a_terminal(specs, [(QUESTION, "s")], "--cycles", "1")
    assert code == 4, said
    assert "phase 1 Model: skipped" in said
    assert "phase 2 View: passed" in said
    assert specs.repo.files("burnish/spec-042-login") == ["app.py", "phase2.txt", "specs/042-login.md"]


def test_an_aborted_session_ends(specs: Specs) -> None:
    code, said = at_a_terminal(specs, [(QUESTION, "x"), (QUESTION, "a")], "--cycles", "1")
    assert code == 130, said
    assert "aborted by" in said
    assert "phase 2 View: waiting" in said
    again = specs.run("--resume")
    assert again.code == 2
    assert "has ended: cancelled" in again.err
