"""The short name an agent is known by where several runs share it: its program's, such as `codex`."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from burnish.agents._cli_runner import CliAgent
from burnish.agents.command import CommandAgent
from burnish.agents.fallback import FallbackAgent
from burnish.agents.retry import RetryAgent
from burnish.ports import Agent

# What these run is somebody else's program: two scripts are not one agent because Python runs both.
_RUNNERS = re.compile(
    r"(?:ba|da|z|k)?sh|fish|env|python[0-9.]*|pypy[0-9.]*|node|bun|deno|npx|uvx?|pipx|ruby|perl|php"
)


def known_as(agent: Agent) -> str:
    """An agent made of others is known by its whole name, because who will answer is not known before."""
    if isinstance(agent, RetryAgent):
        return known_as(agent.inner)
    if isinstance(agent, CliAgent):
        # Its limits are the account's, whichever model was asked for.
        return agent.adapter.name
    if not isinstance(agent, CommandAgent) or agent.name.startswith("scripted:"):
        return agent.name
    program = Path(agent.argv[0]).name
    return agent.name if _RUNNERS.fullmatch(program) else program


def each_part(agent: Agent, change: Callable[[Agent], Agent]) -> Agent:
    """The agent with `change` around whoever answers: each part of a fallback, else the agent itself."""
    if isinstance(agent, FallbackAgent):
        return replace(agent, agents=tuple(each_part(part, change) for part in agent.agents))
    return change(agent)
