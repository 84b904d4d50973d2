"""What an agent is asked and what it answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from burnish.model.step import Role


@dataclass(frozen=True)
class Usage:
    """What an answer cost; `cost_usd` is None while nobody knows. `seconds` is the time the agent worked."""

    tokens_in: int = 0
    tokens_out: int = 0
    cost_usd: float | None = None
    seconds: float = 0.0

    def __add__(self, other: Usage) -> Usage:
        known = [cost for cost in (self.cost_usd, other.cost_usd) if cost is not None]
        return Usage(
            self.tokens_in + other.tokens_in,
            self.tokens_out + other.tokens_out,
            sum(known) if known else None,
            self.seconds + other.seconds,
        )

    @property
    def tokens(self) -> int:
        return self.tokens_in + self.tokens_out

    def timed(self, seconds: float) -> Usage:
        """With the time that was measured, unless an agent made of others has measured it better."""
        return self if self.seconds else replace(self, seconds=round(seconds, 3))

    @property
    def nothing(self) -> bool:
        return not (self.tokens or self.cost_usd or self.seconds)


class Tier(StrEnum):
    """How good a model a role wants, where no model is named; each agent maps it to one of its own."""

    STRONG = "strong"
    FAST = "fast"


TIERS = {Role.IMPLEMENT: Tier.STRONG, Role.REVIEW: Tier.STRONG, Role.FIX: Tier.FAST}


@dataclass(frozen=True)
class Model:
    """What a role is to be asked with; `name` is empty where the tier alone decides."""

    name: str
    tier: Tier

    @classmethod
    def of(cls, role: Role, chosen: str) -> Model:
        """From what was set for a role: nothing, a tier, or the name of a model."""
        if chosen in set(Tier):
            return cls("", Tier(chosen))
        return cls(chosen, TIERS[role])


@dataclass(frozen=True)
class Request:
    """One question to an agent.

    `inbox` holds files it must read (bound read-only into its sandbox), `outbox` is where it may write its
    answer. `model` is a name; where it is empty the agent maps `tier` to one. `variables` go into its
    environment.
    """

    role: Role
    prompt: str
    workspace: Path
    inbox: Path
    outbox: Path
    timeout_s: float
    schema: Mapping[str, Any] | None = None
    tier: Tier = Tier.STRONG
    model: str = ""
    tools: tuple[str, ...] = ()
    variables: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Reply:
    """An agent's answer: the final message, the report file if one was asked for, native structure.

    `agent` is who really answered, where an agent is made of others; empty where it is the one asked.
    """

    text: str
    report: str | None = None
    structured: Any = None
    usage: Usage = Usage()
    agent_exit: int | None = None
    isolation: str = ""
    truncated: bool = False
    version: str = ""
    model: str = ""
    agent: str = ""
    # What it wanted to do and was not allowed to, and the session it can be resumed by.
    denied: tuple[str, ...] = ()
    session: str = ""
