"""Whoever is told: a real program, and a real host on the loopback; neither can spoil anything."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from burnish.app.notice import Notice, about_task, about_work
from burnish.app.notify import Notifier
from burnish.config.schema import Notify, NotifyOn
from burnish.model.queue import QueueTask, TaskState, TaskView

# What a terminal would obey is made visible, in one line.
TOLD = "task #7 failed: \\x1b[31mno agent"
AT = "2026-11-15T06:00:00.000Z"
NOTICE = Notice(
    NotifyOn.FAILED, AT, "shop", "task #7 failed: \x1b[31mno\nagent", task=7, title="Add login", run="r-1",
    reason="implementer_failed", cost_usd=0.5, tokens=12,
)  # fmt: skip


class Host(ThreadingHTTPServer):
    """Keeps what was posted; `status` and `location` are what it answers."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answer)
        self.heard: list[tuple[str, str, Any]] = []
        self.status, self.location, self.delay_s = 204, "", 0.0

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/secret-token?x=1"


class Answer(BaseHTTPRequestHandler):
    server: Host

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.heard.append((self.path, self.headers["Content-Type"], json.loads(body)))
        time.sleep(self.server.delay_s)
        self.send_response(self.server.status)
        if self.server.location:
            self.send_header("Location", self.server.location)
        self.end_headers()

    def do_GET(self) -> None:
        self.server.heard.append((self.path, "GET", None))

    def log_message(self, *args: object) -> None:
        """Quiet."""


@pytest.fixture
def host() -> Iterator[Host]:
    server = Host()
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def told(settings: Notify, notice: Notice = NOTICE, **limits: float) -> tuple[str, ...]:
    return asyncio.run(Notifier(settings, dict(os.environ), **limits).tell(notice))  # type: ignore[arg-type]


def script(folder: Path, body: str) -> Path:
    path = folder / "tell me"
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return path


def test_a_command_gets_the_object_on_stdin_and_its_gist_in_variables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_SECRET", "canary")
    path = script(tmp_path, 'cat > "$1"; env > "$1.env"; pwd >> "$1.env"')
    assert told(Notify(command=f"'{path}' '{tmp_path}/out'")) == ()
    assert json.loads((tmp_path / "out").read_text()) == {
        "v": 1, "event": "failed", "at": AT, "repository": "shop", "message": TOLD,
        "title": "Add login", "run": "r-1", "outcome": "", "reason": "implementer_failed", "branch": "",
        "task": 7, "cost_usd": 0.5, "tokens": 12, "counts": {},
    }  # fmt: skip
    env = (tmp_path / "out.env").read_text().splitlines()
    assert {"BURNISH_EVENT=failed", "BURNISH_TASK=7", "BURNISH_RUN=r-1", "BURNISH_TITLE=Add login"} <= set(
        env
    )
    assert not any("canary" in line for line in env)
    assert env[-1] == "/"


@pytest.mark.parametrize(
    ("command", "trouble"),
    [
        ("/nowhere/program", "notify.command could not be run: program '/nowhere/program' was not found"),
        ("./mine", "could not be run: expected a program on PATH or its whole path, found './mine'"),
        ("'unclosed", "could not be run: No closing quotation"),
        ("/bin/sh -c 'echo broken >&2; exit 3'", "notify.command ended with status 3: broken"),
        ("/bin/sh -c 'sleep 20'", "notify.command did not finish within 0.5 s"),
    ],
)
def test_a_command_that_fails_is_a_sentence_and_no_more(command: str, trouble: str) -> None:
    (said,) = told(Notify(command=command), command_s=0.5)
    assert trouble in said


def test_a_webhook_gets_the_same_object(host: Host) -> None:
    assert told(Notify(webhook=host.address)) == ()
    ((path, kind, body),) = host.heard
    assert (path, kind) == ("/secret-token?x=1", "application/json")
    assert (body["event"], body["task"], body["message"]) == ("failed", 7, TOLD)


@pytest.mark.parametrize("status", [400, 404, 500])
def test_a_host_that_refuses_is_named_without_its_secret(host: Host, status: int) -> None:
    host.status = status
    (said,) = told(Notify(webhook=host.address))
    assert said == f"notify.webhook at http://127.0.0.1 could not be told: it answered with status {status}"


@pytest.mark.parametrize("location", ["file:///etc/passwd", "ftp://127.0.0.1/x", "/elsewhere"])
def test_a_redirect_is_not_followed(host: Host, location: str) -> None:
    host.status, host.location = 302, location
    (said,) = told(Notify(webhook=host.address))
    assert said.endswith("it answered with status 302, and redirects are not followed")
    assert len(host.heard) == 1


def test_a_host_that_is_slow_is_given_up(host: Host) -> None:
    host.delay_s = 2.0
    began = time.monotonic()
    (said,) = told(Notify(webhook=host.address), webhook_s=0.3)
    assert time.monotonic() - began < 2.0
    assert said.endswith("could not be told: no answer within 0.3 s")


@contextmanager
def listening(answer: bytes, pause_s: float) -> Iterator[str]:
    """Something that takes a connection and sends byte by byte what it likes."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            connection, _ = server.accept()
            with connection:
                for byte in answer:
                    try:
                        connection.sendall(bytes([byte]))
                    except OSError:
                        return
                    time.sleep(pause_s)

        thread = threading.Thread(target=serve)
        thread.start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}/"
        thread.join()


def test_what_speaks_no_http_or_trickles_is_given_up_too() -> None:
    with listening(b"SSH-2.0-x\r\n", 0.0) as address:
        (said,) = told(Notify(webhook=address))
        assert "could not be told" in said
    with listening(b"HTTP/1.1 200 OK\r\nX: " + b"a" * 20, 0.1) as address:
        (said,) = told(Notify(webhook=address), webhook_s=0.3)
        assert "no answer within 0.3 s" in said


def test_nobody_there_is_a_sentence() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    (said,) = told(Notify(webhook=f"http://127.0.0.1:{port}/x"))
    assert "Connection refused" in said


def test_only_what_is_wanted_is_told(host: Host) -> None:
    assert told(Notify(webhook=host.address, on=(NotifyOn.FINISHED,))) == ()
    assert host.heard == []


def view(state: TaskState, **values: Any) -> TaskView:
    return TaskView(QueueTask("20261115-add", 7, "Add login\nplease", run_id="r-1"), state, **values)


def test_a_task_is_told_of_when_it_failed_or_needs_a_person_and_only_then() -> None:
    failed = about_task(view(TaskState.FAILED, outcome="failed", message="no agent"), "shop", AT)
    assert failed is not None
    assert (failed.event, failed.message, failed.title) == (
        NotifyOn.FAILED,
        "task #7 failed: no agent",
        "Add login",
    )
    for values in ({"outcome": "escalated"}, {"final_verdict": "MAX_CYCLES_REACHED"}):
        person = about_task(view(TaskState.COMPLETED, **values), "shop", AT)
        assert person is not None
        assert person.event is NotifyOn.NEEDS_PERSON
    assert about_task(view(TaskState.COMPLETED, final_verdict="APPROVED"), "shop", AT) is None
    assert about_task(view(TaskState.INTERRUPTED), "shop", AT) is None


def test_the_end_of_all_work_is_told_with_its_sums() -> None:
    ended = [view(TaskState.COMPLETED, cost_usd=0.5, tokens=10), view(TaskState.FAILED, tokens=5)]
    notice = about_work(ended, "3 in a row failed", "shop", AT)
    assert notice.event is NotifyOn.FINISHED
    assert notice.message == "1 completed, 1 failed (3 in a row failed)"
    assert (notice.cost_usd, notice.tokens, notice.counts) == (0.5, 15, {"completed": 1, "failed": 1})
    assert about_work([], "", "shop", AT).message == "nothing to do"
