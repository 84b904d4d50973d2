"""The seams of agents that work beside each other: the board of a build, and tools that agents call."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Any, Protocol

from burnish.model.step import Step
from burnish.model.tool_access import ToolAccess
from burnish.ports import Desk


@dataclass(frozen=True)
class Scope:
    """What the tools of one step may be used for: these ids, no others.

    `valid` has known ids by kind, `loop` and `task`: those that an answer to an unknown one names.
    """

    run: str
    role: str
    tools: tuple[str, ...]
    loop: str = ""
    task: str = ""
    valid: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class ToolCall:
    """A call that was valid, in the order they came."""

    tool: str
    arguments: Mapping[str, Any]


class OpenTools(ToolAccess, Protocol):
    """The tools of a step while its agent works: where they are reached, and what was called."""

    def calls(self, tool: str) -> tuple[ToolCall, ...]: ...


class ToolDesk(Protocol):
    """Tools that an agent may call while it works on a step."""

    def open(self, step: Step, desk: Desk, scope: Scope) -> AbstractAsyncContextManager[OpenTools]: ...


class Board(Protocol):
    """Where the loops of one build see each other. After a restart every loop posts again what it did."""

    async def post(self, loop: str, iteration: int, doing: str) -> None:
        """An iteration is finished; this may call a checkpoint round for all loops that are at work."""
        ...

    def others(self, loop: str) -> str:
        """A line for each other loop, for a reviewer to see obvious conflicts by."""
        ...

    def rounds(self, loop: str) -> tuple[int, ...]:
        """Numbers of the checkpoint rounds called so far in which this loop takes part."""
        ...

    async def called(self, loop: str, known: int) -> None:
        """Waits until this loop takes part in more than `known` rounds."""
        ...
