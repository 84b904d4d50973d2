"""Finding processes that should be gone."""

from __future__ import annotations

import time
from pathlib import Path


def living(token: str) -> dict[int, str]:
    """Processes with `token` in their command line that are not just waiting to be collected."""
    found = {}
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode("utf8", "replace")
            state = (folder / "stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            continue
        if token in command and state not in "ZX":
            found[int(folder.name)] = command
    return found


def gone(token: str, within_s: float = 5.0) -> dict[int, str]:
    """What is still living after at most that long: {} is what a test wants."""
    until = time.monotonic() + within_s
    while (found := living(token)) and time.monotonic() < until:
        time.sleep(0.02)
    return found
