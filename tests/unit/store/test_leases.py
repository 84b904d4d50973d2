"""Leases: a live holder is respected, a dead one is taken over, however its process id is used today."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from dataclasses import replace

import pytest

from burnish.errors import RunBusy
from burnish.store import leases
from burnish.store.leases import Holder, alive, this_process
from burnish.store.schema import runs
from tests.unit.store.journals import NOBODY, Bench

ME = this_process()
NOW = "2026-11-15T10:00:00.000Z"


@pytest.mark.parametrize(
    ("holder", "lives"),
    [
        (ME, True),
        (NOBODY, False),
        (replace(ME, started="1"), False),
        (replace(ME, boot="another-boot"), False),
        (replace(ME, host="renamed-since"), True),
        (replace(ME, boot="another-boot", host="another-machine"), True),
        (replace(NOBODY, space="pid:[another-container]"), True),
    ],
    ids=["me", "gone", "pid reused", "rebooted", "host renamed", "other machine", "other container"],
)
def test_who_counts_as_alive(holder: Holder, lives: bool) -> None:
    assert alive(holder, ME) is lives


def _child() -> tuple[subprocess.Popen[bytes], Holder]:
    code = "import sys; from burnish.store.leases import this_process as p; h = p()\n"
    code += "print(h.pid, h.started, h.boot, h.space, h.host, sep='\\n', flush=True); sys.stdin.read()"
    child = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert child.stdout is not None
    pid, started, boot, space, host = (child.stdout.readline().decode().strip() for _ in range(5))
    return child, Holder(int(pid), started, boot, space, host)


def test_a_killed_process_is_dead_even_before_its_parent_looks() -> None:
    child, holder = _child()
    try:
        assert alive(holder, ME)
        os.kill(child.pid, signal.SIGSTOP)
        assert alive(holder, ME), "a stopped process may go on at any time"
        os.kill(child.pid, signal.SIGKILL)
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
        assert not alive(holder, ME), "what is left of it is a zombie"
    finally:
        child.kill()
        child.communicate()
    assert not alive(holder, ME)


def _make_run(bench: Bench) -> None:
    with bench.database.write() as connection:
        connection.execute(runs.insert().values(id="r-held", state="running", created_at=NOW, updated_at=NOW))


def test_a_live_holder_is_named_with_its_process_and_time(bench: Bench) -> None:
    _make_run(bench)
    with bench.database.write() as connection:
        leases.acquire(connection, "r-held", ME, NOW)
    with pytest.raises(RunBusy, match=f"process {ME.pid} since {NOW}"), bench.database.write() as connection:
        leases.acquire(connection, "r-held", NOBODY, NOW)


def test_a_holder_on_another_machine_is_named_with_it(bench: Bench) -> None:
    _make_run(bench)
    far = replace(ME, boot="other", host="far-away")
    with bench.database.write() as connection:
        leases.acquire(connection, "r-held", far, NOW)
    with pytest.raises(RunBusy, match="on far-away"), bench.database.write() as connection:
        leases.acquire(connection, "r-held", ME, NOW)


def test_a_dead_holder_is_taken_over_and_its_token_is_worth_nothing(bench: Bench) -> None:
    _make_run(bench)
    with bench.database.write() as connection:
        old = leases.acquire(connection, "r-held", NOBODY, NOW)
    with bench.database.write() as connection:
        new = leases.acquire(connection, "r-held", ME, NOW)
        assert leases.held(connection, "r-held", new)
        assert not leases.held(connection, "r-held", old)
        leases.release(connection, "r-held", old)
        leases.check(connection, "r-held", new)
        with pytest.raises(RunBusy, match=f"process {ME.pid}"):
            leases.check(connection, "r-held", old)
        leases.release(connection, "r-held", new)
        with pytest.raises(RunBusy, match="no longer held"):
            leases.check(connection, "r-held", new)
