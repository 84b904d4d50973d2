"""What codex writes down of a session and does not print: what its own sandbox did not allow, and tokens."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from burnish.agents import _json_lines as lines
from burnish.model.agent import Usage
from burnish.model.agent_events import Denied

MOST_FILES = 20
MOST_BYTES = 32 * 1024 * 1024
CHUNK_BYTES = 1024 * 1024
THREAD_CHARS = 36
_FILES = "*/*/*/rollout-*.jsonl"
_CALLS = ("custom_tool_call", "function_call")
_NOT_ALLOWED = ("rejected by user approval settings", "Read-only file system")
_FILE = re.compile(r"\*\*\* (?:Update|Add|Delete) File: ([^\\\n\"]{1,200})")
_COMMAND = re.compile(r"\\?\"cmd\\?\": ?\\?\"(.{1,200}?)\\?\"[,}]")


def denials(sessions: Path) -> Iterator[Denied]:
    """The folder is the agent's to write in, so nothing but denials is taken from there."""
    for path in sorted(sessions.glob(_FILES))[:MOST_FILES]:
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


class Counted:
    """The tokens of all threads of a session so far: each look reads only what was added since the last.

    Codex prints its tokens at the end of a turn, which may be hours and a budget away; each answer of the
    model is written down here at once. The folder is the agent's to write in: a number that is too high
    ends its own call, and one that is too low is corrected by the stream at the end of the turn.
    """

    def __init__(self, sessions: Path) -> None:
        self._sessions = sessions
        self._read_to: dict[Path, int] = {}
        self._used: dict[str, Usage] = {}

    def __call__(self) -> Usage:
        for path in sorted(self._sessions.glob(_FILES))[:MOST_FILES]:
            while data := _read(path, CHUNK_BYTES, self._read_to.get(path, 0)):
                # What is not a whole line yet is read again; one longer than all of this holds no count.
                whole = data.rfind(b"\n") + 1
                taken = whole or (len(data) if len(data) == CHUNK_BYTES else 0)
                self._read_to[path] = self._read_to.get(path, 0) + taken
                self._take(path, data[:whole])
                if not taken:
                    break
        return sum(self._used.values(), Usage())

    def _take(self, path: Path, data: bytes) -> None:
        for line in data.split(b"\n"):
            if b'"token_count"' in line and b'"total_token_usage"' in line:
                item = lines.inner(lines.record(line), "payload")
                told = lines.inner(lines.inner(item, "info"), "total_token_usage")
                if lines.text(item, "type") == "token_count" and told:
                    # By thread: one that is gone on with may be written down in another file as well.
                    self._used[path.stem[-THREAD_CHARS:]] = usage(told)


def usage(told: dict[str, Any]) -> Usage:
    """Cached tokens are part of those that went in, and thinking is part of what came out."""
    cached = lines.count(told, "cached_input_tokens")
    return Usage(lines.count(told, "input_tokens"), lines.count(told, "output_tokens"), cached_in=cached)


def _read(path: Path, most: int = MOST_BYTES, start: int = 0) -> bytes:
    """Not blocking and not following: a file there may have been replaced by anything."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return b""
    try:
        plain = stat.S_ISREG(os.fstat(handle).st_mode)
        return os.pread(handle, most, start) if plain else b""
    finally:
        os.close(handle)
