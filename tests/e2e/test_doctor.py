"""`burnish doctor`: what would stop a run is found with its remedy; --fix removes what is ours and dead."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.cli import Said, burnish, program
from tests.repos import TestRepo

APPROVES = "print('**Verdict: APPROVED**')\n"
WRITES = "Path('new.txt').write_text('x')\nprint('done')\n"


class Patient:
    def __init__(self, folder: Path, repo: TestRepo) -> None:
        self.folder, self.repo = folder, repo
        self.state = Path(os.environ["BURNISH_STATE"])
        (folder / "bin").mkdir()
        self.env = {"PATH": f"{folder / 'bin'}:/usr/bin:/bin"}

    def configure(self, lines: str) -> None:
        self.repo.commit("settings", {"burnish.toml": lines})

    def run(self) -> str:
        writer = program(self.folder / "agents", "writer", WRITES)
        reviewer = program(self.folder / "agents", "reviewer", APPROVES)
        agents = ("--implementer", writer, "--reviewer", reviewer, "--sandbox", "off", "--json")
        said = burnish(self.repo.path, "run", "Add it", *agents)
        assert said.code == 0, said.err
        return str(said.end["run"])

    @property
    def place(self) -> Path:
        (found,) = (self.state / "repos").iterdir()
        return found

    def doctor(self, *flags: str) -> Said:
        return burnish(self.repo.path, "doctor", *flags, env=self.env)

    def check(self, name: str) -> dict[str, Any]:
        checks = json.loads(self.doctor("--json").out)
        (found,) = [check for check in checks if check["name"] == name]
        return dict(found)


@pytest.fixture
def patient(tmp_path: Path, repo: Callable[..., TestRepo]) -> Patient:
    return Patient(tmp_path, repo({"app.py": "print('hi')\n"}))


def test_without_any_agent_a_run_would_be_stopped_as_doctor_says_and_a_review_works(patient: Patient) -> None:
    said = patient.doctor()
    assert said.code == 1
    where = "expected --implementer CMD, or agents.implementer in burnish.toml"
    assert f"✗ agents: {where}: none is named, and no agent that Burnish knows is installed." in said.out
    assert "burnish review --fix works without an agent" in said.out
    end = "1 would stop a run; burnish review and fix work all the same"
    assert said.out.splitlines()[-1] == end
    assert burnish(patient.repo.path, "run", "Add it", env=patient.env).code == 2


@pytest.mark.parametrize(
    ("lines", "name", "found", "remedy"),
    [
        ("[agents]\nagent = './not-there'\n", "agents", "not-there' was not found", "install it"),
        ("[agents]\nagent = 'codex'\n", "agents", "codex is not installed", "npm install"),
        ("[agents]\nagent = 'claude:--x'\n", "agents", "expected claude:TIER", "for example claude:fast"),
        (
            "[agents]\nagent = 'true'\n[work]\nbase = 'no-such-branch'\n",
            "base",
            "no-such-branch",
            "correct work.base",
        ),
        ("[limits]\ncycels = 3\n", "configuration", "unknown key", "did you mean limits.cycles?"),
    ],
    ids=["command missing", "agent missing", "agent misspelt", "base gone", "setting misspelt"],
)
def test_what_would_stop_a_run_is_found_with_its_remedy_and_exit_1(
    patient: Patient, lines: str, name: str, found: str, remedy: str
) -> None:
    patient.configure(lines)
    said = patient.doctor("--json")
    assert said.code == 1
    (check,) = [check for check in json.loads(said.out) if check["stops"]]
    assert check["name"] == name
    assert found in check["found"]
    assert remedy in check["remedy"]


def test_an_agent_that_is_not_logged_in_stops_a_run_that_names_it(patient: Patient) -> None:
    claude = patient.folder / "bin" / "claude"
    claude.write_text("#!/bin/sh\nexit 1\n")
    claude.chmod(0o755)
    patient.configure("[agents]\nagent = 'claude'\n")
    check = patient.check("agents")
    assert (check["stops"], "not logged in" in check["found"]) == (True, True)
    assert "run: claude auth login" in check["remedy"]
    patient.env["ANTHROPIC_API_KEY"] = "dummy"
    assert patient.check("agents")["found"] == "those that are named are there"


def test_an_agent_that_cannot_be_taken_is_told_in_the_whole_sentence_that_a_run_says(
    patient: Patient,
) -> None:
    patient.configure("[agents]\nfallback = ['embedded', 'codex']\n")
    check = patient.check("agents")
    assert check["found"].startswith("expected 'embedded' as the last of the chain: it is asked when")
    assert check["found"] in burnish(patient.repo.path, "run", "Add it", env=patient.env).err


def test_a_limit_in_dollars_that_cannot_be_kept_stops_a_run_as_doctor_says(patient: Patient) -> None:
    codex = patient.folder / "bin" / "codex"
    codex.write_text("#!/bin/sh\nexit 1\n")
    codex.chmod(0o755)
    patient.env["OPENAI_API_KEY"] = "dummy"
    lines = "[agents]\nagent = 'codex'\n[budget]\nrun_cost_usd = 1.0\n"
    patient.configure(lines)
    check, said = patient.check("agents"), burnish(patient.repo.path, "run", "Add it", env=patient.env)
    assert (check["stops"], said.code) == (True, 2)
    assert check["found"].startswith("a limit of $1.00 cannot be kept: the price of gpt-6.1-sol")
    # The fixer that nobody names is asked as well, with the model of its role.
    assert "gpt-6-luna" in check["found"]
    assert check["found"] in said.err and check["remedy"] in said.err
    patient.configure(f"{lines}run_tokens = 9000\n")
    assert patient.check("agents")["stops"] is False


def test_a_run_that_was_cut_short_is_named_and_stops_nothing(patient: Patient) -> None:
    run = patient.run()
    assert patient.check("cut short")["found"] == "no run waits to go on"
    _forget_the_end(patient, run)
    check = patient.check("cut short")
    assert check["found"] == f"runs {run} can go on"
    assert (check["remedy"], check["stops"]) == (f"burnish resume {run}, or burnish cancel {run}", False)


def test_fix_removes_what_is_ours_and_dead_and_leaves_the_rest(patient: Patient) -> None:
    run = patient.run()
    other = patient.run()
    _forget_the_end(patient, other)
    dead = patient.state / "trials" / "t-999999999-x"
    alive = patient.state / "trials" / f"t-{os.getpid()}-x"
    ended = patient.place / "runs" / run / "workspaces" / "1-implement"
    draft = patient.place / "runs" / other / "workspaces" / "1-implement"
    for folder in (dead, alive, ended, draft):
        folder.mkdir(parents=True)
        (folder / "file").write_text("x")
    lock = patient.repo.path / ".git" / "index.lock"
    lock.write_text("")
    patient.env["BURNISH_AGENTS_AGENT"] = "true"
    assert "2 left by processes that are gone" in patient.check("leftovers")["found"]
    said = patient.doctor("--fix")
    assert said.code == 0
    assert f"removed a checkout of the ended run {run}" in said.out
    assert [path.exists() for path in (dead, ended, alive, draft, lock)] == [False, False, True, True, True]
    assert f"rm {lock}" in said.out


def test_a_lock_of_ours_on_the_index_goes_unless_files_may_be_half_written(patient: Patient) -> None:
    run = patient.run()
    _forget_the_end(patient, run)
    lock = patient.repo.path / ".git" / "index.lock"
    lock.write_text("")
    note = patient.place / "runs" / run / "forwarding"
    note.write_bytes(b"refs/heads/main\n%d\nbegun\n" % lock.stat().st_ino)
    patient.doctor("--fix")
    assert lock.exists()
    note.write_bytes(b"refs/heads/main\n%d\n" % lock.stat().st_ino)
    assert "removed our lock on the index of the checkout" in patient.doctor("--fix").out
    assert not lock.exists()


def _forget_the_end(patient: Patient, run: str) -> None:
    """As if its process had died before the end was recorded."""
    with closing(sqlite3.connect(patient.place / "burnish.db")) as database:
        database.execute(
            "UPDATE runs SET state = 'running', outcome = NULL, finished_at = NULL WHERE id = ?", (run,)
        )
        database.commit()
