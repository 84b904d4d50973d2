"""The installed command line as a user runs it, and small programs to play the agents."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

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
    """Run `burnish ARGUMENTS` in a folder."""
    done = subprocess.run(
        [*BURNISH, *arguments],
        cwd=folder,
        env={**os.environ, **(env or {})},
        input=stdin.encode(),
        capture_output=True,
        timeout=timeout_s,
        check=False,
    )
    said = Said(done.returncode, done.stdout.decode("utf8", "replace"), done.stderr.decode("utf8", "replace"))
    assert "Traceback" not in said.err, said.err
    return said


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
    head = (
        "import os, sys, time\nfrom pathlib import Path\n"
        "role, cycle = os.environ['BURNISH_ROLE'], int(os.environ['BURNISH_CYCLE'])\n"
        "prompt = sys.stdin.read()\n"
    )
    path.write_text(head + body)
    return shlex.join([sys.executable, str(path)])
