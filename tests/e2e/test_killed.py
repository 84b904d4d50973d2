"""`kill -9` at any moment of `burnish run`, then `burnish resume`: as if nothing had happened."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli import burnish, program, start
from tests.e2e.bench import REVIEWER, WRITER, Bench
from tests.repos import TestRepo


@pytest.fixture
def bench(tmp_path: Path, repo: Callable[..., TestRepo]) -> Bench:
    return Bench(tmp_path, repo({"app.py": "start\n"}))


# Read now: tests see nothing of Burnish in their environment.
ALL_POINTS = bool(os.environ.get("BURNISH_ALL_POINTS"))
ONE_OF = 12


def test_a_run_killed_at_a_side_effect_resumes_to_the_same_end(bench: Bench, tmp_path: Path) -> None:
    code, points = bench.do(tmp_path / "whole")
    assert code == 0
    bench.check_end(tmp_path / "whole")
    # At the end of every step, and every other kind of side effect at its first place; `make chaos` has all.
    ends = {number for number, name in enumerate(points, 1) if name == "step_finished:written"}
    first = {name: number for number, name in reversed(list(enumerate(points, 1)))}
    chosen = sorted({*ends, *first.values()})
    chosen = list(range(1, len(points) + 1)) if ALL_POINTS else chosen[::ONE_OF]
    for number in chosen:
        state = tmp_path / f"state-{number}"
        killed, _ = bench.do(state, deadly=number)
        assert killed == -signal.SIGKILL, points[number - 1]
        run = bench.run_in(state)
        # Killed before anything was recorded, the user starts it again; after its end, there is nothing to do.
        if run is None or run.outcome is None:
            resumed, _ = bench.do(state, resume=run.id if run else "")
            assert resumed == 0, points[number - 1]
        bench.check_end(state)


def _running(bench: Bench, *extra: str, env: dict[str, str]) -> tuple[subprocess.Popen[bytes], str]:
    """A run in the background, and its id once the marker shows that the agent is at work."""
    arguments = [
        f"--{key.rpartition('.')[2].replace('command', 'gate').replace('mode', 'sandbox')}={value}"
        for key, value in bench.flags.items()
    ]
    child = start(bench.repo.path, "run", "Add lines", *arguments, "--json", *extra, env=env)
    assert child.stdout is not None
    first = json.loads(child.stdout.readline())
    return child, first["run"]


def _wait_for(path: Path) -> None:
    deadline = time.monotonic() + 30
    while not path.exists():
        assert time.monotonic() < deadline, f"{path} never appeared"
        time.sleep(0.02)


SLOW = (
    "marker = Path({marker!r})\nPath('half.txt').write_text('half done\\n')\n"
    "if not marker.exists():\n    marker.touch()\n    time.sleep(60)\nPath('half.txt').unlink()\n"
)


@pytest.mark.parametrize("role", ["implementer", "reviewer"])
def test_a_run_killed_while_an_agent_works_resumes_to_the_same_end(
    bench: Bench, tmp_path: Path, role: str
) -> None:
    marker, state = tmp_path / "at-work", tmp_path / "state"
    body = SLOW.format(marker=str(marker)) + (WRITER if role == "implementer" else REVIEWER)
    bench.flags[f"agents.{role}"] = program(tmp_path / "agents", "slow", body)
    env = {"BURNISH_STATE": str(state)}
    child, run = _running(bench, env=env)
    _wait_for(marker)
    child.kill()
    child.communicate()
    said = burnish(bench.repo.path, "resume", run, env=env)
    assert said.code == 0, said.err
    bench.check_end(state)


@pytest.mark.parametrize("verb", ["resume", "cancel"])
def test_what_a_killed_writer_had_written_is_kept_and_named(bench: Bench, tmp_path: Path, verb: str) -> None:
    marker, state = tmp_path / "at-work", tmp_path / "state"
    bench.flags["agents.implementer"] = program(
        tmp_path / "agents", "slow", SLOW.format(marker=str(marker)) + WRITER
    )
    env = {"BURNISH_STATE": str(state)}
    child, run = _running(bench, env=env)
    _wait_for(marker)
    child.kill()
    child.communicate()
    burnish(bench.repo.path, verb, run, env=env)
    page = burnish(bench.repo.path, "show", run, env=env).out
    assert "unfinished work of a killed step is kept under refs/burnish/" in page
    ref = page.split("is kept under ")[1].split()[0]
    [store] = state.glob(f"repos/*/runs/{run}/run.git")
    kept = subprocess.run(
        ["git", "--git-dir", str(store), "show", f"{ref}:half.txt"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert kept.stdout == "half done\n"


def test_no_agent_lives_on_after_its_run_was_killed(bench: Bench, tmp_path: Path) -> None:
    marker, state = tmp_path / "at-work", tmp_path / "state"
    body = f"Path({str(marker)!r}).write_text(str(os.getpid()))\ntime.sleep(60)\n"
    bench.flags["agents.implementer"] = program(tmp_path / "agents", "slow", body)
    child, _ = _running(bench, env={"BURNISH_STATE": str(state)})
    _wait_for(marker)
    time.sleep(0.1)
    pid = int(marker.read_text())
    child.kill()
    child.communicate()
    deadline = time.monotonic() + 5
    while Path(f"/proc/{pid}").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not Path(f"/proc/{pid}").exists()


def test_a_live_run_cannot_be_resumed_by_another_process(bench: Bench, tmp_path: Path) -> None:
    marker = tmp_path / "at-work"
    bench.flags["agents.implementer"] = program(
        tmp_path / "agents", "slow", SLOW.format(marker=str(marker)) + WRITER
    )
    env = {"BURNISH_STATE": str(tmp_path / "state")}
    child, run = _running(bench, env=env)
    _wait_for(marker)
    said = burnish(bench.repo.path, "resume", run, env=env)
    assert said.code == 1
    assert f"run {run} is held by process {child.pid}" in said.err
    child.kill()
    child.communicate()


def test_ctrl_c_ends_with_130_keeps_the_work_and_says_how_to_go_on(bench: Bench, tmp_path: Path) -> None:
    marker = tmp_path / "at-work"
    bench.flags["agents.implementer"] = program(
        tmp_path / "agents", "slow", SLOW.format(marker=str(marker)) + WRITER
    )
    env = {"BURNISH_STATE": str(tmp_path / "state")}
    child, run = _running(bench, env=env)
    _wait_for(marker)
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=20)
    assert child.returncode == 130, err
    kinds = [json.loads(line)["kind"] for line in out.splitlines()]
    assert kinds[-1] == "run_interrupted"
    assert "is kept under refs/burnish/" in burnish(bench.repo.path, "show", run, env=env).out
    assert burnish(bench.repo.path, "resume", run, env=env).code == 0
    bench.check_end(tmp_path / "state")


def test_cancel_ends_a_live_run_for_good(bench: Bench, tmp_path: Path) -> None:
    marker = tmp_path / "at-work"
    bench.flags["agents.implementer"] = program(
        tmp_path / "agents", "slow", SLOW.format(marker=str(marker)) + WRITER
    )
    env = {"BURNISH_STATE": str(tmp_path / "state")}
    child, run = _running(bench, env=env)
    _wait_for(marker)
    assert burnish(bench.repo.path, "cancel", run, env=env).out == f"{run} is cancelled\n"
    out, _ = child.communicate(timeout=20)
    assert child.returncode == 130
    assert json.loads(out.splitlines()[-1])["outcome"] == "cancelled"
    assert "has already ended: cancelled" in burnish(bench.repo.path, "resume", run, env=env).err
