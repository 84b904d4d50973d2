"""Every agent that Burnish knows: is it there, logged in, what can it do, what will it be asked to do."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from burnish.agents._adapter import Abilities, CliAdapter
from burnish.agents._adapters import adapters
from burnish.agents._cli_runner import CliAgent
from burnish.agents._setup import AgentSetup
from burnish.app.agent_choice import DOES, NONE, ROLES, TAKEN, decide
from burnish.app.chains import EMBEDDED
from burnish.app.known_agents import not_driven, path_of
from burnish.app.place import find_place
from burnish.config.load import Loaded, Sources, load, user_files
from burnish.errors import BurnishError, UsageError
from burnish.model.agent_view import AgentView, Login
from burnish.model.sandbox_mode import SandboxMode
from burnish.process import bubblewrap
from burnish.process.isolation import can_nest

OFFLINE = (
    "always there, for `burnish review` and `burnish fix`: no account, no network; at the end of --fallback"
    " it stands in for a reviewer or a fixer"
)
BY_HAND = 'not driven by itself yet; it works as a command: --implementer "..."'


async def overview(environ: Mapping[str, str]) -> tuple[AgentView, ...]:
    """Known agents, commands that the settings name, agents we cannot drive yet, and the embedded default."""
    settings = await settings_here(environ)
    duties = duties_of(settings, environ)
    held = settings.settings.sandbox.mode is not SandboxMode.OFF and bubblewrap.usable() is not None
    known = await asyncio.gather(
        *(_view(adapter, environ, duties, held=held) for adapter in adapters().values())
    )
    commands = (
        AgentView(name, path=name, login=Login.NOT_NEEDED, roles=roles, why=duties.why(name))
        for name, roles in duties.roles.items()
        if name not in (*adapters(), EMBEDDED)
    )
    others = (
        AgentView(name, path=str(path), why=BY_HAND, driven=False) for name, path in not_driven(environ)
    )
    embedded = AgentView(
        EMBEDDED, path=EMBEDDED, login=Login.NOT_NEEDED, roles=("review", "fix"), why=OFFLINE
    )
    return (*known, *commands, *others, embedded)


async def settings_here(environ: Mapping[str, str]) -> Loaded:
    """Those of the repository we stand in, else the user's own."""
    try:
        place = await find_place(environ=environ)
    except BurnishError:
        return load(Sources(user=user_files(environ), environ=environ))
    return await place.settings(place.repository.head)


@dataclass(frozen=True)
class Duties:
    """`roles` by the name of an agent; `trouble` is why nobody could be taken."""

    roles: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    origins: Mapping[str, str] = field(default_factory=dict)
    after: Mapping[str, str] = field(default_factory=dict)
    trouble: str = ""

    def why(self, name: str) -> str:
        if name in self.after:
            return f"asked when {self.after[name]} gives no answer"
        origin = self.origins.get(name, "")
        return (
            "taken: nobody is named, and it is ready"
            if origin == TAKEN
            else f"named in {origin}"
            if origin
            else ""
        )


def duties_of(loaded: Loaded, environ: Mapping[str, str]) -> Duties:
    """Who would do what in a run that begins now."""
    try:
        decided = decide(loaded, environ)
        trouble = ""
    except UsageError as error:
        decided, trouble = loaded, error.message
    agents = decided.settings.agents
    roles: dict[str, tuple[str, ...]] = {}
    origins: dict[str, str] = {}
    after: dict[str, str] = {}
    for role in ROLES:
        spec = getattr(agents, role) or (agents.implementer if role == "fixer" else None)
        if spec in (None, NONE):
            continue
        named = [part.strip() for part in spec.removeprefix("fallback:").split("|")]
        names = [part.partition(":")[0] if part.partition(":")[0] in adapters() else part for part in named]
        for number, name in enumerate(names):
            roles[name] = (*roles.get(name, ()), DOES[role])
            if number == 0:
                origins.setdefault(name, _origin(decided, role))
            elif name not in origins:
                after.setdefault(name, names[0])
    return Duties(
        roles, origins, {name: first for name, first in after.items() if name not in origins}, trouble
    )


def _origin(decided: Loaded, role: str) -> str:
    """The setting that said so: a role's own, the general one, or the implementer's for the fixer."""
    for key in (f"agents.{role}", "agents.agent", "agents.implementer"):
        if (origin := decided.origins.get(key, "default")) != "default":
            return origin
    return ""


async def _view(adapter: CliAdapter, environ: Mapping[str, str], duties: Duties, *, held: bool) -> AgentView:
    path = path_of(adapter.program, environ)
    login = {True: Login.YES, False: Login.NO, None: Login.UNKNOWN}[adapter.logged_in(environ)]
    # A key without a program to use it is no login.
    login = login if path else Login.UNKNOWN
    roles = duties.roles.get(adapter.name, ())
    version = await _version(adapter, environ) if path else ""
    return AgentView(
        name=adapter.name,
        vendor=adapter.vendor,
        path=str(path or ""),
        version=version,
        login=login,
        can=abilities(adapter.abilities, held=held, nests=held and can_nest()),
        roles=roles,
        why=_why(adapter, path, login, duties),
    )


async def _version(adapter: CliAdapter, environ: Mapping[str, str]) -> str:
    """Asked with an environment of harmless variables, in a sandbox without a network where there is one."""
    setup = AgentSetup(environ, mode=SandboxMode.AUTO, network=False)
    return await CliAgent(adapter.name, adapter, setup).version()


def _why(adapter: CliAdapter, path: Path | None, login: Login, duties: Duties) -> str:
    if path is None:
        return f"not installed: {adapter.install}"
    if login is Login.NO:
        return f"not logged in: {adapter.login}"
    return duties.why(adapter.name) or "ready; no role, others are named or taken"


def abilities(able: Abilities, *, held: bool, nests: bool) -> tuple[str, ...]:
    """By name, as they are on this machine: with our sandbox around it or not."""
    reads = able.holds_itself(held=held, nests=nests)
    named = {"schema": able.schema, "read-only": reads, "resume": able.resume, "cost": able.cost}
    return tuple(name for name, has in named.items() if has)
