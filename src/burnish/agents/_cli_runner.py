"""An agent that is a CLI of its own: found, asked in its read or write mode, and held by our sandbox."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from burnish.agents._adapter import Call, CliAdapter, Room
from burnish.agents._cli_events import Listener
from burnish.agents._cli_session import CliSession
from burnish.agents._cli_trouble import not_installed, not_logged_in
from burnish.agents._sandboxing import sandbox_for
from burnish.agents._setup import AgentSetup
from burnish.agents._version import stamp_of
from burnish.errors import AgentError, UsageError
from burnish.model.agent import Request, Tier
from burnish.model.step import Role
from burnish.ports import AgentSession, Sandbox
from burnish.process.child import CannotStart, Command, Finished, ProgramMissing
from burnish.process.environment import child_environment
from burnish.process.isolation import can_nest, usable_sandbox
from burnish.process.program import Lookup, find_program
from burnish.process.supervisor import run

VERSION_S = 20.0
LINGER_S = 10.0
_VERSION = re.compile(r"\d+\.\d+[\w.+-]*", re.A)
_MODEL = re.compile(r"[\w.:/@\[\]-]{1,100}", re.A)
_versions: dict[tuple[str, int, int], str] = {}

Start = Callable[[Command, Callable[[bytes], None]], Awaitable[Finished]]


def make_cli(adapter: CliAdapter, spec: str, setup: AgentSetup) -> CliAgent:
    """`spec` is what stood behind the colon: nothing, a tier, or the name of a model."""
    if not spec:
        return CliAgent(adapter.name, adapter, setup)
    if not _MODEL.fullmatch(spec) or spec.startswith("-"):
        raise UsageError(
            f"expected {adapter.name}:TIER or {adapter.name}:MODEL, found '{adapter.name}:{spec}'",
            hint=f"for example {adapter.name}:fast; other flags cannot be given",
        )
    tier = Tier(spec) if spec in set(Tier) else None
    return CliAgent(f"{adapter.name}:{spec}", adapter, setup, "" if tier else spec, tier)


@dataclass(frozen=True)
class CliAgent:
    """`model` and `tier` were chosen with its name and go before what a role asks for.

    `start` runs a child (a cassette may stand there), `listener` hears every event as it comes; what it
    raises ends the call. After the event that says it is done it has `linger_s` to go by itself.
    """

    name: str
    adapter: CliAdapter
    setup: AgentSetup
    model: str = ""
    tier: Tier | None = None
    start: Start = run
    listener: Listener | None = None
    linger_s: float = LINGER_S

    def session(self) -> AgentSession:
        return CliSession(self)

    def check(self) -> None:
        self.locate()
        if self.adapter.logged_in(self.setup.environ) is False:
            raise not_logged_in(self.adapter)

    def locate(self, outside: tuple[Path, ...] = ()) -> Path:
        """Where the program is; raises AgentMissing. Never in `outside`, the workspace."""
        path = child_environment(self.setup.environ).get("PATH", "")
        try:
            return find_program(self.adapter.program, Lookup(path, self.setup.start.absolute(), outside))
        except ProgramMissing as error:
            raise not_installed(self.adapter, error.message) from None

    def chosen(self, request: Request) -> Request:
        """The request with the model that was chosen with the agent's name."""
        if self.model:
            return replace(request, model=self.model)
        return replace(request, model="", tier=self.tier) if self.tier else request

    def command(self, request: Request, room: Room, call: Call, timeout_s: float) -> Command:
        """A reviewer can change nothing of what it finds in the workspace, whatever its own mode is."""
        program = self.locate(outside=(request.workspace,))
        return Command(
            argv=(str(program), *call.argv[1:]),
            cwd=request.workspace,
            env=self.environment(request, call),
            timeout_s=timeout_s,
            # A file name in the diff may hold bytes that are no UTF-8: they must not stop the prompt.
            stdin=request.prompt.encode("utf8", "backslashreplace"),
            stall_s=self.setup.stall_s,
            sandbox=self._sandbox_for(request, room, call),
            sockets=True,
            apart=request.role is Role.REVIEW,
        )

    def sandbox(self) -> Sandbox | None:
        """Before anything is asked; None where it runs under the guard alone."""
        return usable_sandbox(self.setup.mode, sandbox_for(self.setup))

    def nests(self, request: Request, *, held: bool) -> bool:
        """Whether there can be another sandbox inside ours; asked only for a call that wants one."""
        able = self.adapter.abilities
        wants = able.own_sandbox or (able.wraps and request.role is Role.REVIEW)
        return held and wants and can_nest()

    def _sandbox_for(self, request: Request, room: Room, call: Call) -> Sandbox | None:
        sandbox = sandbox_for(self.setup, request)
        writable = (*sandbox.writable, room.private, *call.links.values())
        return usable_sandbox(self.setup.mode, replace(sandbox, writable=writable, nests=room.nests))

    async def version(self) -> str:
        """As it tells itself; asked once for each file that it is."""
        try:
            program = self.locate()
            known = (str(program), *stamp_of(program))
            if known not in _versions:
                _versions[known] = await self._ask_version(program)
        except (AgentError, CannotStart):
            return ""
        return _versions[known]

    async def _ask_version(self, program: Path) -> str:
        environ = child_environment(self.setup.environ)
        command = Command((str(program), "--version"), Path("/"), environ, VERSION_S, sandbox=self.sandbox())
        finished = await run(command)
        found = _VERSION.search(finished.stdout.text) if finished.ok else None
        return found[0] if found else ""

    def environment(self, request: Request, call: Call) -> Mapping[str, str]:
        """All that it and its commands have; nothing of it opens a way to answer."""
        names = (*self.setup.pass_names, *self.adapter.variables())
        return {
            **child_environment(self.setup.environ, names),
            **request.variables,
            "BURNISH_ROLE": str(request.role),
            **call.env,
        }
