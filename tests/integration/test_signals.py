"""Being told to stop twice ends a process that is stuck where no handler of Python's would run."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

# The main thread waits inside SQLite, and the loop with it.
STUCK = """
import asyncio, sqlite3, sys
from burnish.app.signals import stopped_by_signals

async def main():
    with stopped_by_signals(asyncio.current_task().cancel):
        print("ready", flush=True)
        sqlite3.connect(sys.argv[1], timeout=60).execute("BEGIN IMMEDIATE")

asyncio.run(main())
"""
# Ends by itself once it was told to stop, and then has the signals that it had before.
POLITE = """
import asyncio, signal
from burnish.app.signals import stopped_by_signals

async def main():
    before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)]
    try:
        with stopped_by_signals(asyncio.current_task().cancel):
            print("ready", flush=True)
            await asyncio.sleep(60)
    except asyncio.CancelledError:
        pass
    after = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)]
    print("same" if before == after else (before, after), signal.set_wakeup_fd(-1))

asyncio.run(main())
"""
# Somebody draws on the terminal, and says there that it stops.
DRAWN = """
import asyncio
from burnish.app.signals import said_by, stopped_by_signals

async def main():
    try:
        with said_by(print), stopped_by_signals(asyncio.current_task().cancel):
            print("ready", flush=True)
            await asyncio.sleep(60)
    except asyncio.CancelledError:
        print("over")

asyncio.run(main())
"""


def started(code: str, *arguments: str) -> subprocess.Popen[str]:
    child = subprocess.Popen(
        [sys.executable, "-c", code, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    assert child.stdout.readline() == "ready\n"
    return child


def test_a_second_signal_ends_a_process_whose_main_thread_is_stuck(tmp_path: Path) -> None:
    path = tmp_path / "some.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as holder:
        holder.execute("BEGIN IMMEDIATE")
        child = started(STUCK, str(path))
        time.sleep(0.3)
        child.send_signal(signal.SIGINT)
        time.sleep(0.5)
        assert child.poll() is None
        began = time.monotonic()
        child.send_signal(signal.SIGTERM)
        _, err = child.communicate(timeout=20)
        assert time.monotonic() - began < 5
    assert child.returncode == 130
    assert "stopped at once" in err


def test_whoever_draws_on_the_terminal_says_that_it_stops() -> None:
    ours, theirs = os.openpty()
    child = subprocess.Popen(
        [sys.executable, "-c", DRAWN],
        stdout=subprocess.PIPE,
        stderr=theirs,
        text=True,
        start_new_session=True,
    )
    assert child.stdout is not None
    assert child.stdout.readline() == "ready\n"
    child.send_signal(signal.SIGINT)
    out, _ = child.communicate(timeout=20)
    os.close(theirs)
    assert out == "stopping: what was done is kept and can be resumed (Ctrl-C again: at once)\nover\n"
    # Nothing was written there: reading from a terminal whose other end is closed is an error on Linux.
    with pytest.raises(OSError, match="Input/output error"):
        os.read(ours, 100)
    os.close(ours)


def test_afterwards_signals_are_as_they_were() -> None:
    child = started(POLITE)
    child.send_signal(signal.SIGTERM)
    out, err = child.communicate(timeout=20)
    assert (child.returncode, out, err) == (0, "same -1\n", "")
