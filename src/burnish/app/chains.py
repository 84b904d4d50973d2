"""Who is asked after whom when an agent gives no answer, and which names may stand in such a chain."""

from __future__ import annotations

import shlex
from collections.abc import Mapping

from burnish.agents._adapters import adapters
from burnish.agents.embedded import EMBEDDED as EMBEDDED
from burnish.app.known_agents import path_of
from burnish.app.model_vendor import vendor_of
from burnish.config.load import Loaded
from burnish.config.schema import Agents
from burnish.errors import UsageError
from burnish.model.agent import TIERS
from burnish.model.step import Role
from burnish.registry import names
from burnish.sanitise import clean_line

KEY = "agents.fallback"
STANDS_IN = (
    f"{EMBEDDED} stands in for a reviewer, and for a fixer where it knows a repair, when no agent answers;"
    " it cannot implement, and what it finds nothing wrong with is not approved"
)


def chain(first: str, others: tuple[str, ...]) -> str:
    """The agent that asks these when the first gives no answer."""
    asked = first.removeprefix("fallback:")
    rest = [other for other in others if other not in asked.split("|")]
    return f"fallback:{'|'.join((asked, *rest))}" if rest else first


def review_chain(named: tuple[str, ...], loaded: Loaded) -> tuple[str, ...]:
    """Who is asked before the embedded reviewer: a fallback that only a file names is one of nobody."""
    others = loaded.settings.agents.fallback
    _check_last((*named, *others))
    if not named and not loaded.origins.get(KEY, "").startswith("flag"):
        return ()
    return tuple(name for name in dict.fromkeys((*named, *others)) if name != EMBEDDED)


def check_fallback(loaded: Loaded, environ: Mapping[str, str]) -> None:
    """Raises UsageError for a name that nobody knows: it would be found out when it is needed most."""
    others = loaded.settings.agents.fallback
    _check_last(others)
    for name in others:
        if not _is_known(name, environ):
            where = "--fallback" if loaded.origins.get(KEY, "").startswith("flag") else KEY
            known = ", ".join((*adapters(), EMBEDDED))
            raise UsageError(
                f"{where}: expected agents that Burnish knows or programs, found {clean_line(name)!r},"
                " which is neither.",
                hint=f"known are {known}; any program on PATH, or by its path, works too",
            )


def after(role: Role, agents: Agents) -> tuple[str, ...]:
    """Who may be asked in a role after its own agent: a model is one vendor's, others take their own."""
    able = (name for name in agents.fallback if name != EMBEDDED or role is not Role.IMPLEMENT)
    return tuple(_with_model_of_its_own(name, role, agents.model) for name in able)


def _with_model_of_its_own(name: str, role: Role, model: str | None) -> str:
    adapter, vendor = adapters().get(name), vendor_of(model or "")
    foreign = adapter is not None and vendor and vendor != adapter.vendor
    return f"{name}:{TIERS[role]}" if foreign else name


def _check_last(names: tuple[str, ...]) -> None:
    if EMBEDDED in names[:-1]:
        raise UsageError(
            f"expected {EMBEDDED!r} as the last of the chain: it is asked when no agent gave an answer.",
            hint="put it at the end",
        )


def _is_known(name: str, environ: Mapping[str, str]) -> bool:
    kind, colon, _ = name.partition(":")
    if name in (*adapters(), EMBEDDED) or (colon and kind in names("agents")):
        return True
    try:
        program = shlex.split(name)[0]
    except (ValueError, IndexError):
        return False
    return "/" in program or path_of(program, environ) is not None
