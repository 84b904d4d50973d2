"""How each agent is given the tools of its step, and that the token is told to nobody else."""

from __future__ import annotations

import json
import shlex
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import burnish
from burnish.agents._adapter import CliAdapter, Room
from burnish.agents._cli_runner import CliAgent
from burnish.agents._sandboxing import sandbox_for
from burnish.agents._setup import AgentSetup
from burnish.agents._toolbox import bridge_command
from burnish.agents.claude import ADAPTER as CLAUDE
from burnish.agents.codex import ADAPTER as CODEX
from burnish.agents.command import make
from burnish.model.agent import Request
from burnish.model.step import Role


@dataclass(frozen=True)
class Access:
    socket: Path = Path("/desk/tools/socket")
    token: str = "the-secret-token"
    bridge: Path = Path("/desk/tools/bridge.py")
    opening: Path = Path("/desk/tools/opening")

    def forget(self) -> None: ...
    def admit(self) -> None: ...
    def seal_once(self) -> None: ...
    def made(self) -> tuple[tuple[str, Mapping[str, Any]], ...]:
        return ()

    def play(self, tool: str, arguments: Mapping[str, Any]) -> None: ...


TOOLS = Access()


def request(role: Role = Role.REVIEW, tools: Access | None = TOOLS) -> Request:
    return Request(
        role, "words", Path("/ws"), Path("/desk/inbox"), Path("/desk/outbox"), 60, open_tools=tools
    )


def call_of(adapter: CliAdapter, asked: Request, *, held: bool = True) -> tuple[list[str], dict[str, str]]:
    call = adapter.call(asked, Room(Path("/private"), {"HOME": "/nowhere"}, held))
    return list(call.argv), dict(call.env)


@pytest.mark.parametrize("adapter", [CLAUDE, CODEX], ids=["claude", "codex"])
@pytest.mark.parametrize("role", [Role.REVIEW, Role.IMPLEMENT])
def test_no_command_line_file_or_variable_of_a_cli_holds_the_token(adapter: CliAdapter, role: Role) -> None:
    room = Room(Path("/private"), {"HOME": "/nowhere"}, held=True)
    call = adapter.call(request(role), room)
    agent = CliAgent(adapter.name, adapter, AgentSetup({"PATH": "/usr/bin:/bin"}))
    env = agent.environment(request(role), call)
    told = " ".join((*call.argv, *env, *env.values(), *call.files.values()))
    assert TOOLS.token not in told
    assert str(TOOLS.socket) not in told
    assert "BURNISH_TOOLS" not in told
    assert str(TOOLS.bridge) in told


@pytest.mark.parametrize("role", [Role.REVIEW, Role.IMPLEMENT])
def test_claude_may_call_our_tools_and_gets_no_other_servers(role: Role) -> None:
    argv, env = call_of(CLAUDE, request(role))
    server = json.loads(argv[argv.index("--mcp-config") + 1])["mcpServers"]["burnish"]
    assert (server["command"], *server["args"]) == bridge_command(TOOLS)
    assert "env" not in server
    assert "--strict-mcp-config" in argv
    allowed = argv[argv.index("--allowedTools") :]
    assert (
        "mcp__burnish" in allowed[: next(n for n, word in enumerate(allowed[1:], 1) if word.startswith("--"))]
    )
    # Its safe mode would keep them away; what the repository brings stays out by the other settings.
    assert "CLAUDE_CODE_SAFE_MODE" not in env
    assert env["CLAUDE_CODE_DISABLE_CLAUDE_MDS"] == "1"
    assert argv[argv.index("--setting-sources") + 1] == ""


def test_claude_without_tools_is_in_safe_mode_and_knows_no_server() -> None:
    argv, env = call_of(CLAUDE, request(tools=None))
    assert env["CLAUDE_CODE_SAFE_MODE"] == "1"
    assert "--mcp-config" not in argv
    assert "mcp__burnish" not in argv


def test_codex_starts_the_bridge_and_needs_no_approval() -> None:
    argv, _ = call_of(CODEX, request())
    [told] = [word for word in argv if word.startswith("mcp_servers.")]
    server = tomllib.loads(told)["mcp_servers"]["burnish"]
    assert (server["command"], *server["args"]) == bridge_command(TOOLS)
    assert not {"env", "env_vars"} & set(server)
    assert server["default_tools_approval_mode"] == "approve"
    assert not [word for word in call_of(CODEX, request(tools=None))[0] if word.startswith("mcp_servers.")]


def test_the_sandbox_has_a_way_to_the_socket_and_the_bridge_only_where_tools_are_open() -> None:
    setup = AgentSetup({}, readable=(Path("/other"),))
    sandbox = sandbox_for(setup, request())
    assert sandbox.sockets == (TOOLS.socket,)
    assert {TOOLS.bridge, TOOLS.opening, Path("/desk/inbox"), Path("/other")} <= set(sandbox.readable)
    # `burnish mcp call` works from a home too, where else nothing is seen.
    assert Path(burnish.__file__).parent in sandbox.readable
    assert TOOLS.socket not in sandbox.writable
    assert sandbox_for(setup, request(tools=None)).sockets == ()


def test_a_command_that_reviews_has_no_tools_and_any_other_is_told_where_they_are(tmp_path: Path) -> None:
    program = tmp_path / "agent"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    agent = make(shlex.quote(str(program)), AgentSetup({"PATH": "/usr/bin:/bin"}))
    env = agent.command(request(Role.IMPLEMENT)).env
    assert env["BURNISH_TOOLS"] == str(TOOLS.socket)
    assert env["BURNISH_TOOLS_TOKEN"] == TOOLS.token
    assert env["BURNISH_TOOLS_BRIDGE"] == str(TOOLS.bridge)
    assert "BURNISH_TOOLS" not in agent.command(request(Role.IMPLEMENT, tools=None)).env
    reviewer = agent.command(request())
    assert not [name for name in reviewer.env if name.startswith("BURNISH_TOOLS")]
    assert reviewer.sandbox is None or reviewer.sandbox.sockets == ()
