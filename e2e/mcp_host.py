"""`python -m e2e.mcp_host`: the official MCP inspector and conformance suite against `burnish mcp`, once."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from socketserver import StreamRequestHandler, ThreadingTCPServer
from typing import Any

from tests.repos import make_repo

from e2e._clis import CACHE, PATH
from e2e._stage import FILES, MARK

PACKAGES = ("@modelcontextprotocol/inspector@2.12.0", "@modelcontextprotocol/conformance@0.1.16")
PLACE = CACHE / "mcp"
LIMIT_S = 120
# Those of the suite that are about any server; the others call tools, prompts and resources of its own example.
SCENARIOS = ("server-initialize", "ping", "tools-list", "dns-rebinding-protection")
BURNISH = (sys.executable, "-m", "burnish")


def environment(folder: Path) -> dict[str, str]:
    path = f"{PLACE / 'node_modules' / '.bin'}{os.pathsep}{PATH}"
    return {
        "PATH": path,
        "HOME": str(folder / "home"),
        "LANG": "C.UTF-8",
        "BURNISH_STATE": str(folder / "state"),
    }


def installed() -> str:
    """Why they are not there; empty when they are."""
    if (PLACE / "node_modules" / ".bin" / "conformance").exists():
        return ""
    npm = shutil.which("npm")
    if npm is None:
        return "npm is not there"
    PLACE.mkdir(parents=True, exist_ok=True)
    (PLACE / "package.json").write_text('{"private": true}\n', "utf8")
    command = [npm, "install", "--no-audit", "--no-fund", "--loglevel=error", *PACKAGES]
    # A Node of our own first: with an old one npm chooses old releases without a word.
    env = {**os.environ, "PATH": f"{CACHE / 'npm' / 'node_modules' / '.bin'}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(command, cwd=PLACE, env=env, capture_output=True, timeout=600, check=False)
    return (
        "" if done.returncode == 0 else f"npm could not install them: {done.stderr.decode()[-200:].strip()}"
    )


def inspect(folder: Path, *words: str) -> Any:
    """What the inspector prints for one method of the server."""
    server = [*BURNISH, "mcp"]
    told = subprocess.run(
        ["mcp-inspector", "--cli", *server, *words], cwd=folder / "repo", env=environment(folder),
        capture_output=True, timeout=LIMIT_S, check=False, text=True, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    assert told.stdout.strip(), f"exit {told.returncode}: {told.stderr[-400:]}"
    return json.loads(told.stdout)


def inspector(folder: Path) -> str:
    tools = inspect(folder, "--method", "tools/list")["tools"]
    names = [tool["name"] for tool in tools]
    assert "review_start" in names, names
    added = inspect(
        folder, "--method", "tools/call", "--tool-name", "task_add", "--tool-arg", "prompt=Add login"
    )
    assert added["structuredContent"]["task"] == 1, added
    status = inspect(folder, "--method", "tools/call", "--tool-name", "task_status", "--tool-arg", 'task="1"')
    assert status["structuredContent"]["prompt"] == "Add login", status
    wrong = inspect(
        folder, "--method", "tools/call", "--tool-name", "receipt_get", "--tool-arg", "run=r-none"
    )
    assert wrong["isError"] is True, wrong
    return f"{len(names)} tools listed, 3 calls answered"


@contextmanager
def served(folder: Path) -> Iterator[tuple[int, str]]:
    child = subprocess.Popen(
        [*BURNISH, "mcp", "--http", "0"], cwd=folder / "repo", env=environment(folder),
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        assert child.stderr is not None
        [port] = re.findall(r":(\d+)/mcp", child.stderr.readline())
        yield int(port), child.stderr.readline().rpartition(": ")[2].strip()
    finally:
        child.terminate()
        child.communicate(timeout=30)


@contextmanager
def opened(port: int, token: str) -> Iterator[int]:
    """The suite knows no tokens: this adds ours to each request, and names the server where it was itself named."""

    class Adding(StreamRequestHandler):
        def handle(self) -> None:
            head = b""
            while not head.endswith(b"\r\n\r\n"):
                line = self.rfile.readline()
                if not line:
                    return
                head += line
            own, real = str(self.server.server_address[1]), str(port)
            head = re.sub(rf"(127\.0\.0\.1|localhost):{own}\b".encode(), rf"\1:{real}".encode(), head)
            head = re.sub(rb"(?im)^connection:.*\r\n", b"", head)
            added = f"\r\nAuthorization: Bearer {token}\r\nConnection: close\r\n".encode()
            first, _, rest = head.partition(b"\r\n")
            with socket.create_connection(("127.0.0.1", port)) as wire:
                wire.sendall(first + added + rest)
                threading.Thread(target=self._on, args=(wire,), daemon=True).start()
                while data := wire.recv(65536):
                    self.wfile.write(data)

        def _on(self, wire: Any) -> None:
            # Closed on either side: the request is over.
            with suppress(OSError, ValueError):
                while data := self.rfile.read1(65536):
                    wire.sendall(data)

    class Server(ThreadingTCPServer):
        daemon_threads = True

    with Server(("127.0.0.1", 0), Adding) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield server.server_address[1]
        finally:
            server.shutdown()


def conformance(folder: Path) -> str:
    with served(folder) as (port, token), opened(port, token) as shown:
        for scenario in SCENARIOS:
            told = subprocess.run(
                ["conformance", "server", "--url", f"http://127.0.0.1:{shown}/mcp", "--scenario", scenario],
                cwd=folder, env=environment(folder), capture_output=True, timeout=LIMIT_S, check=False, text=True,
            )  # fmt: skip
            assert told.returncode == 0, f"{scenario}: {told.stdout[-600:]} {told.stderr[-300:]}"
    return f"{len(SCENARIOS)} scenarios: {', '.join(SCENARIOS)}"


def main() -> int:
    missing = installed()
    if missing:
        print(f"mcp: not tested: {missing}", flush=True)
        return 0
    held = True
    for name, play in (("inspector", inspector), ("conformance suite", conformance)):
        folder = Path(tempfile.mkdtemp(prefix=MARK, dir="/var/tmp"))
        (folder / "home").mkdir()
        make_repo(folder / "repo", FILES)
        try:
            print(f"mcp: {name}: held: {play(folder)}", flush=True)
            shutil.rmtree(folder, ignore_errors=True)
        except (AssertionError, ValueError, KeyError, OSError, subprocess.TimeoutExpired) as error:
            held = False
            print(f"mcp: {name}: FELL: {error}\n  kept: {folder}", flush=True)
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
