"""Many processes, and processes that are killed: nothing is lost, nothing is done twice, exactly one wins."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from burnish.store import queries
from burnish.store.database import open_database
from burnish.store.leases import this_process

ROOT = Path(__file__).resolve().parents[3]
# Read now: tests see nothing of Burnish in their environment. Else one point of each kind.
ALL_POINTS = bool(os.environ.get("BURNISH_ALL_POINTS"))


def swarm(mode: str, path: Path, *numbers: int) -> Any:
    command = [sys.executable, "-W", "error", "-m", "tests.integration.store.swarm", mode, str(path)]
    done = subprocess.run(
        [*command, *(str(int(number)) for number in numbers)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return json.loads(done.stdout)


def test_twenty_processes_may_all_be_the_first_to_open_a_database(tmp_path: Path) -> None:
    for attempt in range(3):
        assert swarm("open", tmp_path / f"{attempt}.db", 20) == [None] * 20


def test_fifty_writers_never_lose_a_row_or_see_a_lock(tmp_path: Path) -> None:
    worst = swarm("write", tmp_path / "burnish.db", 50, 20)
    assert all(isinstance(seconds, float) for seconds in worst), worst
    database = open_database(tmp_path / "burnish.db")
    runs = queries.list_runs(database, this_process())
    assert len(runs) == 50
    for run in runs:
        number = run.id.rsplit("-", 1)[1]
        results = [step.result or "" for step in queries.run_steps(database, run.id)]
        assert len(results) == 10
        assert all(f'"summary":"{number}/' in result for result in results)
        assert len(queries.run_events(database, run.id)) == 21
    database.close()


def test_of_ten_processes_that_resume_one_run_exactly_one_wins(tmp_path: Path) -> None:
    for attempt in range(3):
        answers = swarm("race", tmp_path / f"{attempt}.db", 10)
        assert answers.count("won") == 1
        others = [answer for answer in answers if answer != "won"]
        assert all("is held by process" in answer for answer in others), others


@pytest.fixture(scope="module")
def swept(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = swarm("sweep", tmp_path_factory.mktemp("sweep") / "x", 4, ALL_POINTS)
    return found


def test_a_kill_at_every_point_of_a_run_changes_nothing_of_its_end(swept: list[dict[str, Any]]) -> None:
    golden = swept[-1]["steps"]
    assert len(swept) > (80 if ALL_POINTS else 25)
    assert {"intent:written", "commit:done", "run_finished:committed"} < {result["point"] for result in swept}
    assert {result["outcome"] for result in swept} == {"passed"}
    assert all(result["steps"] == golden for result in swept)
    assert len(golden) == 6


def test_a_kill_at_every_point_of_a_run_repeats_no_event_and_no_commit(swept: list[dict[str, Any]]) -> None:
    for result in swept:
        assert result["seqs"] == list(range(1, len(result["seqs"]) + 1)), result["point"]
        assert len(result["ended"]) == len(set(result["ended"])) == 6, result["point"]
        for once in ("run_started", "run_finished", "notice"):
            assert result["events"].count(once) == 1, result["point"]
        commits = [line for line in result["done"] if line.startswith("commit-of")]
        assert len(commits) == len(set(commits)) == 3, result["point"]


def test_a_kill_repeats_at_most_the_one_call_it_interrupted(swept: list[dict[str, Any]]) -> None:
    repeats = {result["point"]: len(result["done"]) - 9 for result in swept}
    assert set(repeats.values()) <= {0, 1}
    for result in swept:
        calls = [line for line in result["done"] if not line.startswith("commit-of")]
        again = len(calls) - len(set(calls))
        # Only a kill between an agent's answer and its record may ask that agent again.
        asked_again_after = {
            "work:done",
            "step_finished:before",
            "step_finished:written",
            "intent:before",
            "intent:written",
        }
        assert again == 0 or result["point"] in asked_again_after, result
