"""Ends that come too early: Ctrl-C in the middle of an edit, twice, and kill -9; then the run goes on."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from subprocess import Popen

from tests.model_server import Edit, Scene, Stall

from e2e._stage import Stage, alive
from e2e._story import (
    ADD,
    IMPLEMENTER,
    REVIEWER,
    RIGHT,
    TASK,
    approves,
    commits_once,
    implements,
    not_passed,
    told,
)
from e2e.scenario import Scenario

SOON_S = 20.0
# Half of the work is done when the model falls silent.
HALF = Scene(
    [Edit("calc.py", ADD, f"{ADD}\n\n\n# half of it"), Stall(seconds=300, times=0)], when=IMPLEMENTER
)


def begun(stage: Stage, *options: str, silent: int = 0) -> Popen[bytes]:
    """Burnish, once the CLI has edited and waits for a model that says nothing; `silent` is the scene's number."""
    child = stage.start("run", TASK, "--agent", stage.cli.name, "--json", *options)
    ends = time.monotonic() + 60
    while not any(seen.scene == silent and isinstance(seen.turn, Stall) for seen in stage.server.asked):
        if child.poll() is not None or time.monotonic() > ends:
            said = stage.end(child, 1)
            raise AssertionError(f"the CLI never came to the stall: {said.out[-400:]} {said.err[-200:]}")
        time.sleep(0.05)
    time.sleep(0.3)
    return child


def resumed(stage: Stage, commits: int = 1) -> str:
    [run] = runs(stage)
    said = stage.burnish("resume", run, "--json")
    end = said.events[-1]
    assert (end["kind"], end.get("outcome")) == ("run_finished", "passed"), (
        f"resumed: {said.out[-300:]} {said.err[-300:]}"
    )
    commits_once(stage, end["branch"], commits)
    content = stage.repo.show(end["branch"], "calc.py")
    assert content.count("def subtract") == 1 and RIGHT in content, f"calc.py is {content!r}"
    return str(end["branch"])


def runs(stage: Stage) -> list[str]:
    return sorted(folder.name for folder in stage.folder.glob("state/repos/*/runs/r-*"))


def interrupted_once(stage: Stage, *options: str) -> str:
    with stage.script(HALF, implements(), approves()):
        child = begun(stage, *options)
        began = time.monotonic()
        child.send_signal(signal.SIGINT)
        said = stage.end(child, 60)
        took_s = time.monotonic() - began
        assert said.code == 130, f"expected exit 130, found {said.code}: {said.err[-300:]}"
        assert took_s < SOON_S, f"it took {took_s:.0f} s"
        left = stage.processes()
        assert not left, f"still running: {left}"
        assert said.events[-1]["kind"] == "run_interrupted", said.out[-300:]
        resumed(stage)
    return f"ended after {took_s:.1f} s, resumed to a pass"


def interrupted_twice(stage: Stage) -> str:
    with stage.script(HALF, implements(), approves()):
        child = begun(stage)
        began = time.monotonic()
        child.send_signal(signal.SIGINT)
        time.sleep(0.2)
        if child.poll() is None:
            child.send_signal(signal.SIGINT)
        said = stage.end(child, 30)
        took_s = time.monotonic() - began
        assert said.code in (130, -signal.SIGINT), f"expected exit 130, found {said.code}"
        assert took_s < SOON_S / 2, f"it took {took_s:.0f} s"
        left = stage.processes()
        assert not left, f"still running: {left}"
        resumed(stage)
    return f"ended after {took_s:.1f} s, resumed to a pass"


def killed(stage: Stage, *options: str) -> str:
    """The orchestrator gets kill -9 in the middle of an edit; only its own process."""
    with stage.script(HALF, implements(), approves()):
        child = begun(stage, *options)
        os.kill(child.pid, signal.SIGKILL)
        stage.end(child, 30)
        left = stage.processes()
        assert not left, f"still running: {left}"
        resumed(stage)
    return "no process left, resumed to a pass"


def killed_in_review(stage: Stage) -> str:
    """What was committed before is not done again."""
    silent = Scene([Stall(seconds=300, times=0)], when=REVIEWER)
    with stage.script(implements(), silent, approves()) as server:
        child = begun(stage, silent=1)
        os.kill(child.pid, signal.SIGKILL)
        stage.end(child, 30)
        left = stage.processes()
        assert not left, f"still running: {left}"
        resumed(stage)
        calls = {seen.conversation for seen in server.asked if IMPLEMENTER in seen.said}
    assert len(calls) == 1, f"the implementer was asked {len(calls)} times"
    return "implemented once, reviewed again, passed"


def cli_killed(stage: Stage) -> str:
    """Somebody ends the CLI itself: no answer, whatever it did before."""
    with stage.script(Scene(HALF.turns, when=IMPLEMENTER, plays=0)):
        child = begun(stage)
        shot = [line for line in alive(str(stage.folder)) if Path(line.split()[1]).name == stage.cli.name]
        assert shot, f"the CLI is not among {alive(str(stage.folder))}"
        for line in shot:
            os.kill(int(line.partition(":")[0]), signal.SIGKILL)
        said = stage.end(child, 60)
    end = not_passed(said)
    told(said, "crash", "killed", "signal", "status")
    return f"{end['outcome']} ({end['reason']})"


def interrupted_unsandboxed(stage: Stage) -> str:
    return interrupted_once(stage, "--sandbox", "off")


def killed_unsandboxed(stage: Stage) -> str:
    return killed(stage, "--sandbox", "off")


SCENARIOS = (
    Scenario("Ctrl-C in mid-edit, resume", interrupted_once, may_pass=True),
    Scenario("Ctrl-C in mid-edit, sandbox off, resume", interrupted_unsandboxed, may_pass=True),
    Scenario("Ctrl-C twice, resume", interrupted_twice, may_pass=True),
    Scenario("kill -9 in mid-edit, resume", killed, may_pass=True),
    Scenario("kill -9 in mid-edit, sandbox off, resume", killed_unsandboxed, may_pass=True),
    Scenario("kill -9 of the CLI itself", cli_killed),
    Scenario("kill -9 in the review, resume", killed_in_review, may_pass=True),
)
