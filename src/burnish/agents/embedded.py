"""Agent `embedded`: analysers and rewrites that stand in where no agent answers, made by whoever wires."""

from __future__ import annotations

from dataclasses import dataclass

from burnish.agents._setup import AgentSetup
from burnish.errors import AgentUnfit, UsageError
from burnish.ports import Agent, AgentSession

EMBEDDED = "embedded"


def make(spec: str, setup: AgentSetup) -> Agent:
    if spec:
        raise UsageError(f"expected {EMBEDDED!r} alone, found '{EMBEDDED}:{spec}'.", hint="it has no model")
    return setup.embedded or Unwired()


@dataclass(frozen=True)
class Unwired:
    """Where a chain is only looked at, and where there is no run whose change it could read."""

    name: str = EMBEDDED

    def check(self) -> None:
        """It needs no program."""

    def session(self) -> AgentSession:
        raise AgentUnfit(f"{EMBEDDED} can only stand in for an agent in a run")
