"""A CLI that tells what it uses while it works is stopped in the middle, with everything it started."""

from __future__ import annotations

import asyncio
import os
import time
from dataclasses import replace
from pathlib import Path

import pytest

from burnish.errors import AgentFailed
from burnish.model.agent import Request, Usage
from burnish.model.agent_events import AgentTrouble
from burnish.model.step import Role
from burnish.workflows.ask import ask
from tests.unit.agents.desk import Desk

LINE = (
    '{"type":"assistant","message":{"id":"m%d","content":[{"type":"text","text":"hm"}],'
    '"usage":{"input_tokens":1000,"output_tokens":0}}}'
)


def claude(desk: Desk) -> dict[str, str]:
    """A program that says in five messages that it used a thousand tokens each, then thinks for long."""
    folder = desk.root / "bin"
    folder.mkdir()
    told = "\n".join(f"echo '{LINE % number}'; sleep 0.05" for number in range(5))
    start = '{"type":"system","subtype":"init","session_id":"s","model":"claude-sonnet-4-5-20250929"}'
    program = folder / "claude"
    program.write_text(f"#!/bin/sh\ncat > /dev/null\necho '{start}'\n{told}\nsleep 60\n")
    program.chmod(0o755)
    return {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}", "ANTHROPIC_API_KEY": "dummy"}


def asked(desk: Desk, most_usd: float) -> tuple[Request, list[Usage]]:
    told: list[Usage] = []

    def on_used(used: Usage) -> None:
        told.append(used)
        if (used.cost_usd or 0.0) >= most_usd:
            error = AgentFailed("too much")
            error.trouble = AgentTrouble.BUDGET
            raise error

    return replace(desk.request(), role=Role.FIX, on_used=on_used), told


def test_a_cli_is_stopped_as_soon_as_it_tells_of_too_much(desk: Desk) -> None:
    agent = desk.agent("claude", environ=claude(desk))
    request, told = asked(desk, most_usd=0.006)
    began = time.monotonic()
    with pytest.raises(AgentFailed, match="too much") as found:
        asyncio.run(ask(agent, request))
    assert time.monotonic() - began < 20
    assert found.value.trouble is AgentTrouble.BUDGET
    # Only tokens were told: what they cost is from the table, three dollars a million.
    assert [(used.tokens_in, used.cost_usd) for used in told] == [(1000, 0.003), (2000, 0.006)]
    assert (found.value.usage.tokens_in, found.value.usage.estimated) == (2000, True)
    assert not _alive(desk.root / "bin" / "claude")


def _alive(program: Path) -> bool:
    for folder in Path("/proc").iterdir():
        try:
            if folder.name.isdigit() and str(program).encode() in (folder / "cmdline").read_bytes():
                return True
        except OSError:
            continue
    return False
