"""Where the tools of a step are reached while its agent works."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol


class ToolAccess(Protocol):
    """A Unix socket that takes the token as its first line and then speaks MCP, one message a line."""

    @property
    def socket(self) -> Path: ...
    @property
    def token(self) -> str: ...
    @property
    def bridge(self) -> Path:
        """A program for the agent's own MCP option: stdio on one side, the socket on the other."""
        ...

    @property
    def opening(self) -> Path:
        """The file beside the bridge with the token; gone when a reviewer's one connection is made."""
        ...

    def admit(self) -> None:
        """An agent is started: take its connection, under a new token. A reviewer has one, others many."""
        ...

    def seal_once(self) -> None:
        """The agent runs its first command: a reviewer that has not connected by now never does."""
        ...

    def forget(self) -> None:
        """Somebody else is asked now, or the same agent from the start: what was called no longer counts."""
        ...

    def made(self) -> tuple[tuple[str, Mapping[str, Any]], ...]:
        """The calls that were valid so far: each tool with its arguments."""
        ...

    def play(self, tool: str, arguments: Mapping[str, Any]) -> None:
        """Call again what was called in a recorded run, of which the loop had another id."""
        ...
