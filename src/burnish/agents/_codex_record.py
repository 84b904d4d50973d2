"""What codex writes down of a session and does not print: what its own sandbox did not allow."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from burnish.agents import _json_lines as lines
from burnish.model.agent_events import Denied

MOST_FILES = 20
MOST_BYTES = 32 * 1024 * 1024
_CALLS = ("custom_tool_call", "function_call")
_NOT_ALLOWED = ("rejected by user approval settings", "Read-only file system")
_FILE = re.compile(r"\*\*\* (?:Update|Add|Delete) File: ([^\\\n\"]{1,200})")
_COMMAND = re.compile(r"\\?\"cmd\\?\": ?\\?\"(.{1,200}?)\\?\"[,}]")


def denials(sessions: Path) -> Iterator[Denied]:
    """The folder is the agent's to write in, so nothing but denials is taken from there."""
    for path in sorted(sessions.glob("*/*/*/rollout-*.jsonl"))[:MOST_FILES]:
        yield from _in(_read(path))


def _in(text: bytes) -> Iterator[Denied]:
    asked: dict[str, dict[str, Any]] = {}
    for line in text.split(b"\n"):
        item = lines.inner(lines.record(line), "payload")
        kind, call = lines.text(item, "type"), lines.text(item, "call_id")
        if kind in _CALLS:
            asked[call] = item
        elif kind.removesuffix("_output") in _CALLS and _refused(item):
            yield _denied(asked.get(call, {}))


def _refused(item: dict[str, Any]) -> bool:
    said = lines.text(item, "output") + "".join(
        lines.text(part, "text") for part in lines.items(item, "output")
    )
    return any(words in said for words in _NOT_ALLOWED)


def _denied(item: dict[str, Any]) -> Denied:
    given = lines.text(item, "input") or lines.text(item, "arguments")
    if file := _FILE.search(given):
        return Denied("edit", file[1].strip())
    if command := _COMMAND.search(given):
        return Denied("command", command[1])
    return Denied(lines.text(item, "name") or "a tool")


def _read(path: Path) -> bytes:
    """Not blocking and not following: a file there may have been replaced by anything."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return b""
    try:
        plain = stat.S_ISREG(os.fstat(handle).st_mode)
        return os.pread(handle, MOST_BYTES, 0) if plain else b""
    finally:
        os.close(handle)
