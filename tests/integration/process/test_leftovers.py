"""Nothing of a child is left, whatever it does and however it ends."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from burnish.process.supervisor import run
from tests.integration.process.conftest import Room
from tests.integration.process.leftovers import gone, living

MISDEEDS = ["ignore_term", "setsid", "double_fork", "env_i", "sigstop", "fork_many", "orphan_holds_pipe"]
# One each, 200 of fork_many, and none of ignore_term.
MOST = 205
STAYS = "stall_s = 3600"
ENDS = "exit = 0"


@pytest.fixture
def token() -> str:
    """A number of seconds nobody else sleeps: it is in the command line of everything a test leaves."""
    # Not ending in 0: a float would lose that, and its command line would not be found.
    return f"{random.randint(2000, 3000)}.{random.randint(10**6, 10**7 - 1)}7"


def scenario(room: Room, token: str, misdeeds: list[str], end: str) -> tuple[str, ...]:
    """The scripted agent behaving badly: says `ready` when it has done all its misdeeds."""
    path = room.workspace / f"scenario-{token}.toml"
    names = ", ".join(f'"{name}"' for name in misdeeds)
    path.write_text(f'[[step]]\nmisdeeds = [{names}]\nlinger_s = {token}\nreply = "ready"\n{end}\n')
    return (sys.executable, "-I", "-m", "burnish.agents.scripted", str(path))


def left_by(room: Room, token: str, misdeeds: list[str]) -> int:
    """How many processes these misdeeds leave when nobody looks after them."""
    argv = scenario(room, token, misdeeds, ENDS)
    subprocess.run(argv, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, cwd=room.workspace, check=True)
    until = time.monotonic() + 10
    while len(found := living(token)) != MOST and time.monotonic() < until:
        time.sleep(0.05)
    while pids := living(token):
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.05)
    return len(found)


def test_the_misdeeds_do_leave_processes_when_nobody_looks_after_them(tmp_path: Path, token: str) -> None:
    assert left_by(Room(tmp_path, None), token, MISDEEDS) == MOST


@pytest.mark.parametrize("misdeed", MISDEEDS)
def test_nothing_is_left_after_success(room: Room, token: str, misdeed: str) -> None:
    done = room.run(room.command(*scenario(room, token, [misdeed], ENDS)))
    assert living(token) == {}
    assert (done.exit, done.stdout.text, done.left) == (0, "ready\n", 0)
    assert done.duration_s < 10


def test_nothing_is_left_after_a_timeout(room: Room, token: str) -> None:
    done = room.run(room.command(*scenario(room, token, MISDEEDS, STAYS), timeout_s=1.5))
    assert living(token) == {}
    assert (done.timed_out, done.stdout.text) == (True, "ready\n")


def test_everything_is_dead_before_a_cancellation_is_passed_on(room: Room, token: str) -> None:
    async def cancelled() -> int:
        ready = asyncio.Event()
        command = room.command(*scenario(room, token, MISDEEDS, STAYS))
        task = asyncio.create_task(run(command, lambda line: ready.set()))
        await ready.wait()
        before = len(living(token))
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert living(token) == {}
        return before

    assert asyncio.run(cancelled()) > 200


def test_cancelling_twice_still_leaves_nothing(room: Room, token: str) -> None:
    async def impatient() -> None:
        ready = asyncio.Event()
        command = room.command(*scenario(room, token, MISDEEDS, STAYS))
        task = asyncio.create_task(run(command, lambda line: ready.set()))
        await ready.wait()
        for _ in range(3):
            task.cancel()
            await asyncio.sleep(0)
        with pytest.raises(asyncio.CancelledError):
            await task
        assert living(token) == {}

    asyncio.run(impatient())


def test_cancelling_at_any_moment_of_the_start_leaves_nothing(room: Room, token: str) -> None:
    async def hasty() -> None:
        for step in range(20):
            task = asyncio.create_task(
                run(room.command("/bin/sh", "-c", f"setsid sleep {token} & sleep {token}"))
            )
            await asyncio.sleep(step * 0.0015)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert living(token) == {}

    asyncio.run(hasty())


ORCHESTRATOR = """
import asyncio, os, sys
from pathlib import Path
import burnish
from burnish.ports import Sandbox
from burnish.process.child import Command
from burnish.process.environment import child_environment
from burnish.process.supervisor import run
kind, workspace, *argv = sys.argv[1:]
package = Path(burnish.__file__).parent
sandbox = None if kind == "guard" else Sandbox(writable=(Path(workspace),), readable=(package,))
command = Command(tuple(argv), Path(workspace), child_environment(os.environ), 600.0, sandbox=sandbox)
asyncio.run(run(command, lambda line: print(line.decode(), flush=True)))
"""


def kind(room: Room) -> str:
    return "bubblewrap" if room.sandbox else "guard"


def test_nothing_is_left_when_the_orchestrator_is_killed(room: Room, token: str) -> None:
    argv = scenario(room, token, MISDEEDS, STAYS)
    with subprocess.Popen(
        [sys.executable, "-c", ORCHESTRATOR, kind(room), str(room.workspace), *argv], stdout=subprocess.PIPE
    ) as orchestrator:
        assert orchestrator.stdout is not None
        assert orchestrator.stdout.readline() == b"ready\n"
        assert len(living(token)) > 200
        orchestrator.kill()
    assert gone(token) == {}


MANY_ORCHESTRATORS = """
import asyncio, os, random, signal, sys, time
from pathlib import Path
from burnish.ports import Sandbox
from burnish.process import bubblewrap
from burnish.process.child import Command
from burnish.process.mounts import plan
from burnish.process.supervisor import run
kind, workspace, token, seed = sys.argv[1:]
sandbox = None if kind == "guard" else Sandbox(writable=(Path(workspace),))
bubblewrap.usable()
argv = ("/bin/sh", "-c", f"setsid sleep {token} & exec sleep {token}")
command = Command(argv, Path(workspace), {"PATH": os.environ["PATH"]}, 600.0, sandbox=sandbox)
# What is looked up once per process is looked up here: the children are to die while bubblewrap starts.
plan(sandbox or Sandbox(), command)
chance = random.Random(int(seed))
for _ in range(80):
    pid = os.fork()
    if pid == 0:
        asyncio.run(run(command))
    time.sleep(chance.uniform(0, 0.025))
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
"""


def test_nothing_is_left_when_the_orchestrator_is_killed_while_it_starts_a_child(
    room: Room, token: str
) -> None:
    arguments = [kind(room), str(room.workspace), token, "20261115"]
    subprocess.run([sys.executable, "-c", MANY_ORCHESTRATORS, *arguments], check=True)
    # Killed between its own two steps, bubblewrap can leave the second half of itself, which waits for the
    # first and never starts anything. What it would have started is what must not be there.
    started = {pid: said for pid, said in gone(token).items() if not said.startswith("/usr/bin/bwrap ")}
    assert started == {}


def test_a_child_that_kills_the_watcher_in_its_sandbox_still_dies_with_the_orchestrator(
    caged: Room, token: str
) -> None:
    # Never on the machine itself, should the sandbox ever lose its namespace.
    inside = '[ "$(cat /proc/1/comm)" = bwrap ] || exit 99'
    script = f"{inside}; kill -9 $(ls /proc | grep -E '^[0-9]+$' | grep -vE '^(1|'$$')$') 2>/dev/null; echo alone; sleep {token}"
    with subprocess.Popen(
        [sys.executable, "-c", ORCHESTRATOR, "bubblewrap", str(caged.workspace), "/bin/sh", "-c", script],
        stdout=subprocess.PIPE,
    ) as orchestrator:
        assert orchestrator.stdout is not None
        assert orchestrator.stdout.readline() == b"alone\n"
        orchestrator.kill()
    assert gone(token) == {}


def test_the_guard_outlives_a_child_that_asks_it_to_go(tmp_path: Path, token: str) -> None:
    room = Room(tmp_path, None)
    done = room.run(room.command(*scenario(room, token, ["kill_parent", "setsid"], ENDS)))
    assert (done.exit, done.stdout.text, living(token)) == (0, "ready\n", {})


def test_a_child_that_kills_the_guard_is_reported_killed_and_its_session_is_swept(
    tmp_path: Path, token: str
) -> None:
    room = Room(tmp_path, None)
    done = room.shell(f"sleep {token} & kill -9 $PPID; sleep {token}")
    assert not done.ok
    assert done.signal == signal.SIGKILL
    assert gone(token, within_s=2) == {}


def test_a_child_that_kills_its_whole_group_does_not_reach_the_guard(tmp_path: Path, token: str) -> None:
    done = Room(tmp_path, None).shell(f"setsid sleep {token} & sleep 0.1; kill -9 0")
    assert (done.signal, living(token)) == (signal.SIGKILL, {})


def test_a_guard_that_was_stopped_by_its_child_still_ends_everything(tmp_path: Path, token: str) -> None:
    room = Room(tmp_path, None)
    done = room.shell(f"kill -STOP $PPID; sleep {token}", timeout_s=0.5)
    assert (done.timed_out, living(token)) == (True, {})
    assert done.duration_s < 5


RUNNER = """
import os, time
token = {token!r}
if os.fork() == 0:
    os.close(1)
    until = time.monotonic() + 8
    while time.monotonic() < until:
        if os.fork():
            os._exit(0)
        os.setsid()
    os._exit(0)
time.sleep(0.05)
"""


def test_a_child_that_never_stays_in_one_process_or_session_is_caught(room: Room, token: str) -> None:
    done = room.python(RUNNER.format(token=token))
    assert (done.exit, done.left, living(token)) == (0, 0, {})
    assert done.duration_s < 6


def test_orphans_of_a_running_child_do_not_pile_up_as_zombies(tmp_path: Path, token: str) -> None:
    room = Room(tmp_path, None)
    script = "for i in 1 2 3 4 5; do (sleep 0.01 &) ; done; sleep 0.3; ps -o stat= --ppid $PPID | grep -c Z"
    assert room.shell(script).stdout.text.strip() == "0"
