"""Agent `embedded`: analysers and rewrites that stand in where no agent answers, made by whoever wires."""

from __future__ import annotations

from burnish.agents._setup import AgentSetup
from burnish.errors import UsageError
from burnish.ports import Agent

EMBEDDED = "embedded"


def make(spec: str, setup: AgentSetup) -> Agent:
    if spec:
        raise UsageError(f"expected {EMBEDDED!r} alone, found '{EMBEDDED}:{spec}'.", hint="it has no model")
    if setup.embedded is None:
        raise UsageError(
            f"expected an agent, found {EMBEDDED!r}, which can only stand in for one.",
            hint="put it at the end of --fallback; burnish review --fix works with it alone",
        )
    return setup.embedded
