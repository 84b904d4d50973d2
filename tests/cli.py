"""The installed command line as a user runs it, and small programs to play the agents."""

from __future__ import annotations

import json
import multiprocessing
import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.cli_child import Call, run

# Each child is forked from a small server that has imported everything: several a second.
PROCESSES = multiprocessing.get_context("forkserver")
# All that any test forks from, in one place: the server is started once, with what was said last.
PROCESSES.set_forkserver_preload(
    [
        "tests.cli_child",
        "tests.e2e.killer",
        "tests.e2e.spec_killer",
        "tests.e2e.slots_killer",
        "tests.model.child",
        "tests.integration.fix.session",
        "tests.merge_lines",
        "tests.warm",
    ]
)

BURNISH = (sys.executable, "-m", "burnish")
TIMEOUT_S = 90


@dataclass(frozen=True)
class Said:
    """How a command ended and what it printed."""

    code: int
    out: str
    err: str

    @property
    def events(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.out.splitlines()]

    @property
    def end(self) -> dict[str, Any]:
        """The last event of `run --json`."""
        last = self.events[-1]
        assert last["kind"] == "run_finished", self.out
        return last

    @property
    def kinds(self) -> list[str]:
        return [event["kind"] for event in self.events]


def burnish(
    folder: Path,
    *arguments: str,
    env: Mapping[str, str] | None = None,
    stdin: str = "",
    timeout_s: float = TIMEOUT_S,
) -> Said:
    """Run `burnish ARGUMENTS` in a folder, in a process of its own."""
    with tempfile.TemporaryDirectory(prefix="burnish-said-") as place:
        names = [os.fspath(Path(place, name)) for name in ("stdin", "stdout", "stderr")]
        Path(names[0]).write_bytes(stdin.encode())
        call = Call(os.fspath(folder), arguments, {**os.environ, **(env or {})}, *names)
        child = PROCESSES.Process(target=run, args=(call,))
        child.start()
        child.join(timeout_s)
        if child.exitcode is None:
            child.kill()
            child.join()
            raise subprocess.TimeoutExpired(arguments, timeout_s)
        out, err = (Path(name).read_bytes().decode("utf8", "replace") for name in names[1:])
    said = Said(child.exitcode, out, err)
    child.close()
    assert "Traceback" not in said.err, said.err
    return said


def until_killed(target: Callable[..., None], deed: object) -> tuple[int | None, list[str]]:
    """Carry out a deed in a process of its own: how it ended, and its side effects if it was not killed."""
    reader, writer = PROCESSES.Pipe(duplex=False)
    child = PROCESSES.Process(target=target, args=(deed, writer))
    child.start()
    writer.close()
    try:
        points = reader.recv()
    except EOFError:
        points = []
    child.join(60)
    reader.close()
    return child.exitcode, points


def start(folder: Path, *arguments: str, env: Mapping[str, str] | None = None) -> subprocess.Popen[bytes]:
    """Start `burnish ARGUMENTS` and come back at once."""
    return subprocess.Popen(
        [*BURNISH, *arguments],
        cwd=folder,
        env={**os.environ, **(env or {})},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def program(folder: Path, name: str, body: str) -> str:
    """A Python program as an agent's command line. `role`, `cycle`, `prompt` and `Path` are ready to use."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.py"
    # Half of the time that a small program takes would be this import.
    paths = "from pathlib import Path\n" if "Path" in body else ""
    head = (
        f"import os, sys, time\n{paths}"
        "role, cycle = os.environ['BURNISH_ROLE'], int(os.environ['BURNISH_CYCLE'])\n"
        "prompt = sys.stdin.read()\n"
    )
    path.write_text(head + body)
    return shlex.join([sys.executable, str(path)])
