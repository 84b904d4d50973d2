"""Who does what when nobody said it: the best agent that is ready, and another vendor's to review."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial

from burnish.agents._adapter import Abilities
from burnish.agents._adapters import adapters
from burnish.app.chains import EMBEDDED, STANDS_IN, after, chain, check_fallback
from burnish.app.known_agents import path_of
from burnish.app.model_vendor import vendor_of
from burnish.config.load import Loaded
from burnish.config.schema import Agents, Settings
from burnish.errors import UsageError
from burnish.model.agent import Tier
from burnish.model.mode import Mode
from burnish.model.step import Role
from burnish.registry import load
from burnish.sanitise import clean_line

NONE = "none"
ROLES = ("implementer", "reviewer", "fixer")
WORK = {"implementer": Role.IMPLEMENT, "reviewer": Role.REVIEW, "fixer": Role.FIX}
DOES = {"implementer": "implement", "reviewer": "review", "fixer": "fix"}
TAKEN = "the best that is ready"
WITHOUT = "burnish review --fix works without an agent"


@dataclass(frozen=True)
class Candidate:
    """A known agent that is installed; `logged_in` is None where only its service could tell."""

    name: str
    vendor: str
    abilities: Abilities = field(default_factory=Abilities)
    logged_in: bool | None = None

    def worth(self, role: str) -> tuple[bool, int]:
        """More is better: known to be logged in, then what helps in that role."""
        able = self.abilities
        helps = (able.read_only, able.schema) if role == "reviewer" else (able.resume, able.cost)
        return self.logged_in is True, sum(helps)


def installed(environ: Mapping[str, str]) -> tuple[Candidate, ...]:
    """Without starting any of them."""
    return tuple(
        Candidate(adapter.name, adapter.vendor, adapter.abilities, adapter.logged_in(environ))
        for adapter in adapters().values()
        if path_of(adapter.program, environ) is not None
    )


def decide(loaded: Loaded, environ: Mapping[str, str], mode: Mode = Mode.LOOP) -> Loaded:
    """The same settings with an agent for each role that needs one, chains and all; what was taken is told.

    Raises UsageError where there is none.
    """
    settings = loaded.settings
    named = settings.agents
    for role in ROLES:
        if getattr(named, role) == EMBEDDED or named.agent == EMBEDDED:
            raise _not_here(f"agents.{role}")
    check_fallback(loaded, environ)
    if named.agent is not None:
        missing = {role: named.agent for role in ROLES if getattr(named, role) is None}
        named = named.model_copy(update=missing)
    model = "" if named.model is None or named.model in set(Tier) else named.model
    taking = _Taking(named, needed(settings, mode), partial(installed, environ), model)
    taken, told = taking.filled()
    origins = {**loaded.origins, **{f"agents.{role}": TAKEN for role in taken}}
    named = named.model_copy(update=taken)
    stands_in = STANDS_IN if EMBEDDED in named.fallback else ""
    notices = (*loaded.notices, *(text for text in (stands_in, told) if text))
    decided = settings.model_copy(update={"agents": _chained(named)})
    return replace(loaded, settings=decided, origins=origins, notices=notices)


def _chained(named: Agents) -> Agents:
    """Each role with who is asked after its agent. A fixer that nobody named is the implementer."""
    own = {role: getattr(named, role) for role in ROLES}
    if EMBEDDED in named.fallback:
        own["fixer"] = own["fixer"] or own["implementer"]
    chained = {
        role: chain(spec, after(WORK[role], named)) for role, spec in own.items() if spec not in (None, NONE)
    }
    return named.model_copy(update=chained)


def taken_by(loaded: Loaded) -> dict[str, str]:
    """What `decide` took, by key: so that whoever goes on later asks the same."""
    agents = loaded.settings.agents
    return {
        f"agents.{role}": getattr(agents, role) for role in ROLES if loaded.origins[f"agents.{role}"] == TAKEN
    }


def needed(settings: Settings, mode: Mode) -> tuple[str, ...]:
    """The roles a run cannot go without; the fixer is the implementer unless another is named."""
    if mode is Mode.REVIEW:
        return ("reviewer",)
    if mode is Mode.IMPROVE and settings.agents.fixer not in (None, NONE):
        return ()
    if mode is not Mode.LOOP:
        return ("implementer",)
    optional = load("profiles", settings.profile or "task")().review_optional
    reviewed = settings.review.enabled is not False and not optional
    return ("implementer", "reviewer") if reviewed else ("implementer",)


def _not_here(where: str) -> UsageError:
    return UsageError(
        f"{where}: {EMBEDDED!r} can stand in for an agent that gives no answer; it cannot do a task itself.",
        hint=f"name an agent, and {EMBEDDED} at the end of --fallback; {WITHOUT}",
    )


@dataclass(frozen=True)
class _Taking:
    """`model` is one that is named, which only one vendor knows: then one agent does it all."""

    named: Agents
    needed: tuple[str, ...]
    look: Callable[[], tuple[Candidate, ...]]
    model: str = ""

    def filled(self) -> tuple[dict[str, str], str]:
        """Whoever was taken for the roles that nobody was named for, and a sentence about it."""
        open_roles = [role for role in self.needed if getattr(self.named, role) is None]
        if not open_roles:
            return {}, ""
        found = self.look()
        ready = [one for one in found if one.logged_in is not False]
        if not ready:
            raise _nobody(open_roles[0], found)
        vendor = vendor_of(self.model)
        ready = [one for one in ready if vendor in ("", one.vendor)]
        if not ready:
            raise _nobody_with(self.model, vendor, found)
        taken: dict[str, Candidate] = {}
        for role in open_roles:
            other = "reviewer" if role == "implementer" else "implementer"
            beside = taken.get(other) or _known(found, getattr(self.named, other))
            taken[role] = self._best(role, ready, beside)
        names = {role: one.name for role, one in taken.items()}
        return names, self._told(taken)

    def _best(self, role: str, ready: list[Candidate], beside: Candidate | None) -> Candidate:
        def key(one: Candidate) -> tuple[bool, bool, int]:
            alike = beside is not None and one.vendor == beside.vendor
            wanted = alike if self.model else not alike
            known, helps = one.worth(role)
            return (wanted, known, helps) if beside else (known, True, helps)

        return max(ready, key=key)

    def _told(self, taken: dict[str, Candidate]) -> str:
        does: dict[str, list[str]] = {}
        for role, one in taken.items():
            does.setdefault(one.name, []).append(DOES[role])
        if "implementer" in taken and self.named.fixer is None and "reviewer" in self.needed:
            does[taken["implementer"].name].append(DOES["fixer"])
        parts = [f"{name} to {_listed(words)}" for name, words in does.items()]
        alone = len(taken) > 1 and len(does) == 1 and not self.model
        return f"took {', '.join(parts)}" + (
            " (no agent of another vendor is ready to review)" if alone else ""
        )


def _listed(words: list[str]) -> str:
    return " and ".join(part for part in (", ".join(words[:-1]), words[-1]) if part)


def _known(found: tuple[Candidate, ...], spec: str | None) -> Candidate | None:
    name = (spec or "").partition(":")[0]
    return next((one for one in found if one.name == name), None)


def _nobody(role: str, found: tuple[Candidate, ...]) -> UsageError:
    if found:
        names = " and ".join(one.name for one in found)
        what = f"{names} {'is' if len(found) == 1 else 'are'} installed but not logged in"
        hint = f"run: {adapters()[found[0].name].login}, or name any program"
    else:
        what, hint = (
            "no agent that Burnish knows is installed",
            "install one (burnish agents), or name any program",
        )
    return UsageError(
        f"expected --{role} CMD, or agents.{role} in burnish.toml: none is named, and {what}.",
        hint=f"{hint}; {WITHOUT}",
    )


def _nobody_with(model: str, vendor: str, found: tuple[Candidate, ...]) -> UsageError:
    """The model says whose agent it takes, and that one is not ready."""
    theirs = [adapter for adapter in adapters().values() if adapter.vendor == vendor]
    if not theirs:
        what, hint = "no agent of theirs is driven by Burnish", "name the agent that knows it (--agent)"
    elif any(one.vendor == vendor for one in found):
        what, hint = f"{theirs[0].name} is not logged in", f"run: {theirs[0].login}"
    else:
        what, hint = f"{theirs[0].name} is not installed", f"install it: {theirs[0].install}"
    return UsageError(
        f"expected an agent that knows the model {clean_line(model)!r} of {vendor}: {what}.",
        hint=f"{hint}, or choose another model; one that reaches it all the same is named by --agent",
    )
