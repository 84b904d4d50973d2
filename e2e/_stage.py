"""Where a scenario plays: a repository, a home and a state folder of its own, the server, and Burnish in it."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.cli import Said
from tests.model_server import ModelServer, Scene
from tests.repos import TestRepo, make_repo

from e2e._clis import KEY, Cli

LIMIT_S = 180
# In the name of every folder of this process, and so in the environment of all that was started in one.
MARK = f"burnish-e2e-{os.getpid()}-"
# What the user has in the home folder; below the second one codex puts links, even for `codex --version`.
OWN = (".codex/config.toml", ".codex/tmp/")
# How long processes may take to go after Burnish has ended.
GONE_S = 3.0

FILES: dict[str | bytes, str | bytes] = {
    "calc.py": '"""Arithmetic."""\n\n\ndef add(a, b):\n    return a + b\n',
    "test_calc.py": (
        "import unittest\n\nimport calc\n\n\nclass Add(unittest.TestCase):\n"
        "    def test_add(self):\n        self.assertEqual(calc.add(2, 3), 5)\n"
    ),
    "burnish.toml": '[gate]\ncommand = "python3 -B -m unittest -q"\n[timeouts]\nstall_s = 10\n',
}


@dataclass
class Stage:
    """Its folder's name stands in the environment of every process that was started in it."""

    cli: Cli
    folder: Path
    repo: TestRepo = field(init=False)
    # Those that are logged in.
    company: tuple[Cli, ...] = ()
    said: list[Said] = field(default_factory=list)
    elsewhere: list[str] = field(default_factory=list)
    url: str = ""
    _server: ModelServer | None = None

    def __post_init__(self) -> None:
        for name in ("home", "state", "tmp"):
            (self.folder / name).mkdir(parents=True)
        self.repo = make_repo(self.folder / "repo", FILES)

    @property
    def home(self) -> Path:
        return self.folder / "home"

    @property
    def server(self) -> ModelServer:
        assert self._server is not None, "nobody serves"
        return self._server

    @contextmanager
    def script(self, *scenes: Scene) -> Iterator[ModelServer]:
        """The model for as long as this lasts."""
        number = len(list(self.folder.glob("asked-*")))
        with ModelServer(scenes, log=self.folder / f"asked-{number}.jsonl") as server:
            self._server = server
            self.serve(server.url)
            yield server
            self.elsewhere += server.elsewhere

    def serve(self, url: str) -> None:
        """Everybody who is started from now on asks there."""
        self.url = url
        for cli in (self.cli, *self.company):
            cli.settings(self.home, url)

    def environment(self) -> dict[str, str]:
        env = self.cli.environment(self.home, self.url)
        for cli in self.company:
            env |= cli.variables(self.url)
        return {**env, "BURNISH_STATE": str(self.folder / "state")}

    def burnish(self, *arguments: str, env: Mapping[str, str] | None = None) -> Said:
        return self.end(self.start(*arguments, env=env))

    def start(self, *arguments: str, env: Mapping[str, str] | None = None) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, "-m", "burnish", *arguments],
            cwd=self.repo.path,
            env=self.environment() if env is None else env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            # Ctrl-C at the terminal is ours, not its own.
            start_new_session=True,
        )

    def end(self, child: subprocess.Popen[bytes], limit_s: float = LIMIT_S) -> Said:
        """What it said when it had ended; a child that does not end is killed, and that is a fall."""
        try:
            out, err = child.communicate(timeout=limit_s)
        except subprocess.TimeoutExpired:
            child.kill()
            out, err = child.communicate()
            raise AssertionError(
                f"burnish did not end within {limit_s:g} s: {tail(out)} {tail(err)}"
            ) from None
        said = Said(child.returncode, out.decode("utf8", "replace"), err.decode("utf8", "replace"))
        self.said.append(said)
        (self.folder / f"said-{len(self.said)}.txt").write_text(
            f"exit {said.code}\n{said.out}\n{said.err}", "utf8"
        )
        assert "Traceback" not in said.err, f"a traceback: {said.err[-600:]}"
        return said

    def run(self, task: str, *arguments: str) -> Said:
        """`burnish run` with this CLI in every role."""
        return self.burnish("run", task, "--agent", self.cli.name, "--json", *arguments)

    def passes(self) -> int:
        """How many runs ended as a pass, by what was printed."""
        ends = (
            line for said in self.said for line in said.out.splitlines() if '"kind":"run_finished"' in line
        )
        return sum('"outcome":"passed"' in line for line in ends)

    def processes(self) -> list[str]:
        """What still runs of all that was started here, once it had time to go."""
        ends = time.monotonic() + GONE_S
        while (found := alive(str(self.folder))) and time.monotonic() < ends:
            time.sleep(0.05)
        return found

    def leaks(self) -> list[str]:
        """Files of Burnish and of the repository that hold the key."""
        places = (self.folder / name for name in ("state", "repo", "cassette"))
        files = (
            path for place in places for path in place.rglob("*") if path.is_file() and not path.is_symlink()
        )
        return sorted(
            str(path.relative_to(self.folder)) for path in files if KEY.encode() in path.read_bytes()
        )

    def strays(self) -> list[str]:
        """What was left in the user's home that a user did not put there."""
        files = (path for path in self.home.rglob("*") if not path.is_dir())
        names = (str(path.relative_to(self.home)) for path in files)
        return sorted(name for name in names if not name.startswith(OWN))

    def step_ids(self, branch: str) -> list[str]:
        """One for each commit that Burnish has made on a branch."""
        told = self.repo.git(
            "log", "--format=%(trailers:key=Step-Id,valueonly,separator=%x20)", f"main..{branch}"
        )
        return told.split("\n") if told else []


def alive(mark: str) -> list[str]:
    """Processes with `mark` in their environment or command line, without ourselves."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        if int(folder.name) == os.getpid():
            continue
        try:
            words = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode("utf8", "replace").strip()
            known = words + (folder / "environ").read_bytes().decode("utf8", "replace")
            state = (folder / "stat").read_text("utf8").rpartition(")")[2].split()[0]
        except OSError:
            continue
        if mark in known and state != "Z":
            found.append(f"{folder.name}: {words[:200]}")
    return found


def tail(data: bytes, chars: int = 600) -> str:
    return data.decode("utf8", "replace")[-chars:].strip()
