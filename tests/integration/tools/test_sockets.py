"""The tools of a step over their real socket: the SDK's own client through the bridge, and plain programs."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

import burnish
from burnish.agents._setup import AgentSetup
from burnish.agents._toolbox import bridge_command, tool_variables
from burnish.agents.command import make
from burnish.agents.fallback import FallbackAgent
from burnish.errors import AgentFailed, BurnishError
from burnish.model.agent import Reply, Request
from burnish.model.sandbox_mode import SandboxMode
from burnish.model.step import Role, Step
from burnish.ports import Desk
from burnish.process import bubblewrap
from burnish.team_ports import Scope, ToolCall
from burnish.tools.bridge import connect
from burnish.tools.client import call
from burnish.tools.desk import SocketTools, StepTools
from burnish.tools.wire import MOST_LINE_BYTES
from burnish.workflows.ask import ask

LOOP = "set_loop_review_result"
PASS = {"loopId": "loop-1", "passed": True}
REVIEWS, BUILDS = (Scope("r-1", role, (LOOP,), "loop-1") for role in (Role.REVIEW, Role.IMPLEMENT))


@asynccontextmanager
async def opened(folder: Path, scope: Scope) -> AsyncIterator[StepTools]:
    desk = Desk(folder / "inbox", folder / "outbox")
    for path in (desk.inbox, desk.outbox):
        path.mkdir(parents=True)
    async with SocketTools().open(Step(Role.REVIEW), desk, scope) as tools:
        yield tools


def with_tools(
    folder: Path, work: Callable[[StepTools], Coroutine[Any, Any, Any]], scope: Scope = REVIEWS
) -> tuple[StepTools, Any]:
    async def go() -> tuple[StepTools, Any]:
        async with opened(folder, scope) as tools:
            return tools, await work(tools)

    return asyncio.run(go())


async def through_the_bridge(tools: StepTools) -> tuple[list[str], list[tuple[bool, str]]]:
    """What the official client sees: the names of the tools, and how calls of one of them are answered."""
    program, *arguments = bridge_command(tools)
    server = StdioServerParameters(command=program, args=arguments, env={})
    async with stdio_client(server) as (read, write), ClientSession(read, write) as client:
        await client.initialize()
        names = [tool.name for tool in (await client.list_tools()).tools]
        answers = []
        for given in ({"loopId": "loop-2", "passed": True}, PASS, {**PASS, "passed": False}):
            told = await client.call_tool(LOOP, given)
            answers.append((bool(told.is_error), told.content[0].text))  # type: ignore[union-attr]
    return names, answers


@pytest.mark.conformance("P-18")
def test_an_agents_own_mcp_client_gives_the_verdict_through_the_bridge(tmp_path: Path) -> None:
    tools, (names, answers) = with_tools(tmp_path, through_the_bridge)
    assert names == [LOOP]
    assert [wrong for wrong, _ in answers] == [True, False, True]
    assert "here only 'loop-1' is valid" in answers[0][1]
    assert "both are kept" in answers[2][1]
    assert tools.calls(LOOP) == (ToolCall(LOOP, PASS), ToolCall(LOOP, {**PASS, "passed": False}))


async def tell(tools: StepTools, *, passed: bool) -> bool:
    arguments = {**PASS, "passed": passed}
    _, taken = await asyncio.to_thread(call, str(tools.socket), tools.token, LOOP, arguments)
    return taken


def test_a_reviewers_tools_take_one_connection_and_then_are_not_there(tmp_path: Path) -> None:
    async def work(tools: StepTools) -> tuple[bool, bool]:
        token = tools.token
        assert await tell(tools, passed=False)
        there = tools.socket.exists() or tools.opening.exists()
        with pytest.raises(BurnishError, match="cannot be reached"):
            await asyncio.to_thread(call, str(tools.socket), token, LOOP, PASS)
        return there, tools.socket.exists()

    tools, there = with_tools(tmp_path, work)
    assert there == (False, False)
    assert tools.calls(LOOP) == (ToolCall(LOOP, {**PASS, "passed": False}),)


def test_a_connection_after_the_first_command_of_a_reviewer_comes_too_late(tmp_path: Path) -> None:
    async def work(tools: StepTools) -> None:
        token = tools.token
        tools.seal_once()
        with pytest.raises(BurnishError, match="cannot be reached"):
            await asyncio.to_thread(call, str(tools.socket), token, LOOP, PASS)

    tools, _ = with_tools(tmp_path, work)
    assert tools.calls(LOOP) == ()


def test_a_reviewer_that_is_started_again_gets_a_new_token_and_one_connection(tmp_path: Path) -> None:
    async def work(tools: StepTools) -> tuple[str, str]:
        first = tools.token
        assert await tell(tools, passed=False)
        tools.admit()
        with pytest.raises(BurnishError, match="token"):
            await asyncio.to_thread(call, str(tools.socket), first, LOOP, PASS)
        tools.admit()
        assert await tell(tools, passed=False)
        return first, tools.token

    _, (first, second) = with_tools(tmp_path, work)
    assert first != second


def test_whoever_was_connected_before_a_new_start_is_cut_off(tmp_path: Path) -> None:
    async def work(tools: StepTools) -> bytes:
        wire = connect(str(tools.socket))
        with wire:
            wire.settimeout(20)
            wire.sendall(tools.token.encode() + b"\n")
            while tools.socket.exists():
                await asyncio.sleep(0.01)
            tools.admit()
            return await asyncio.to_thread(wire.recv, 10)

    assert with_tools(tmp_path, work)[1] == b""


def test_agents_that_judge_nothing_connect_as_often_as_they_like(tmp_path: Path) -> None:
    async def work(tools: StepTools) -> list[bool]:
        tools.seal_once()
        return [await tell(tools, passed=True) for _ in range(3)]

    assert with_tools(tmp_path, work, BUILDS)[1] == [True, True, True]


LOOK = """
import os, sys
pid = int(sys.argv[1])
for name in ("environ", "mem", "fd"):
    try:
        os.readlink(f"/proc/{pid}/fd/0") if name == "fd" else open(f"/proc/{pid}/{name}", "rb").read(1)
    except PermissionError:
        print(name)
"""


def test_nobody_looks_into_the_bridge(tmp_path: Path) -> None:
    """As an ordinary user, or as root without capabilities: root with all of them sees everything."""

    async def work(tools: StepTools) -> bytes:
        program, *arguments = bridge_command(tools)
        # Both: who has fewer rights than the other could not look anyhow.
        drop = ("setpriv", "--bounding-set=-all", "--inh-caps=-all") if os.geteuid() == 0 else ()
        child = await asyncio.create_subprocess_exec(
            *drop, program, *arguments, stdin=asyncio.subprocess.PIPE
        )
        while tools.socket.exists():
            await asyncio.sleep(0.01)
        look = await asyncio.create_subprocess_exec(
            *drop, program, "-I", "-S", "-c", LOOK, str(child.pid), stdout=asyncio.subprocess.PIPE
        )
        seen, _ = await look.communicate()
        child.kill()
        await child.wait()
        return seen

    assert with_tools(tmp_path, work)[1].split() == [b"environ", b"mem", b"fd"]


def test_a_folder_with_a_long_name_is_no_obstacle(tmp_path: Path) -> None:
    deep = tmp_path / ("x" * 90) / ("y" * 90)

    async def work(tools: StepTools) -> tuple[str, bool]:
        return await asyncio.to_thread(call, str(tools.socket), tools.token, LOOP, PASS)

    tools, (_, taken) = with_tools(deep, work)
    assert len(os.fsencode(tools.socket)) > 108
    assert taken
    assert tools.calls(LOOP)


def test_a_wrong_token_hears_one_sentence_and_changes_nothing(tmp_path: Path) -> None:
    async def work(tools: StepTools) -> None:
        with pytest.raises(BurnishError, match="the token is not the one of these tools"):
            await asyncio.to_thread(call, str(tools.socket), tools.token[:-1] + "!", LOOP, PASS)
        with pytest.raises(BurnishError, match="the token is not the one of these tools"):
            await asyncio.to_thread(call, str(tools.socket), "", LOOP, PASS)

    tools, _ = with_tools(tmp_path, work, BUILDS)
    assert tools.calls(LOOP) == ()


def test_only_the_user_may_connect_and_after_the_step_nobody(tmp_path: Path) -> None:
    async def work(tools: StepTools) -> tuple[int, int]:
        return tools.socket.stat().st_mode & 0o777, tools.socket.parent.stat().st_mode & 0o777

    tools, modes = with_tools(tmp_path, work)
    assert modes == (0o600, 0o700)
    assert not tools.socket.parent.exists()
    with pytest.raises(BurnishError, match="cannot be reached"):
        call(str(tools.socket), tools.token, LOOP, PASS)


def test_an_endless_line_ends_that_connection_and_no_other(tmp_path: Path) -> None:
    def shout(tools: StepTools) -> bytes:
        with connect(str(tools.socket)) as wire:
            wire.settimeout(20)
            wire.sendall(tools.token.encode() + b"\n")
            try:
                wire.sendall(b"x" * (2 * MOST_LINE_BYTES + 1))
                return wire.recv(100)
            except (BrokenPipeError, ConnectionResetError):
                return b""

    async def work(tools: StepTools) -> tuple[bytes, tuple[str, bool]]:
        heard = await asyncio.to_thread(shout, tools)
        return heard, await asyncio.to_thread(call, str(tools.socket), tools.token, LOOP, PASS)

    _, (heard, (_, taken)) = with_tools(tmp_path, work, BUILDS)
    assert heard == b""
    assert taken


def test_garbage_and_clients_that_hang_up_leave_the_tools_working(tmp_path: Path) -> None:
    def disturb(tools: StepTools) -> None:
        for words in (b"not json\n", b'{"jsonrpc":"2.0"}\n', b"[]\n", b"\xff\xfe\n", b'{"half": '):
            with connect(str(tools.socket)) as wire:
                wire.sendall(tools.token.encode() + b"\n" + words)
        connect(str(tools.socket)).close()

    async def work(tools: StepTools) -> tuple[str, bool]:
        await asyncio.to_thread(disturb, tools)
        return await asyncio.to_thread(call, str(tools.socket), tools.token, LOOP, PASS)

    tools, (_, taken) = with_tools(tmp_path, work, BUILDS)
    assert taken
    assert tools.calls(LOOP) == (ToolCall(LOOP, PASS),)


def test_a_client_that_still_listens_does_not_hold_up_the_end_of_the_step(tmp_path: Path) -> None:
    async def work(tools: StepTools) -> socket.socket:
        wire = connect(str(tools.socket))
        wire.sendall(tools.token.encode() + b"\n")
        return wire

    _, wire = with_tools(tmp_path, work)
    with wire:
        wire.settimeout(20)
        # Closed before or after it was heard: either way there is an end.
        with suppress(ConnectionResetError):
            assert wire.recv(10) == b""


def test_the_bridge_says_what_it_misses(tmp_path: Path) -> None:
    async def work(tools: StepTools) -> tuple[int | None, bytes]:
        tools.seal()
        program, *arguments = bridge_command(tools)
        child = await asyncio.create_subprocess_exec(
            program, *arguments, env={}, stdin=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE
        )
        _, said = await child.communicate()
        return child.returncode, said

    _, (code, said) = with_tools(tmp_path, work)
    assert code == 1
    assert said.startswith(b"burnish tools: the tools of this step cannot be reached: No such file")


# An agent of standard parts only: it starts the bridge as an MCP client does, and looks for our database.
AGENT = """
import os, subprocess, sys
database = sys.stdin.read()
asks = [
    '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"a","version":"1"}}}',
    '{"jsonrpc":"2.0","method":"notifications/initialized"}',
    '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"set_loop_review_result","arguments":{"loopId":"loop-1","passed":true}}}',
]
bridge = subprocess.Popen([sys.executable, os.environ["BURNISH_TOOLS_BRIDGE"]], stdin=-1, stdout=-1, text=True)
bridge.stdin.write("\\n".join(asks) + "\\n")
bridge.stdin.flush()
print([bridge.stdout.readline() for _ in range(2)][1].strip())
bridge.stdin.close()
print("database seen:", os.path.exists(database))
"""


@pytest.mark.parametrize("mode", [SandboxMode.REQUIRE, SandboxMode.OFF])
def test_a_program_in_the_sandbox_reaches_its_tools_and_not_the_database(
    tmp_path: Path, mode: SandboxMode
) -> None:
    if mode is SandboxMode.REQUIRE and not bubblewrap.usable():
        pytest.skip("bubblewrap is not usable here")
    state, workspace, script = tmp_path / "state", tmp_path / "workspace", tmp_path / "agent.py"
    workspace.mkdir()
    state.mkdir()
    (state / "burnish.db").write_text("truth")
    script.write_text(AGENT)
    setup = AgentSetup(dict(os.environ), mode=mode, hidden=(state,), network=False)
    agent = make(f"{os.path.realpath(sys.executable)} {script}", setup)

    async def work(tools: StepTools) -> Reply:
        desk = tools.socket.parent.parent
        told = str(state / "burnish.db")
        folders = workspace, desk / "inbox", desk / "outbox"
        request = Request(Role.IMPLEMENT, told, *folders, 60, open_tools=tools)
        assert set(tool_variables(request)) == {
            "BURNISH_TOOLS",
            "BURNISH_TOOLS_TOKEN",
            "BURNISH_TOOLS_BRIDGE",
        }
        return await ask(agent, request)

    tools, reply = with_tools(state / "desk", work, BUILDS)
    assert '"isError":false' in reply.text.replace(" ", "") or '"text":"recorded' in reply.text, reply.text
    assert f"database seen: {mode is SandboxMode.OFF}" in reply.text
    assert tools.calls(LOOP) == (ToolCall(LOOP, PASS),)


CALLS_AND_DIES = """
import os, subprocess, sys
sys.path.insert(0, sys.argv[1])
from burnish.tools.client import call
print(call(os.environ["BURNISH_TOOLS"], os.environ["BURNISH_TOOLS_TOKEN"], "set_loop_review_result", {"loopId": "loop-1", "passed": True}))
sys.exit(3)
"""


def test_what_an_agent_called_before_it_died_does_not_speak_for_who_stands_in(tmp_path: Path) -> None:
    workspace, script = tmp_path / "workspace", tmp_path / "agent.py"
    workspace.mkdir()
    script.write_text(CALLS_AND_DIES)
    setup = AgentSetup(dict(os.environ), mode=SandboxMode.OFF)
    source = Path(burnish.__file__).parent.parent
    dies, silent = (
        make(f"{sys.executable} {script} {source}", setup),
        make("/bin/echo REVIEW_COMPLETE", setup),
    )
    chain = FallbackAgent("dies,silent", (dies, silent))

    async def work(tools: StepTools) -> tuple[Reply, tuple[ToolCall, ...]]:
        desk = tools.socket.parent.parent
        folders = workspace, desk / "inbox", desk / "outbox"
        request = Request(Role.IMPLEMENT, "", *folders, 60, open_tools=tools)
        with pytest.raises(AgentFailed, match="recorded"):
            await ask(dies, request)
        assert tools.calls(LOOP) == (ToolCall(LOOP, PASS),)
        return await ask(chain, request), tools.calls(LOOP)

    _, (reply, calls) = with_tools(tmp_path / "desk", work, BUILDS)
    assert reply.text.strip() == "REVIEW_COMPLETE"
    assert calls == ()
