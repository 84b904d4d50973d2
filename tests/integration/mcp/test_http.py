"""`burnish mcp --http`: only on loopback, only with the token, only for this host and its own pages."""

from __future__ import annotations

import http.client
import json
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from tests.cli import burnish
from tests.repos import TestRepo

HELLO = json.dumps(
    {"jsonrpc": "2.0", "id": 1, "method": "initialize",
     "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}}
)  # fmt: skip


@contextmanager
def served(folder: Path) -> Iterator[tuple[int, str]]:
    """The port it took, and the token it showed."""
    child = subprocess.Popen(
        [sys.executable, "-m", "burnish", "mcp", "--http", "0"],
        cwd=folder, stdin=subprocess.DEVNULL, stdout=-1, stderr=-1, text=True,
    )  # fmt: skip
    try:
        assert child.stderr is not None
        first, second = child.stderr.readline(), child.stderr.readline()
        found = re.fullmatch(r"serving MCP on http://127\.0\.0\.1:(\d+)/mcp\n", first)
        assert found, first
        yield int(found[1]), second.rpartition(": ")[2].strip()
    finally:
        child.send_signal(signal.SIGINT)
        out, _ = child.communicate(timeout=60)
        assert out == ""


def ask(port: int, headers: dict[str, str], path: str = "/mcp") -> tuple[int, str]:
    told = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream", **headers}
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=30)) as connection:
        connection.request("POST", path, HELLO, told)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()


def test_only_whoever_shows_the_token_is_answered_and_only_at_this_address(
    repo: Callable[..., TestRepo],
) -> None:
    with served(repo({"app.py": "x = 1\n"}).path) as (port, token):
        shown = {"Authorization": f"Bearer {token}"}
        assert ask(port, {})[0] == 401
        assert ask(port, {"Authorization": f"Bearer {token}x"})[0] == 401
        assert ask(port, {"Authorization": token})[0] == 401
        assert ask(port, {}, "/other")[0] == 401
        status, said = ask(port, shown)
        assert status == 200
        assert '"name":"burnish"' in said
        assert ask(port, {**shown, "Host": "evil.example"})[0] == 421
        assert ask(port, {**shown, "Host": f"evil.example:{port}"})[0] == 421
        assert ask(port, {**shown, "Origin": "http://evil.example"})[0] == 403
        assert ask(port, {**shown, "Origin": "null"})[0] == 403
        assert ask(port, {**shown, "Origin": f"http://127.0.0.1:{port}"})[0] == 200


@pytest.mark.parametrize(
    ("arguments", "env", "words"),
    [
        (["--http", "70000"], {}, "70000"),
        (
            ["--http", "0"],
            {"BURNISH_MCP_TOKEN": "short"},
            "expected at least 16 characters in BURNISH_MCP_TOKEN",
        ),
        (["call", "complete_task", "{}"], {}, "expected BURNISH_TOOLS and BURNISH_TOOLS_TOKEN"),
        (
            ["call", "x", "{nope"],
            {"BURNISH_TOOLS": "/x", "BURNISH_TOOLS_TOKEN": "t"},
            "expected the arguments as JSON",
        ),
        (["call", "x", "[]"], {"BURNISH_TOOLS": "/x", "BURNISH_TOOLS_TOKEN": "t"}, "as a JSON object"),
        (
            ["call", "x", "{}"],
            {"BURNISH_TOOLS": "/x/y", "BURNISH_TOOLS_TOKEN": "t"},
            "the tools at /x/y cannot be reached",
        ),
    ],
)
def test_what_cannot_be_served_or_called_is_one_sentence(
    tmp_path: Path, arguments: list[str], env: dict[str, str], words: str
) -> None:
    said = burnish(tmp_path, "mcp", *arguments, env=env)
    assert said.code in (1, 2)
    assert words in said.err
    assert said.out == ""
