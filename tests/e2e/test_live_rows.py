"""`burnish slots` and `burnish build` on a terminal: rows that are drawn over, resized, coloured or not."""

from __future__ import annotations

import fcntl
import os
import select
import struct
import subprocess
import termios
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.builds import DOCUMENT, Builds
from tests.cli import BURNISH, TIMEOUT_S
from tests.repos import TestRepo
from tests.screen import Screen
from tests.slots import ENV, Slots, bead

Repos = Callable[..., TestRepo]
# An agent that says a line and then waits until the test has seen it.
UNTIL_SEEN = (
    "print('half done \\x1b[2J', flush=True)\nwhile not Path({seen!r}).exists():\n    time.sleep(0.02)\n"
)


class Watched:
    """A command at a terminal, and the screen it draws on."""

    def __init__(self, child: subprocess.Popen[bytes], ours: int, screen: Screen) -> None:
        self.child, self.ours, self.screen = child, ours, screen
        self.said = ""

    def until(self, there: Callable[[str], bool]) -> str:
        """Read until this stands on the screen."""
        deadline = time.monotonic() + TIMEOUT_S
        while not there(self.screen.text):
            assert time.monotonic() < deadline, self.screen.text
            assert self._read(), f"it ended, and never showed that:\n{self.screen.text}"
        return self.screen.text

    def resize(self, columns: int, lines: int) -> None:
        _sized(self.ours, columns, lines)
        self.screen.resize(columns, lines)

    def end(self) -> int:
        while self._read():
            pass
        return self.child.wait(TIMEOUT_S)

    def _read(self) -> bool:
        if not select.select([self.ours], [], [], TIMEOUT_S)[0]:
            return False
        try:
            data = os.read(self.ours, 65536)
        except OSError:  # reading from a terminal whose other end is closed is an error on Linux
            return False
        text = data.decode("utf8", "ignore")
        self.said += text
        self.screen.feed(text)
        return bool(data)


@contextmanager
def watched(folder: Path, arguments: list[str], **env: str) -> Iterator[Watched]:
    ours, theirs = os.openpty()
    _sized(ours, 80, 24)
    child = subprocess.Popen(
        [*BURNISH, *arguments], cwd=folder, stdin=theirs, stdout=theirs, stderr=theirs,
        env={**os.environ, **ENV, "TERM": "xterm-256color", "NO_COLOR": "", **env}, start_new_session=True,
    )  # fmt: skip
    os.close(theirs)
    try:
        yield Watched(child, ours, Screen(80, 24))
    finally:
        child.kill()
        child.wait()
        os.close(ours)


def _sized(terminal: int, columns: int, lines: int) -> None:
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))


@pytest.fixture
def slots(tmp_path: Path, repo: Repos) -> Slots:
    made = Slots(tmp_path / "agents", repo({"app.py": "start\n"}))
    made.beads(bead("bd-1", "Add login"))
    made.agent("implementer", UNTIL_SEEN.format(seen=str(tmp_path / "seen")) + "write()\nprint('done')\n")
    return made


def command(slots: Slots, *more: str) -> list[str]:
    return ["slots", "--iterations=1", *(f"--{role}={said}" for role, said in slots.agents.items()), *more]


def test_a_slot_is_a_row_with_what_its_agent_says_and_survives_a_resize(slots: Slots, tmp_path: Path) -> None:
    with watched(slots.repo.path, command(slots, "--review", "--parallel-agents=2")) as seen:
        text = seen.until(lambda text: "└ half done" in text)
        assert "1 SPAWN      bd-1 Add login" in text
        seen.resize(40, 10)
        text = seen.until(lambda text: "\n  doing " not in text and "bd-1 Add" in text)
        assert text.count("1 SPAWN") == 1
        seen.resize(80, 24)
        seen.until(lambda text: "\n  doing " in text)
        (tmp_path / "seen").touch()
        assert seen.end() == 0, seen.screen.text
    shown = seen.screen.shown
    row = next(number for number, line in enumerate(shown) if line.startswith("1 DONE       bd-1 Add login"))
    assert any("slot 1: pass" in line for line in shown[row:])
    assert seen.screen.coloured


def test_a_build_is_rows_of_loops_and_no_color_is_honoured(tmp_path: Path, repo: Repos) -> None:
    builds = Builds(tmp_path / "agents", repo({"shop.md": DOCUMENT}))
    builds.agent("reviewer", UNTIL_SEEN.format(seen=str(tmp_path / "seen")) + "result(True)\n")
    with watched(builds.repo.path, [*builds.arguments, "--effort=low"], NO_COLOR="1") as seen:
        seen.until(lambda text: text.count("└ half done") == 2)
        assert "1 REVIEW     cart Make the cart" in seen.screen.text
        assert "2 REVIEW     till Make the till" in seen.screen.text
        (tmp_path / "seen").touch()
        assert seen.end() == 0, seen.screen.text
    assert "1 DONE       cart Make the cart" in seen.screen.text
    assert "2 of 2 loops passed" in seen.screen.text
    assert not seen.screen.coloured
