"""`burnish review` on a terminal: colours, the closing summary, and the question about fixes."""

from __future__ import annotations

import json
import os
import re
import select
import subprocess
from contextlib import suppress
from pathlib import Path

import pytest

from tests.cli import BURNISH, TIMEOUT_S, burnish
from tests.repos import TestRepo, run_git

FLAWED = "def run(text):\n    return eval(text)\n"
QUESTION = "Run automated fixes on findings? [Y/n]"


def on_a_terminal(
    folder: Path, answer: str, *, extra: tuple[str, ...] = ("--dimensions", "security"), question: str = QUESTION,
    **env: str,
) -> tuple[int, str, bool]:  # fmt: skip
    """Run a review at a terminal: how it ended, what stdout said, and whether the question was asked.

    Stderr is a terminal of its own: the live table goes there, and so does the question.
    """
    (out, out_end), (err, err_end) = os.openpty(), os.openpty()
    child = subprocess.Popen(
        [*BURNISH, "review", "--no-tests", "--sandbox", "off", *extra],
        cwd=folder, env={**os.environ, "TERM": "xterm-256color", **env},
        stdin=out_end, stdout=out_end, stderr=err_end, start_new_session=True,
    )  # fmt: skip
    os.close(out_end)
    os.close(err_end)
    said, asked = {out: b"", err: b""}, False
    try:
        # Reading from a terminal whose other end is closed is an error on Linux.
        with suppress(OSError):
            while ready := select.select([out, err], [], [], TIMEOUT_S)[0]:
                for end in ready:
                    said[end] += os.read(end, 65536)
                if question.encode() in said[err] and not asked:
                    asked = True
                    os.write(out, f"{answer}\n".encode())
        return child.wait(TIMEOUT_S), said[out].decode("utf8", "replace"), asked
    finally:
        child.kill()
        child.wait()
        os.close(out)
        os.close(err)


@pytest.fixture
def repo(tmp_path: Path) -> TestRepo:
    run_git(tmp_path, "init", "-q", "repo")
    repo = TestRepo(tmp_path / "repo")
    repo.commit("first", {"README.md": "# x\n"})
    repo.write("app.py", FLAWED)
    return repo


@pytest.mark.conformance("C-42", "C-43")
def test_a_review_ends_with_its_summary_its_files_and_the_question(repo: TestRepo) -> None:
    code, said, asked = on_a_terminal(repo.path, "n", NO_COLOR="")
    plain = re.sub(r"\x1b\[[0-9;]*m", "", said)
    assert code == 1
    assert "\x1b[" in said
    assert "\x1b" not in plain
    assert "Dimensions reviewed: 1/1" in plain
    assert "Review Complete - Summary:" in plain
    assert asked
    (folder,) = repo.path.glob(".burnish/sessions/*/.review")
    state = json.loads((folder / "review-state.json").read_text("utf8"))
    progress = json.loads((folder / "review-progress.json").read_text("utf8"))
    assert (state["phase"], state["next_action"]) == ("complete", "none")
    assert state["completion_time"]
    assert (progress["phase"], progress["overall_percent"]) == ("complete", 100)
    assert not (folder / "fixes").exists()
    assert (repo.path / "app.py").read_text("utf8") == FLAWED


def test_no_color_is_honoured(repo: TestRepo) -> None:
    _, said, _ = on_a_terminal(repo.path, "n", NO_COLOR="1")
    assert "app.py:2" in said
    assert "\x1b" not in said


@pytest.mark.conformance("C-57")
def test_the_end_of_a_session_is_offered_when_all_its_fixes_succeeded(repo: TestRepo) -> None:
    burnish(repo.path, "session", "start", "pay")
    repo.write("app.py", "def seen(x):\n    return x == None\n")
    asked_for = ("--fix", "--dimensions", "best-practices")
    question = "All fixes complete. Complete workflow session?"
    _, _, asked = on_a_terminal(repo.path, "y", extra=asked_for, question=question, NO_COLOR="1")
    assert asked
    assert "WFS-pay  complete" in burnish(repo.path, "session", "list").out
