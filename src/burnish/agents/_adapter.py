"""What the runner needs to know of one CLI: the whole difference between two of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from burnish.model.agent import Request
from burnish.model.agent_events import AgentEvent, Failed
from burnish.process.child import Finished


@dataclass(frozen=True)
class Abilities:
    """`schema`: can be held to a JSON Schema; `read_only`: has a mode of its own that cannot write;
    `resume`: can go on with a session; `cost`: tells dollars, not only tokens."""

    schema: bool = False
    read_only: bool = False
    resume: bool = False
    cost: bool = False


@dataclass(frozen=True)
class Call:
    """One call as argv and environment (besides the harmless variables); `files` are written before it."""

    argv: tuple[str, ...]
    env: Mapping[str, str]
    files: Mapping[Path, str]


class StreamReader(Protocol):
    """Reads one call's stream. Never raises for what a CLI prints: a line it does not know says nothing."""

    def line(self, data: bytes) -> Iterable[AgentEvent]: ...
    def end(self, finished: Finished) -> Failed | None:
        """What went wrong, for a call whose stream had no terminal event or whose status says so."""
        ...


class CliAdapter(Protocol):
    """`private` is a folder of our own for this call's configuration home: outside of every repository."""

    name: str
    vendor: str
    program: str
    abilities: Abilities

    def home_paths(self, environ: Mapping[str, str]) -> tuple[Path, ...]:
        """Paths below the home folder that its login needs, visible to it alone."""
        ...

    def variables(self) -> tuple[str, ...]:
        """Names of environment variables that its login and its endpoint need."""
        ...

    def call(self, request: Request, private: Path, session: str = "") -> Call: ...
    def reader(self, request: Request) -> StreamReader: ...
    def logged_in(self, environ: Mapping[str, str]) -> bool | None:
        """None where that cannot be known without asking the service."""
        ...
