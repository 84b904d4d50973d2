"""The agent without a process, and how agents are chosen."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from burnish.agents._in_memory import ScriptedAgent
from burnish.agents.command import CommandAgent
from burnish.errors import AgentFailed, AgentTimedOut
from burnish.model.agent import Reply, Request
from burnish.model.step import Role
from burnish.workflows.ask import ask
from tests.unit.agents.desk import Desk


def request(workspace: Path) -> Request:
    return Request(Role.FIX, "?", workspace, workspace, workspace, timeout_s=1.0)


def test_replies_come_in_order_with_their_edits(tmp_path: Path) -> None:
    (tmp_path / "old.txt").write_text("")
    replies = ["one", Reply("two", report="r"), AgentTimedOut("late")]
    agent = ScriptedAgent(replies, [{"a/b.txt": "x", "old.txt": None}])

    async def talk() -> list[Reply]:
        return [await ask(agent, request(tmp_path)) for _ in range(2)]

    one, two = asyncio.run(talk())
    assert (one.text, one.agent_exit, two.report) == ("one", 0, "r")
    assert (tmp_path / "a/b.txt").read_text() == "x"
    assert not (tmp_path / "old.txt").exists()
    with pytest.raises(AgentTimedOut):
        asyncio.run(ask(agent, request(tmp_path)))
    with pytest.raises(AgentFailed, match="asked 4 times but has 3 replies"):
        asyncio.run(ask(agent, request(tmp_path)))
    assert len(agent.requests) == 4


def test_a_name_and_a_colon_choose_an_agent_of_ours_and_anything_else_is_a_command(plain: Desk) -> None:
    (plain.root / "s.toml").write_text("[[step]]\n")
    assert plain.agent("scripted:s.toml").name == "scripted:s.toml"
    for spec in ("scripted", "my-tool:v2 --x", "echo a:b", "command:echo hi"):
        agent = plain.agent(spec)
        assert isinstance(agent, CommandAgent)
    assert plain.agent("echo a:b").argv == ("echo", "a:b")  # type: ignore[attr-defined]
    assert plain.agent("command:echo hi").argv == ("echo", "hi")  # type: ignore[attr-defined]
