"""What a child process is asked to be, and what it left when it was over."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from burnish.errors import BurnishError
from burnish.ports import Sandbox

KEEP_BYTES = 2 * 1024 * 1024
SHELL_SIGNAL = 128


class CannotStart(BurnishError):
    """A child that never ran: the machine refused (memory, file handles, sandbox set-up)."""


class ProgramMissing(CannotStart):
    """A child that never ran because its program is not there or cannot be executed."""


@dataclass(frozen=True)
class Command:
    """One child. `argv` runs without a shell; with a `sandbox` it runs in bubblewrap where that works.

    Of each output `keep_bytes` are kept (half head, half tail); `spill` is a file that gets more of it.
    `stall_s` is how long it may print nothing. With `sockets` its output streams are sockets, which no other
    process can open through /proc. With `apart`, in a sandbox, no process can reach into another one.
    """

    argv: tuple[str, ...]
    cwd: Path
    env: Mapping[str, str]
    timeout_s: float
    stdin: bytes = b""
    stall_s: float | None = None
    sandbox: Sandbox | None = None
    keep_bytes: int = KEEP_BYTES
    spill: Path | None = None
    sockets: bool = False
    apart: bool = False


@dataclass(frozen=True)
class Captured:
    """What is left of a stream of any length: its beginning and its end."""

    head: bytes = b""
    tail: bytes = b""
    total: int = 0

    @property
    def left_out(self) -> int:
        return self.total - len(self.head) - len(self.tail)

    @property
    def text(self) -> str:
        if not self.left_out:
            return (self.head + self.tail).decode("utf8", "replace")
        gap = f"\n[... {self.left_out} bytes left out ...]\n"
        return self.head.decode("utf8", "replace") + gap + self.tail.decode("utf8", "replace")


@dataclass(frozen=True)
class Finished:
    """A child that is over, with its whole process tree.

    Bubblewrap tells a signal only as a shell does (128 + n), so there `signal` stays None; `status` is the
    same number either way. `left` counts processes that could not be killed (another user's).
    """

    exit: int | None
    signal: int | None
    stdout: Captured
    stderr: Captured
    timed_out: bool
    stalled: bool
    duration_s: float
    isolation: str
    left: int = 0

    @property
    def status(self) -> int:
        """The exit status as a shell would give it."""
        return self.exit if self.exit is not None else SHELL_SIGNAL + (self.signal or 0)

    @property
    def ok(self) -> bool:
        return self.exit == 0 and not self.timed_out and not self.stalled
