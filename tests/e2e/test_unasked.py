"""Nothing of a change that others wrote is executed without a sandbox, unless a person said so."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from burnish.app.place import STANDING
from burnish.mcp.host_tools import answer
from burnish.mcp.reviews import Reviews
from burnish.process import bubblewrap
from tests.cli import Said, burnish, program, start
from tests.no_bwrap import Machine, burnish_on
from tests.repos import TestRepo, make_repo

APP = "def double(x):\n    return 2 * x\n"
TEST = (
    "import unittest\n\nfrom app import double\n\n\nclass Doubles(unittest.TestCase):\n"
    "    def test_it(self):\n        self.assertEqual(double(2), 4)\n"
)
# Code of the change that tells when it is executed, with a flaw beside it that we repair without an agent.
RUNS = "import pathlib\n\ntry:\n    pathlib.Path({mark!r}).touch()\nexcept OSError:\n    pass\n\n\n"
FLAWED = f"{RUNS}{APP}\n\ndef nothing(x):\n    return x == None\n"
BROKEN = FLAWED.replace("2 * x", "3 * x")
FOUND_BY_ITSELF = "python3 -m unittest -q"
NOT_RUN = "tests not run: no sandbox (bubblewrap is "
ALLOWS = "[sandbox]\nrun_unsandboxed = true\n"
needs_bubblewrap = pytest.mark.skipif(not bubblewrap.usable(), reason="bubblewrap is not usable here")


@dataclass(frozen=True)
class Den:
    """A repository, and a change to it that leaves a mark where it is executed."""

    repo: TestRepo
    mark: Path

    @property
    def executed(self) -> bool:
        return self.mark.exists()

    def change(self, text: str = FLAWED) -> None:
        self.repo.write("app.py", text.format(mark=str(self.mark)))

    def without(
        self, *words: str, machine: Machine = Machine.NONE, env: dict[str, str] | None = None
    ) -> Said:
        return burnish_on(machine, self.repo.path, *words, env=env)


@pytest.fixture
def den(tmp_path: Path) -> Den:
    den = Den(make_repo(tmp_path / "repo", {"app.py": APP, "test_app.py": TEST}), tmp_path / "mark")
    den.change()
    return den


def receipt_of(said: Said) -> dict[str, Any]:
    [path] = [line.split(": ", 1)[1] for line in said.out.splitlines() if line.startswith("  Receipt: ")]
    receipt: dict[str, Any] = json.loads(Path(path).read_text())
    return receipt


def notes(said: Said) -> str:
    return "\n".join(line for line in said.err.splitlines() if line.startswith("note: "))


@pytest.mark.parametrize("machine", Machine)
def test_a_review_without_a_sandbox_runs_no_test_and_its_outcome_and_receipt_say_so(
    den: Den, machine: Machine
) -> None:
    said = den.without("review", machine=machine)
    assert not den.executed
    assert said.code == 0, said.err
    assert "note: tests not run: no sandbox (" in said.err
    assert "or allow it: --run-unsandboxed)" in said.err
    assert "agents" not in notes(said), "there are none"
    assert "the tests: they were not run (no sandbox" in said.out
    assert "Outcome: passed: 2 low (1 doubtful); tests not run" in said.out
    [review] = receipt_of(said)["reviews"]
    assert review["version"].endswith("; tests not run")
    assert "tests," not in review["version"]


@pytest.mark.skipif(
    bool(bubblewrap.find()) and not bubblewrap.usable(),
    reason="a bubblewrap that does not work is not hidden here",
)
def test_the_line_that_installs_the_sandbox_is_told(den: Den) -> None:
    told = notes(den.without("review"))
    assert NOT_RUN in told
    assert "install it: " in told or "install the package bubblewrap" in told


@pytest.mark.parametrize("machine", Machine)
def test_fixes_without_a_sandbox_are_made_and_called_untested(den: Den, machine: Machine) -> None:
    den.change(BROKEN)
    said = den.without("review", "--fix", machine=machine)
    assert not den.executed
    assert "; fixes are not tested" in notes(said)
    assert "no gate was run: fixes are not tested" in notes(said)
    assert "rests on: ruff:E711 is gone; weaker: compile and import check, no gate was run" in said.out
    assert "; tests not run" in said.out


@pytest.mark.parametrize("place", ["flag", "user", "repository", "environment"])
def test_a_gate_is_not_the_word_to_run_it_and_one_that_was_not_run_is_no_pass(
    den: Den, place: str, isolated_environment: Path
) -> None:
    command = f"[gate]\ncommand = '{FOUND_BY_ITSELF}'\n"
    if place == "user":
        _user_file(isolated_environment, command)
    elif place == "repository":
        den.repo.git("stash")
        den.repo.commit("gate", {"burnish.toml": command})
        den.repo.git("stash", "pop")
    env = {"BURNISH_GATE_COMMAND": FOUND_BY_ITSELF} if place == "environment" else {}
    said = den.without("review", *(("--gate", FOUND_BY_ITSELF) if place == "flag" else ()), env=env)
    assert not den.executed
    assert said.code == 1
    assert f"Outcome: failed: the gate '{FOUND_BY_ITSELF}' was not run: no sandbox" in said.out
    assert receipt_of(said)["outcome"] == "failed"


def test_a_gate_that_cannot_run_is_no_pass_either(den: Den) -> None:
    said = burnish(den.repo.path, "review", "--gate", "no-such-program --x")
    assert said.code == 1
    assert "the gate 'no-such-program --x' was not run: the test command cannot start" in said.out


def test_a_gate_that_the_user_leaves_out_with_no_tests_keeps_nothing_from_passing(den: Den) -> None:
    said = den.without("review", "--no-tests", "--gate", FOUND_BY_ITSELF)
    assert said.code == 0, said.out
    assert NOT_RUN not in said.err
    assert "as you asked (--no-tests)" in said.out


def test_a_repository_that_allows_itself_to_be_run_is_not_followed(den: Den) -> None:
    den.repo.git("stash")
    den.repo.commit("settings", {"burnish.toml": f"{ALLOWS}mode = 'off'\n"})
    den.repo.git("stash", "pop")
    said = den.without("review")
    assert not den.executed
    assert "sandbox.run_unsandboxed is ignored: only you can allow that" in said.err
    assert "sandbox.mode = off is ignored: a repository does not loosen its review" in said.err
    assert NOT_RUN in said.err


@needs_bubblewrap
def test_a_repository_does_not_take_the_sandbox_from_a_user_who_allows_to_go_without(den: Den) -> None:
    den.repo.git("stash")
    den.repo.commit("settings", {"burnish.toml": "[sandbox]\nmode = 'off'\n"})
    den.repo.git("stash", "pop")
    said = burnish(den.repo.path, "review", "--run-unsandboxed")
    assert not den.executed, "the sandbox kept the mark inside"
    assert receipt_of(said)["reviews"][0]["isolation"] == "bubblewrap, no network"


@pytest.mark.parametrize("place", ["flag", "user", "environment"])
def test_a_person_can_allow_it_and_the_receipt_has_it(
    den: Den, place: str, isolated_environment: Path
) -> None:
    if place == "user":
        _user_file(isolated_environment, ALLOWS)
    env = {"BURNISH_SANDBOX_RUN_UNSANDBOXED": "true"} if place == "environment" else {}
    said = den.without("review", *(("--run-unsandboxed",) if place == "flag" else ()), env=env)
    assert den.executed
    assert said.code == 0, said.err
    assert "note: tests run unsandboxed, as you allowed: bubblewrap is " in said.err
    assert receipt_of(said)["reviews"][0]["isolation"] == "guard (unsandboxed)"


def test_a_sandbox_that_is_switched_off_is_none(den: Den) -> None:
    said = burnish(den.repo.path, "review", "--sandbox", "off")
    assert not den.executed
    assert "tests not run: no sandbox (it is switched off; --sandbox auto uses it, or allow it" in said.err


@needs_bubblewrap
def test_in_a_sandbox_the_tests_are_run_and_the_receipt_has_it(den: Den) -> None:
    den.change(BROKEN)
    said = burnish(den.repo.path, "review")
    assert not den.executed, "the sandbox kept the mark inside"
    assert "Test fails" in said.out
    assert receipt_of(said)["reviews"][0]["isolation"] == "bubblewrap, no network"


MENDS = "app = Path('app.py')\napp.write_text(app.read_text().replace('3 * x', '2 * x'))\n"


@needs_bubblewrap
def test_a_failing_test_is_not_called_fixed_where_it_cannot_be_run_again(den: Den) -> None:
    den.change(BROKEN)
    found = burnish(den.repo.path, "review")
    assert "Test fails" in found.out
    agent = program(den.mark.parent, "fixer", MENDS)
    said = den.without("fix", "--agent", agent)
    assert not den.executed
    assert "the test was not run again, so nothing tells whether it passes" in said.out
    assert said.code != 0


def test_agents_without_a_sandbox_are_told_of_as_agents(den: Den) -> None:
    agent = program(den.mark.parent, "viewer", "print('{\"findings\": []}')\n")
    said = den.without("review", "--agent", agent, "--dimensions", "security")
    assert "agents run unsandboxed: bubblewrap is " in notes(said)
    assert not den.executed


SLOW = "if not Path({go!r}).exists():\n    time.sleep(60)\nprint('no')\n"


@needs_bubblewrap
def test_a_review_that_began_in_a_sandbox_does_not_go_on_without_one(den: Den) -> None:
    """What is remembered of the tests stays; the gate of the fixes is not run any more."""
    den.change(BROKEN)
    go = den.mark.with_name("go")
    agent = program(den.mark.parent, "viewer", SLOW.format(go=str(go)))
    child = start(
        den.repo.path,
        "review",
        "--fix",
        "--fixer",
        "embedded",
        "--agent",
        agent,
        "--dimensions=best-practices",
    )
    _until_at_work(str(den.mark.with_name("viewer.py")), child)
    child.send_signal(signal.SIGINT)
    _, err = child.communicate(timeout=30)
    assert child.returncode == 130, err
    go.touch()
    said = den.without("review", "--resume")
    assert not den.executed
    assert NOT_RUN in said.err
    assert "weaker: compile and import check, no gate was run" in said.out


def test_a_host_agent_cannot_have_tests_run_without_a_sandbox(
    den: Den, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BURNISH_SANDBOX_MODE", "off")

    async def asked() -> dict[str, Any]:
        STANDING.set(den.repo.path)
        reviews = Reviews()
        run = (await answer("review_start", {"repository": str(den.repo.path)}, reviews, "host"))["run"]
        for _ in range(300):
            told = await answer(
                "review_status", {"repository": str(den.repo.path), "run": run}, reviews, "host"
            )
            if told["state"] != "running":
                return told
            await asyncio.sleep(0.1)
        raise AssertionError("the review did not end")

    told = asyncio.run(asked())
    assert not den.executed
    assert "tests not run" in json.dumps(told)


@pytest.mark.parametrize("sandboxed", [pytest.param(True, marks=needs_bubblewrap), False])
def test_the_gate_of_a_run_has_the_confinement_of_its_agents_and_the_receipt_has_it(
    den: Den, sandboxed: bool
) -> None:
    den.repo.git("checkout", "-q", "app.py")
    agents = den.mark.parent / "agents"
    writer = program(
        agents, "writer", "Path('app.py').write_text(Path('app.py').read_text() + '# more\\n')\n"
    )
    reviewer = program(agents, "reviewer", "print('**Verdict: APPROVED**')\n")
    words = (
        "run",
        "Add it",
        "--implementer",
        writer,
        "--reviewer",
        reviewer,
        "--gate",
        FOUND_BY_ITSELF,
        "--json",
    )
    said = burnish(den.repo.path, *words) if sandboxed else den.without(*words)
    assert said.code == 0, said.out + said.err
    receipt = json.loads(Path(said.end["receipt"]).read_text())
    held = {one["isolation"] for kind in ("gates", "writes", "reviews") for one in receipt[kind]}
    assert len(receipt["gates"]) == 2
    assert held == {"bubblewrap" if sandboxed else "guard (unsandboxed)"}


def test_a_run_whose_sandbox_the_repository_switches_off_says_so(den: Den) -> None:
    den.repo.git("checkout", "-q", "app.py")
    den.repo.commit("settings", {"burnish.toml": "[sandbox]\nmode = 'off'\n"})
    nothing = program(den.mark.parent, "agent", "print('**Verdict: APPROVED**')\n")
    said = burnish(den.repo.path, "run", "x", "--implementer", nothing, "--reviewer", nothing)
    assert "agents and the gate run unsandboxed: burnish.toml at " in said.out
    quiet = burnish(
        den.repo.path, "run", "x", "--implementer", nothing, "--reviewer", nothing, "--sandbox", "off"
    )
    assert "unsandboxed" not in quiet.out


def _user_file(home: Path, text: str) -> None:
    folder = home / "config" / "burnish"
    folder.mkdir(parents=True)
    (folder / "burnish.toml").write_text(text)


def _until_at_work(name: str, child: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + 60
    while not any(name in _words(place) for place in Path("/proc").glob("[0-9]*/cmdline")):
        assert child.poll() is None, child.communicate()
        assert time.monotonic() < until, "the agent was never started"
        time.sleep(0.05)


def _words(cmdline: Path) -> list[str]:
    try:
        return cmdline.read_text("utf8", "replace").split("\0")
    except OSError:
        return []
