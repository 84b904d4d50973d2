"""Files an agent left in its outbox: read without trusting what they are."""

from __future__ import annotations

import math
import os
import stat
from dataclasses import replace
from pathlib import Path
from typing import Any

from burnish import codec
from burnish.config.prices import LIST_PRICES, PriceList
from burnish.errors import AgentFailed
from burnish.model.agent import Usage
from burnish.process.child import KEEP_BYTES, Captured
from burnish.sanitise import clean_line

MESSAGE = "message.md"
REPORT = "report.md"
USAGE = "usage.json"
USAGE_BYTES = 64 * 1024
# Nobody spends more in one answer: such a number is a mistake, and would spoil every sum.
MOST_TOKENS = 10**12
MOST_USD = 1e6
MODEL_CHARS = 100
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
# Not blocking: the file may have been replaced by a pipe that nobody writes to.
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


def clear(outbox: Path) -> None:
    """Forget what an earlier answer left, or it would be taken for this one's."""
    for name in (MESSAGE, REPORT, USAGE):
        (outbox / name).unlink(missing_ok=True)


def usage(outbox: Path, prices: PriceList = LIST_PRICES) -> tuple[Usage, str]:
    """What the agent says it used, and its model. Whatever is not what was asked for counts as unknown."""
    try:
        found = read(outbox, USAGE, USAGE_BYTES)
        said: Any = None if found is None or found.left_out else codec.loads(found.text)
    except (AgentFailed, ValueError):
        said = None
    if not isinstance(said, dict):
        return Usage(), ""
    model = said.get("model")
    name = clean_line(model).strip()[:MODEL_CHARS] if isinstance(model, str) else ""
    tokens = [said.get(key, 0) for key in ("tokens_in", "tokens_out")]
    cost = said.get("cost_usd")
    if not all(_within(number, int, MOST_TOKENS) for number in tokens):
        return Usage(), name
    if cost is not None and not _within(cost, int | float, MOST_USD):
        return Usage(), name
    used = Usage(tokens[0], tokens[1], None if cost is None else float(cost))
    cached = said.get("cached_in", 0)
    if _within(cached, int, tokens[0]):
        used = replace(used, cached_in=cached)
    return prices.estimate(used, name), name


def _within(number: Any, kind: Any, most: float) -> bool:
    if isinstance(number, bool) or not isinstance(number, kind):
        return False
    return 0 <= number <= most and math.isfinite(number)


def read(outbox: Path, name: str, cap_bytes: int = KEEP_BYTES) -> Captured | None:
    """A regular file's head and tail; None when there is none. Anything but a regular file is refused."""
    try:
        folder = os.open(outbox, _FOLDER)
        try:
            fd = os.open(name, _FILE, dir_fd=folder)
        finally:
            os.close(folder)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise AgentFailed(f"the agent's {name} is not a file that can be read: {error.strerror}") from None
    try:
        return _read(fd, name, cap_bytes)
    finally:
        os.close(fd)


def _read(fd: int, name: str, cap_bytes: int) -> Captured:
    found = os.fstat(fd)
    if not stat.S_ISREG(found.st_mode):
        raise AgentFailed(f"the agent's {name} is not a regular file", hint="it must write a plain file")
    if found.st_size <= cap_bytes:
        data = os.pread(fd, cap_bytes, 0)
        return Captured(data, b"", len(data))
    half = cap_bytes // 2
    return Captured(os.pread(fd, half, 0), os.pread(fd, half, found.st_size - half), found.st_size)
