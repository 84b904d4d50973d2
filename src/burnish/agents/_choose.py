"""From what a user writes to an agent: `NAME:REST` is one of ours, anything else is a command line."""

from __future__ import annotations

from burnish import registry
from burnish.agents._setup import AgentSetup
from burnish.ports import Agent

COMMAND = "command"


def choose(spec: str, setup: AgentSetup) -> Agent:
    """The agent for `spec`; raises UsageError for one that cannot be read."""
    name, colon, rest = spec.partition(":")
    known = bool(colon) and name in registry.names("agents")
    agent: Agent = registry.load("agents", name if known else COMMAND)(rest if known else spec, setup)
    return agent
