"""Which process somebody is, so exactly that a dead one is never taken for a live one."""

from __future__ import annotations

import os
import socket
from dataclasses import dataclass
from pathlib import Path

_GONE = ("Z", "X", "x")


@dataclass(frozen=True)
class Holder:
    """A process. `started` counts from boot, so that a jump of the clock does not change it."""

    pid: int
    started: str
    boot: str
    space: str
    host: str


def this_process() -> Holder:
    pid = os.getpid()
    return Holder(pid, _started(pid) or "", _boot(), _pid_space(), socket.gethostname())


def alive(holder: Holder, seen_from: Holder) -> bool:
    """Whether a holder still runs. What cannot be seen from here (another machine, a container) does."""
    if holder.boot != seen_from.boot:
        return holder.host != seen_from.host
    if holder.space != seen_from.space:
        return True
    return _started(holder.pid) == holder.started


def within_reach(holder: Holder, seen_from: Holder) -> bool:
    """Whether the holder's process id means that process here, so that it can be sent a signal."""
    same_place = (holder.boot, holder.space) == (seen_from.boot, seen_from.space)
    return same_place and alive(holder, seen_from)


def _started(pid: int) -> str | None:
    """When a process began; None when there is none, or only its remains (a zombie works no more)."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_bytes()
    except FileNotFoundError:
        return _started_elsewhere(pid)
    except ProcessLookupError:
        return None
    # The name in parentheses may hold anything, so fields are counted from behind the last one.
    fields = stat[stat.rindex(b")") + 2 :].decode("ascii").split()
    return None if fields[0] in _GONE else fields[19]


def _started_elsewhere(pid: int) -> str | None:
    """Where there is no /proc: the wall clock is the best there is."""
    if Path("/proc/self/stat").exists():
        return None
    import psutil

    try:
        process = psutil.Process(pid)
        return None if process.status() == psutil.STATUS_ZOMBIE else repr(process.create_time())
    except psutil.Error:
        return None


def _boot() -> str:
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
    except OSError:
        import psutil

        return repr(psutil.boot_time())


def _pid_space() -> str:
    """Process ids mean something only within their namespace (containers have their own)."""
    try:
        return str(Path("/proc/self/ns/pid").readlink())
    except OSError:
        return ""
