"""What an agent is asked and what it answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from burnish.model.step import Role


@dataclass(frozen=True)
class Usage:
    """What an answer cost; `cost_usd` is None while nobody knows."""

    tokens_in: int = 0
    tokens_out: int = 0
    cost_usd: float | None = None

    def __add__(self, other: Usage) -> Usage:
        known = [cost for cost in (self.cost_usd, other.cost_usd) if cost is not None]
        return Usage(
            self.tokens_in + other.tokens_in,
            self.tokens_out + other.tokens_out,
            sum(known) if known else None,
        )

    @property
    def tokens(self) -> int:
        return self.tokens_in + self.tokens_out


@dataclass(frozen=True)
class Request:
    """One question to an agent.

    `inbox` holds files it must read (bound read-only into its sandbox), `outbox` is where it may write its
    answer. `tier` is `strong` or `fast`; the agent maps it to a model. `variables` go into its environment.
    """

    role: Role
    prompt: str
    workspace: Path
    inbox: Path
    outbox: Path
    timeout_s: float
    schema: Mapping[str, Any] | None = None
    tier: str = "strong"
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
