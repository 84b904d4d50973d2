"""Ctrl-C once stops after clean-up and can be resumed; twice it is over at once; no process survives either."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from tests.cli import burnish, program, start
from tests.repos import TestRepo

# Ignores what asks it to end, as does the child that it has sent into a session of its own.
STUBBORN = """
import signal, subprocess
if not Path({go!r}).exists():
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    Path('half.txt').write_text('half of it')
    subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)', {mark!r}], start_new_session=True)
    (Path(os.environ['BURNISH_USAGE']).parent / 'ready').touch()
    print('at work', flush=True)
    time.sleep(600)
"""
# Wants ten minutes to tidy up when it is asked to end.
TIDY = """
import signal
if not Path({go!r}).exists():
    def tidy(*_):
        time.sleep(600)
    signal.signal(signal.SIGTERM, tidy)
    Path('half.txt').write_text('half of it')
    (Path(os.environ['BURNISH_USAGE']).parent / 'ready').touch()
    time.sleep(600)  # {mark}
"""
WRITES = "Path('half.txt').write_text(f'{role} {cycle}')\nprint('done')\n"
APPROVES = "print('**Verdict: APPROVED**')\n"
SPEC = "# Spec 7: Login\n\n## Phase 1: Form\n\nAdd the form.\n"


class Bench:
    def __init__(self, folder: Path, repo: TestRepo) -> None:
        self.folder, self.repo = folder, repo
        self.go = folder / "go"
        self.state = Path(os.environ["BURNISH_STATE"])

    def agents(self, body: str, sandbox: str = "off") -> None:
        slow = body.format(go=str(self.go), mark=str(self.folder))
        writer = program(self.folder / "agents", "writer", slow + WRITES)
        approver = program(self.folder / "agents", "approver", APPROVES)
        lines = (
            f"[agents]\nimplementer = {writer!r}\nreviewer = {approver!r}\n[sandbox]\nmode = '{sandbox}'\n"
        )
        self.repo.commit("settings", {"burnish.toml": lines, "spec.md": SPEC})

    def at_work(self, *arguments: str) -> subprocess.Popen[bytes]:
        """Burnish, once its agent is in the middle of its work."""
        child = start(self.repo.path, *arguments)
        until = time.monotonic() + 30
        while not list(self.state.glob("repos/*/runs/*/desks/**/ready")):
            assert child.poll() is None, child.communicate()
            assert time.monotonic() < until, "the agent was never started"
            time.sleep(0.02)
        time.sleep(0.1)
        return child

    def left(self) -> list[str]:
        """Processes that have this test's folder in their command line, once they had time to go."""
        until = time.monotonic() + 5
        while (found := _named(str(self.folder))) and time.monotonic() < until:
            time.sleep(0.02)
        return found

    @contextmanager
    def clean_up_hangs(self) -> Iterator[None]:
        """Somebody else writes into the database and does not come to an end."""
        (database,) = self.state.glob("repos/*/burnish.db")
        with closing(sqlite3.connect(database, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            yield
            other.execute("ROLLBACK")


def _named(text: str) -> list[str]:
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode("utf8", "replace")
        except OSError:
            continue
        if text in words and int(folder.name) != os.getpid():
            found.append(f"{folder.name}: {words}")
    return found


@pytest.fixture
def bench(tmp_path: Path, repo: Callable[..., TestRepo]) -> Iterator[Bench]:
    made = Bench(tmp_path, repo({"app.py": "print('hi')\n"}))
    yield made
    for line in _named(str(tmp_path)):
        os.kill(int(line.partition(":")[0]), signal.SIGKILL)


VERBS = {"run": ["run", "Add it"], "work": ["work"], "spec": ["spec", "spec.md"]}


@pytest.mark.parametrize(
    ("agent", "sandbox"),
    [(STUBBORN, "off"), (STUBBORN, "auto"), (TIDY, "off")],
    ids=["ignores signals", "ignores signals in a sandbox", "takes long to clean up"],
)
def test_one_ctrl_c_ends_a_run_soon_whatever_its_agent_does_and_it_can_be_resumed(
    bench: Bench, agent: str, sandbox: str
) -> None:
    bench.agents(agent, sandbox)
    child = bench.at_work("run", "Add it")
    began = time.monotonic()
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=30)
    assert child.returncode == 130, (out, err)
    assert time.monotonic() - began < 15
    assert bench.left() == []
    assert "is kept under refs/burnish/" in out.decode()
    if sandbox == "off":  # in a sandbox the agent does not see the file that lets it go on
        bench.go.touch()
        said = burnish(bench.repo.path, "resume", _run(bench))
        assert said.code == 0, said.err


@pytest.mark.parametrize("verb", ["run", "work", "spec"])
def test_a_second_ctrl_c_does_not_wait_for_the_clean_up_and_no_process_survives(
    bench: Bench, verb: str
) -> None:
    bench.agents(STUBBORN)
    if verb == "work":
        burnish(bench.repo.path, "add", "Add it", "-a")
    child = bench.at_work(*VERBS[verb])
    with bench.clean_up_hangs():
        child.send_signal(signal.SIGINT)
        time.sleep(0.6)
        assert child.poll() is None, child.communicate()
        began = time.monotonic()
        child.send_signal(signal.SIGINT)
        _, err = child.communicate(timeout=10)
        assert time.monotonic() - began < 3
    assert child.returncode == 130
    assert "stopped at once; what was recorded can be resumed" in err.decode()
    assert bench.left() == []
    bench.go.touch()
    again = {"run": ["resume", _run(bench)], "work": ["work"], "spec": ["spec", "spec.md", "--resume"]}[verb]
    said = burnish(bench.repo.path, *again)
    # A spec asks for a grade, which this reviewer does not give: it goes on all the same, and says so.
    assert said.code == (5 if verb == "spec" else 0), (said.out, said.err)


def test_in_a_sandbox_too_nothing_is_left_of_what_was_stopped_at_once(bench: Bench) -> None:
    bench.agents(STUBBORN, "auto")
    child = bench.at_work("run", "Add it")
    with bench.clean_up_hangs():
        child.send_signal(signal.SIGINT)
        time.sleep(0.6)
        child.send_signal(signal.SIGTERM)
        child.communicate(timeout=10)
    assert child.returncode == 130
    assert bench.left() == []


def test_a_review_by_an_agent_stops_the_same_way(bench: Bench) -> None:
    bench.agents(STUBBORN)
    bench.repo.write("app.py", "print('changed')\n")
    slow = program(bench.folder / "agents", "slow", STUBBORN.format(go=str(bench.go), mark=str(bench.folder)))
    child = bench.at_work("review", "--agent", slow, "--dimensions", "security", "--sandbox", "off")
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=30)
    assert child.returncode == 130, (out, err)
    assert bench.left() == []


def test_what_a_wrapper_passes_on_at_once_is_the_same_press_not_a_second_one(bench: Bench) -> None:
    bench.agents(STUBBORN)
    child = bench.at_work("run", "Add it")
    child.send_signal(signal.SIGINT)
    time.sleep(0.02)
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=30)
    assert child.returncode == 130
    assert "at once" not in err.decode()
    assert "is kept under refs/burnish/" in out.decode()


def test_a_closed_terminal_stops_resumably_however_often_that_is_told(bench: Bench) -> None:
    bench.agents(STUBBORN)
    child = bench.at_work("run", "Add it")
    with bench.clean_up_hangs():
        child.send_signal(signal.SIGHUP)
        time.sleep(0.6)
        child.send_signal(signal.SIGHUP)
        time.sleep(0.3)
        assert child.poll() is None
    out, _ = child.communicate(timeout=30)
    assert child.returncode == 130
    assert "is kept under refs/burnish/" in out.decode()


def _run(bench: Bench) -> str:
    return next(word for word in burnish(bench.repo.path, "runs").out.split() if word.startswith("r-"))
