"""Looking at runs, following them, cleaning up: the verbs around `run`."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli import burnish, program, start
from tests.repos import TestRepo

WRITER = "Path('new.txt').write_text(f'{role} {cycle}\\n')\n"
REVIEWER = "print('**Verdict: APPROVED**' if cycle == 2 else '- no check (new.txt:1)\\n\\n**Verdict: CHANGES_REQUESTED**')\n"


class Bench:
    def __init__(self, folder: Path, repo: TestRepo) -> None:
        self.folder, self.repo = folder / "agents", repo
        writer, reviewer = program(self.folder, "writer", WRITER), program(self.folder, "reviewer", REVIEWER)
        self.agents = ["--implementer", writer, "--reviewer", reviewer, "--gate", "test -d ."]

    def run(self, *extra: str) -> str:
        run: str = burnish(self.repo.path, "run", "Add it", *self.agents, "--json", *extra).end["run"]
        return run

    def killed_run(self) -> str:
        """A run whose process was killed while its implementer worked."""
        marker = self.folder / "at-work"
        body = f"m = Path({str(marker)!r})\nif not m.exists():\n    m.touch()\n    time.sleep(60)\n" + WRITER
        agents = ["--implementer", program(self.folder, "slow", body), *self.agents[2:]]
        child = start(self.repo.path, "run", "Add it", *agents, "--json", "--sandbox", "off")
        assert child.stdout is not None
        run: str = json.loads(child.stdout.readline())["run"]
        while not marker.exists():
            time.sleep(0.05)
        child.kill()
        child.communicate()
        return run

    def say(self, *arguments: str) -> str:
        said = burnish(self.repo.path, *arguments)
        assert said.code == 0, said.err
        return said.out

    @property
    def folders(self) -> list[str]:
        return sorted(path.name for path in Path(os.environ["BURNISH_STATE"]).glob("repos/*/runs/*"))


@pytest.fixture
def bench(tmp_path: Path, repo: Callable[..., TestRepo]) -> Bench:
    return Bench(tmp_path, repo({"a": "1\n"}))


def test_runs_are_listed_newest_first(bench: Bench) -> None:
    first, second = bench.run(), bench.run("--land", "none")
    listed = json.loads(bench.say("runs", "--json"))
    assert [run["run"] for run in listed] == [second, first]
    assert (listed[1]["outcome"], listed[1]["branch"]) == ("passed", f"burnish/{first}")
    head, *rows = bench.say("runs").splitlines()
    assert head.split() == ["RUN", "STATE", "VERDICT", "CYCLES", "STARTED", "TITLE", "BRANCH"]
    assert rows[0].split()[:4] == [second, "passed", "APPROVED", "2"]


def test_no_runs_says_how_to_begin_one(bench: Bench) -> None:
    assert bench.say("runs").startswith("no runs yet; begin one with: burnish run")
    assert bench.say("runs", "--json") == "[]\n"


def test_show_tells_how_it_ended_and_where_the_work_is(bench: Bench) -> None:
    run = bench.run()
    page = bench.say("show", run)
    assert "state    passed: review_passed" in page
    assert "[1] review: CHANGES_REQUESTED no check" in page
    assert f"branch burnish/{run} at " in page
    assert "isolation of implement: " in page
    record = json.loads(bench.say("show", run.removeprefix("r-"), "--json"))
    assert record["events"][-1]["kind"] == "run_finished"
    assert "spec" not in record


def test_log_can_follow_a_live_run_to_its_end(bench: Bench) -> None:
    slow = program(bench.folder, "slow", "time.sleep(1.5)\n" + WRITER)
    child = start(bench.repo.path, "run", "Add it", "--implementer", slow, *bench.agents[2:], "--json")
    assert child.stdout is not None
    run = json.loads(child.stdout.readline())["run"]
    followed = bench.say("log", run, "--follow", "--json").splitlines()
    child.communicate(timeout=30)
    assert json.loads(followed[-1])["kind"] == "run_finished"
    assert followed == bench.say("log", run, "--json").splitlines()


def test_log_prints_each_thing_with_its_time(bench: Bench) -> None:
    lines = bench.say("log", bench.run()).splitlines()
    assert all(line[:2] == "20" and line[19] == "Z" for line in lines)
    assert any("[2] review: APPROVED" in line for line in lines)


def test_clean_removes_old_runs_and_only_says_so_when_asked(bench: Bench) -> None:
    run = bench.run()
    assert bench.say("clean") == "nothing to remove\n"
    time.sleep(0.01)
    assert f"would remove {run}" in bench.say("clean", "--days", "0", "--dry-run")
    assert bench.folders == [run]
    assert f"removed {run}" in bench.say("clean", "--days", "0")
    assert bench.folders == []
    assert bench.say("runs", "--json") == "[]\n"
    # What was landed is the user's, and stays.
    assert bench.repo.git("show", f"burnish/{run}:new.txt") == "fix 1"


def test_clean_leaves_what_can_be_resumed_and_it_still_can_be(bench: Bench) -> None:
    finished = bench.run()
    run = bench.killed_run()
    assert f"removed {finished}" in bench.say("clean", "--days", "0")
    assert bench.folders == [run]
    assert "passed" in bench.say("resume", run)


def test_a_users_gc_cannot_take_what_a_run_needs(bench: Bench) -> None:
    bench.repo.git("switch", "-q", "-c", "side")
    bench.repo.commit("side", {"side.txt": "x\n"})
    run = bench.killed_run()
    for command in (
        ["switch", "-q", "main"],
        ["branch", "-D", "side"],
        ["reflog", "expire", "--expire=now", "--all"],
        ["gc", "-q", "--prune=now"],
    ):
        bench.repo.git(*command)
    assert "passed" in bench.say("resume", run)
    assert bench.repo.git("show", f"burnish/{run}:side.txt") == "x"


def test_doctor_finds_nothing_that_stops_a_run_here(bench: Bench) -> None:
    said = burnish(bench.repo.path, "doctor", "--json", env={"BURNISH_AGENTS_AGENT": "true"})
    assert said.code == 0, said.out
    checks = json.loads(said.out)
    assert {check["name"] for check in checks} >= {
        "git",
        "sandbox",
        "repository",
        "configuration",
        "database",
    }
    assert not [check for check in checks if check["stops"]]


def test_doctor_outside_a_repository_says_what_to_do(tmp_path: Path) -> None:
    said = burnish(tmp_path, "doctor")
    assert said.code == 1
    assert "✗ repository:" in said.out
    assert "git init" in said.out


def test_the_configuration_tells_where_each_value_comes_from(bench: Bench) -> None:
    bench.repo.commit("config", {"burnish.toml": "[limits]\ncycles = 7\n"})
    out = burnish(bench.repo.path, "config", "show", env={"BURNISH_TIMEOUTS_REVIEW_S": "42"}).out
    [cycles] = [line for line in out.splitlines() if line.startswith("limits.cycles")]
    assert "7" in cycles
    assert "burnish.toml" in cycles
    assert any("42" in line and "BURNISH_TIMEOUTS_REVIEW_S" in line for line in out.splitlines())


def test_the_repositorys_configuration_is_used(bench: Bench) -> None:
    bench.repo.commit("config", {"burnish.toml": '[limits]\ncycles = 1\n[gate]\ncommand = "true"\n'})
    said = burnish(bench.repo.path, "run", "Add it", *bench.agents[:4], "--json")
    assert (said.end["cycles"], said.events[0]["gate"]) == (1, "true")


def test_version_and_help_are_there() -> None:
    assert burnish(Path.cwd(), "--version").out.startswith("burnish 0.")
    assert "Commands:" in burnish(Path.cwd(), "--help").out
    assert "--implementer" in burnish(Path.cwd(), "run", "--help").out
