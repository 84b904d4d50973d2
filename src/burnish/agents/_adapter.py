"""What the runner needs to know of one CLI: the whole difference between two of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from burnish.model.agent import Request, Tier, Usage
from burnish.model.agent_events import AgentEvent, Denied, Failed
from burnish.process.child import Finished


@dataclass(frozen=True)
class Abilities:
    """`schema`: can be held to a JSON Schema; `read_only`: has a mode of its own that cannot write;
    `resume`: can go on with a session; `cost`: tells dollars, not only tokens; `sums_up`: what a call used
    that was stopped is in what the next call of its session tells; `own_sandbox`: its read-only mode is a
    sandbox of its own, which must be able to start inside ours; `wraps`: it lets us put each command of a
    reviewer into one."""

    schema: bool = False
    read_only: bool = False
    resume: bool = False
    cost: bool = False
    sums_up: bool = False
    own_sandbox: bool = False
    wraps: bool = False

    def holds_itself(self, *, held: bool, nests: bool) -> bool:
        """Whether a reviewer is read-only by its own mode, with our sandbox around it or not."""
        return self.read_only and not (self.own_sandbox and held and not nests)


@dataclass(frozen=True)
class Room:
    """Where one call works.

    `private` is a folder of our own for its configuration home, outside of every repository. `environ` is
    the user's, to find a login by. `held` says whether our own sandbox is around it, `nests` whether another
    one can be started in there. `session` is the one to go on with, if any.
    """

    private: Path
    environ: Mapping[str, str]
    held: bool
    session: str = ""
    nests: bool = False


@dataclass(frozen=True)
class Call:
    """One call as argv and environment (besides the harmless variables).

    Before it, `files` are written and `links` (new path to the user's own file) are made; what they lead to
    can be written in the sandbox, because a login renews itself there. `isolation` is what to add to ours.
    `afterwards` finds denials in the private home that the stream did not tell; `meanwhile` tells what was
    used so far, for a CLI whose stream tells it at its end only.
    """

    argv: tuple[str, ...]
    env: Mapping[str, str]
    files: Mapping[Path, str] = field(default_factory=dict)
    links: Mapping[Path, Path] = field(default_factory=dict)
    isolation: str = ""
    afterwards: Callable[[], Iterable[Denied]] | None = None
    meanwhile: Callable[[], Usage] | None = None


class StreamReader(Protocol):
    """Reads one call's stream. Never raises for what a CLI prints: a line it does not know says nothing."""

    def line(self, data: bytes) -> Iterable[AgentEvent]: ...
    def end(self, finished: Finished) -> Failed | None:
        """What its last words say went wrong, for a call whose stream had no terminal event."""
        ...

    def wrote(self) -> str | None:
        """What it wrote into its report by tools of its own; None where the stream does not tell."""
        ...


class CliAdapter(Protocol):
    """One CLI. `login` is the command that logs in, `install` says where it comes from.

    `models` has the model of each tier; a name that a user chose goes before it.
    """

    @property
    def name(self) -> str: ...
    @property
    def vendor(self) -> str: ...
    @property
    def program(self) -> str: ...
    @property
    def abilities(self) -> Abilities: ...
    @property
    def login(self) -> str: ...
    @property
    def install(self) -> str: ...
    @property
    def models(self) -> Mapping[Tier, str]: ...

    def home_paths(self, environ: Mapping[str, str]) -> tuple[Path, ...]:
        """Files that its login needs, visible to it alone."""
        ...

    def variables(self) -> tuple[str, ...]:
        """Names of environment variables that its login and its endpoint need."""
        ...

    def transcript(self, workspace: Path, session: str) -> str:
        """Where below the private folder it writes a session down that works in `workspace`; `*` where it
        has a name of its own, which then stays what it was."""
        ...

    def call(self, request: Request, room: Room) -> Call: ...
    def reader(self, request: Request) -> StreamReader: ...
    def logged_in(self, environ: Mapping[str, str]) -> bool | None:
        """None where that cannot be known without asking the service."""
        ...


def model_for(adapter: CliAdapter, request: Request) -> str:
    return request.model or adapter.models[request.tier]
