"""From what a user writes to an agent: `NAME:REST` is one of ours, anything else is a command line.

A CLI that we know is also meant by its bare name: `claude` is `claude:`. So is `embedded`.
"""

from __future__ import annotations

from burnish import registry
from burnish.agents._adapters import adapters
from burnish.agents._setup import AgentSetup
from burnish.agents.embedded import EMBEDDED
from burnish.ports import Agent

COMMAND = "command"


def choose(spec: str, setup: AgentSetup) -> Agent:
    """The agent for `spec`; raises UsageError for one that cannot be read."""
    name, colon, rest = spec.partition(":")
    known = name in registry.names("agents") and (bool(colon) or name in (*adapters(), EMBEDDED))
    agent: Agent = registry.load("agents", name if known else COMMAND)(rest if known else spec, setup)
    return agent
