"""A pass is stale as soon as what was reviewed is not what is there any more, however that came about."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli import burnish, program
from tests.repos import TestRepo, run_git

WRITER = (
    "Path('app.py').write_text('x = 2\\n')\nPath('tool.sh').write_text('#!/bin/sh\\n')\n"
    "Path('tool.sh').chmod(0o755)\nos.symlink('app.py', 'link')\nPath('gone.py').unlink()\n"
)
APPROVES = "print('**Verdict: APPROVED**')\n"


class Bench:
    def __init__(self, folder: Path, repo: TestRepo) -> None:
        self.folder, self.repo = folder, repo
        self.end: dict[str, Any] = {}

    def run(self, land: str) -> None:
        writer, reviewer = (
            program(self.folder / "a", "writer", WRITER),
            program(self.folder / "a", "reviewer", APPROVES),
        )
        said = burnish(
            self.repo.path, "run", "Add it", "--implementer", writer, "--reviewer", reviewer, "--land", land, "--json"
        )  # fmt: skip
        assert said.end["outcome"] == "passed"
        self.end = said.end

    @property
    def branch(self) -> str:
        return str(self.end["branch"])

    @property
    def warning(self) -> str:
        [run] = json.loads(burnish(self.repo.path, "runs", "--json").out)
        return str(run["stale"])


@pytest.fixture
def bench(tmp_path: Path, repo: Callable[..., TestRepo]) -> Bench:
    return Bench(tmp_path, repo({"app.py": "x = 1\n", "gone.py": "x\n", "other.py": "y\n"}))


def test_every_kind_of_edit_of_applied_files_makes_the_pass_stale(bench: Bench) -> None:
    bench.run("apply")
    top = bench.repo.path
    assert bench.warning == ""
    (top / "link").unlink()
    assert bench.warning == "link in your checkout is no longer what was reviewed"
    (top / "link").symlink_to("other.py")
    assert bench.warning == "link in your checkout is no longer what was reviewed"
    (top / "link").unlink()
    (top / "link").symlink_to("app.py")
    (top / "tool.sh").chmod(0o644)
    assert bench.warning == "tool.sh in your checkout is no longer what was reviewed"
    bench.repo.git("config", "core.fileMode", "false")
    assert bench.warning == ""
    bench.repo.write("gone.py", "back\n")
    assert bench.warning == "gone.py in your checkout is no longer what was reviewed"


def test_an_uncommitted_edit_while_the_landed_branch_is_checked_out_makes_the_pass_stale(
    bench: Bench,
) -> None:
    bench.run("branch")
    bench.repo.write("other.py", "mine\n")
    bench.repo.git("switch", "-q", bench.branch)
    assert bench.warning == ""
    bench.repo.write("app.py", "x = 3\n")
    assert bench.warning == "app.py in your checkout is no longer what was reviewed"
    bench.repo.write("app.py", "x = 2\n")
    bench.repo.git("switch", "-q", "main")
    bench.repo.git("worktree", "add", "-q", bench.folder / "linked", bench.branch)
    assert bench.warning == ""
    (bench.folder / "linked/app.py").write_text("x = 3\n")
    assert bench.warning == f"app.py in {bench.folder}/linked is no longer what was reviewed"


def test_line_endings_that_the_users_git_writes_are_no_edit(bench: Bench) -> None:
    bench.repo.git("config", "core.autocrlf", "true")
    bench.run("branch")
    bench.repo.git("switch", "-q", bench.branch)
    assert (bench.repo.path / "app.py").read_bytes() == b"x = 2\r\n"
    assert bench.warning == ""
    bench.repo.write("app.py", "x = 3\r\n")
    assert bench.warning == "app.py in your checkout is no longer what was reviewed"


def test_a_landed_branch_that_is_gone_or_was_moved_makes_the_pass_stale(bench: Bench) -> None:
    bench.run("branch")
    bench.repo.git("branch", "-f", bench.branch, "main")
    assert bench.warning == (
        f"the branch {bench.branch} was moved: app.py there is no longer what was reviewed"
    )
    bench.repo.git("branch", "-D", bench.branch)
    page = burnish(bench.repo.path, "show", bench.end["run"]).out
    assert f"the pass is stale: the branch {bench.branch} is gone" in page
    bench.repo.git("reflog", "expire", "--expire=now", "--all")
    bench.repo.git("gc", "-q", "--prune=now")
    assert bench.warning == f"the branch {bench.branch} is gone"
    bench.repo.git("branch", bench.branch, "main")
    assert "was moved" in bench.warning


def test_a_branch_that_was_merged_and_tidied_away_is_still_there(bench: Bench) -> None:
    bench.run("branch")
    run_git(bench.repo.path, "merge", "-q", bench.branch)
    bench.repo.git("branch", "-d", bench.branch)
    assert bench.warning == ""
    bench.repo.commit("edit", {"app.py": "x = 3\n"})
    assert bench.warning == "app.py on main is no longer what was reviewed"
