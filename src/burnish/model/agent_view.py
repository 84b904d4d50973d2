"""What is known of an agent on this machine, and what one round trip with it showed."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from burnish.model.agent import Usage
from burnish.model.agent_events import AgentTrouble


class Login(StrEnum):
    """Whether an agent is logged in, as far as that can be told without asking its service."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"
    NOT_NEEDED = "-"


@dataclass(frozen=True)
class AgentView:
    """`can` are its abilities by name, `roles` what it will be asked to do, `why` that is or is not so.

    `driven` is false for one that is only known by name.
    """

    name: str
    vendor: str = ""
    path: str = ""
    version: str = ""
    login: Login = Login.UNKNOWN
    can: tuple[str, ...] = ()
    roles: tuple[str, ...] = ()
    why: str = ""
    driven: bool = True

    @property
    def installed(self) -> bool:
        return bool(self.path)


@dataclass(frozen=True)
class TrialStep:
    """One step of a round trip. `remedy` is what to do where it did not go well."""

    name: str
    ok: bool
    told: str
    remedy: str = ""
    trouble: AgentTrouble | None = None
    usage: Usage = field(default_factory=Usage)
    isolation: str = ""
