"""Keys in the user's environment reach the agents they are for, and no other process can read them from us."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from burnish.cli.main import STARTS_NOTHING, VERBS
from burnish.process.clean_start import HANDED_OVER, harmless
from tests.cli import BURNISH, program, start
from tests.repos import TestRepo

MakeRepo = Callable[..., TestRepo]
KEY = "cnry-key-90210"
KEYS = ("AWS_SECRET_ACCESS_KEY", "ANTHROPIC_API_KEY", "MY_TOKEN", "LC_SECRET", "BURNISH_NOTIFY_WEBHOOK")
ENV = {
    **dict.fromkeys(KEYS[:4], KEY),
    "BURNISH_NOTIFY_WEBHOOK": f"http://127.0.0.1:9/{KEY}",
    "BURNISH_SANDBOX_MODE": "off",
    "BURNISH_SANDBOX_PASS_ENV": "MY_TOKEN",
}
# Looks at every process there is but itself: it was given MY_TOKEN, and so was the guard above it.
LOOKS = """
def above(pid):
    return int(Path(f'/proc/{pid}/stat').read_text().rpartition(')')[2].split()[1])
found, seen = [], []
for entry in Path('/proc').glob('[0-9]*'):
    for name in ('environ', 'cmdline', 'fd'):
        if entry.name in (str(os.getpid()), str(os.getppid())):
            continue
        try:
            if name == 'fd':
                texts = [one.read_bytes() for one in (entry / name).iterdir() if 'memfd' in os.readlink(one)]
            else:
                texts = [(entry / name).read_bytes()]
        except OSError:
            continue
        seen.append(entry.name)
        found += [f'{entry}/{name}' for text in texts if b'KEY' in text]
orchestrator = str(above(os.getppid()))
Path('LOG').write_text(repr({'found': found, 'mine': os.environ.get('MY_TOKEN'), 'seen': orchestrator in seen,
    'other': os.environ.get('AWS_SECRET_ACCESS_KEY'), 'names': sorted(os.environ)}))
Path('app.py').write_text('done')
"""
APPROVES = "print('**Verdict: APPROVED**')\n"


def agents(folder: Path) -> tuple[str, ...]:
    looks = LOOKS.replace("KEY", KEY).replace("LOG", str(folder / "log"))
    writer, reviewer = program(folder, "writer", looks), program(folder, "reviewer", APPROVES)
    return ("--implementer", writer, "--reviewer", reviewer)


def test_no_process_shows_the_keys_that_burnish_was_started_with(tmp_path: Path, repo: MakeRepo) -> None:
    child = start(repo({"app.py": ""}).path, "run", "Add it", *agents(tmp_path / "agents"), env=ENV)
    out, err = child.communicate(timeout=90)
    assert child.returncode == 0, (out, err)
    log = eval((tmp_path / "agents/log").read_text())
    assert log["found"] == []
    assert log["mine"] == KEY
    assert log["other"] is None
    assert not {"LC_SECRET", HANDED_OVER} & set(log["names"])
    # As root the agent did read our environment, and there was nothing in it.
    assert log["seen"] is (os.geteuid() == 0)


NOBODY = 65534
# A change of user hides a process by itself: that is undone, so that only what we do counts.
SITS = f"""
import os, sys, time, ctypes
from burnish.process.clean_start import become_unreadable
os.setgid({NOBODY}); os.setuid({NOBODY})
ctypes.CDLL(None).prctl(4, 1, 0, 0, 0)
if sys.argv[1] == 'hidden':
    become_unreadable()
print('ready', flush=True)
time.sleep(60)
"""
PEEKS = f"""
import os, sys
os.setgid({NOBODY}); os.setuid({NOBODY})
for name in ('environ', 'maps', 'mem', 'fd'):
    try:
        os.listdir(f'/proc/{{sys.argv[1]}}/fd') if name == 'fd' else open(f'/proc/{{sys.argv[1]}}/{{name}}', 'rb')
        print(name)
    except OSError:
        pass
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
@pytest.mark.parametrize(("how", "seen"), [("hidden", []), ("open", ["environ", "maps", "mem", "fd"])])
def test_another_process_of_the_same_user_reads_nothing_of_a_hidden_one(how: str, seen: list[str]) -> None:
    """Root may always read: this is what any other user gets."""
    child = subprocess.Popen([sys.executable, "-c", SITS, how], stdout=subprocess.PIPE)
    assert child.stdout is not None
    try:
        assert child.stdout.readline() == b"ready\n"
        peeks = [sys.executable, "-c", PEEKS, str(child.pid)]
        found = subprocess.run(peeks, capture_output=True, text=True, check=True)
        assert found.stdout.split() == seen
    finally:
        child.kill()
        child.communicate()


def test_what_is_asked_and_how_it_ends_is_the_same_after_the_second_start(repo: MakeRepo) -> None:
    user = repo({"app.py": ""})
    said = subprocess.run(
        [*BURNISH, "run", "-", "--implementer", "cat"], cwd=user.path, env={**os.environ, **ENV},
        input=" \n", capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert said.returncode == 2
    assert "Traceback" not in said.stderr
    assert "found" in said.stderr or "expected" in said.stderr


def test_a_signal_ends_it_as_before(tmp_path: Path, repo: MakeRepo) -> None:
    waits = program(tmp_path, "waits", f"Path({str(tmp_path / 'begun')!r}).touch()\ntime.sleep(60)\n")
    child = start(
        repo({"app.py": ""}).path, "run", "Add it", "--implementer", waits, "--reviewer", waits, env=ENV
    )
    give_up = time.monotonic() + 60
    while not (tmp_path / "begun").exists() and time.monotonic() < give_up:
        time.sleep(0.05)
    child.send_signal(signal.SIGINT)
    child.communicate(timeout=60)
    assert child.returncode == 130


def test_a_number_that_another_process_was_given_is_not_taken(repo: MakeRepo) -> None:
    child = start(repo({"app.py": ""}).path, "agents", env={HANDED_OVER: "1:0"})
    _, err = child.communicate(timeout=60)
    assert child.returncode == 0, err


@pytest.mark.parametrize("name", [*KEYS, "PYTHON_KEYRING_TOKEN", "GIT_ASKPASS", "npm_config_token", "X"])
def test_a_variable_that_is_not_on_the_list_is_not_left_in_sight(name: str) -> None:
    assert not harmless(name, "x")
    assert harmless("PATH", "/bin")
    assert harmless("PYTHONPATH", "/x")
    assert not harmless("HTTPS_PROXY", "http://me:secret@proxy")


def test_every_verb_that_is_not_known_to_start_nothing_starts_clean() -> None:
    cleaned = set(VERBS) - STARTS_NOTHING
    assert set(VERBS) > STARTS_NOTHING
    assert cleaned >= {"run", "work", "review", "fix", "resume", "spec", "build", "slots", "mcp"}
