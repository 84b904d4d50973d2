"""`burnish mcp` on stdio as a host agent uses it: the SDK's own client, a real repository, a real review."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp_types import Implementation

from tests.repos import TestRepo

NAMES = [
    "review_start", "review_status", "findings_list", "finding_dispute", "task_add", "task_status", "answer",
    "receipt_get",
]  # fmt: skip
WRONG = "import subprocess\n\n\ndef run(command):\n    return subprocess.call(command, shell=True)\n"
Call = Callable[..., Awaitable[Any]]


class Refused(Exception):
    """A tool error, in its words."""


def hosted(folder: Path, story: Callable[[Call, ClientSession], Awaitable[Any]]) -> Any:
    """Play a story with a server that was started in a folder."""

    async def go() -> Any:
        server = StdioServerParameters(
            command=sys.executable, args=["-m", "burnish", "mcp"], cwd=folder, env=dict(os.environ)
        )
        me = Implementation(name="test host", version="1")
        async with (
            stdio_client(server) as (read, write),
            ClientSession(read, write, client_info=me) as client,
        ):
            await client.initialize()

            async def call(tool: str, **arguments: Any) -> Any:
                told = await client.call_tool(tool, arguments)
                text = told.content[0].text  # type: ignore[union-attr]
                if told.is_error:
                    raise Refused(text)
                assert json.loads(text) == told.structured_content
                return told.structured_content

            return await story(call, client)

    return asyncio.run(go())


async def refusal(call: Call, tool: str, **arguments: Any) -> str:
    try:
        await call(tool, **arguments)
    except Refused as error:
        return str(error)
    raise AssertionError(f"{tool} took {arguments}")


def test_a_host_reviews_disputes_and_asks_for_the_evidence(repo: Callable[..., TestRepo]) -> None:
    mine = repo({"app.py": "x = 1\n"})
    mine.write("run.py", WRONG)

    async def story(call: Call, client: ClientSession) -> None:
        assert [tool.name for tool in (await client.list_tools()).tools] == NAMES
        started = await call("review_start", dimensions=["security"], tests=False)
        run = started["run"]
        while (status := await call("review_status", run=run))["state"] == "running":
            await asyncio.sleep(0.1)
        assert (status["outcome"], status["verdict"], status["exit_code"]) != ("passed", "pass", 0)
        [finding, *_] = status["findings"]
        assert finding["file"] == "run.py"
        listed = await call("findings_list", file="run.py")
        name = listed["findings"][0]["finding"]
        told = await call("finding_dispute", finding=name, why="the command comes from our own table")
        assert told["state"] == "refuted"
        assert "test host over MCP for" in told["history"][-1]
        assert name not in [one["finding"] for one in (await call("findings_list"))["findings"]]
        assert (await call("receipt_get", run=run))["verified"] is True

    hosted(mine.path, story)


def test_tasks_go_into_the_queue_of_the_repository_that_was_named(
    repo: Callable[..., TestRepo], tmp_path: Path
) -> None:
    mine = repo({"app.py": "x = 1\n"})
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()

    async def story(call: Call, client: ClientSession) -> None:
        assert "is not inside a git repository" in await refusal(call, "task_status")
        added = await call("task_add", repository=str(mine.path), prompt="Add login", autoReview=True)
        status = await call("task_status", repository=str(mine.path), task=str(added["task"]))
        assert (status["prompt"], status["status"], status["auto_review"]) == ("Add login", "pending", True)
        assert (await call("task_status", repository=str(mine.path)))["total"] == 1

    hosted(elsewhere, story)


def test_nothing_but_the_protocol_is_on_stdout_and_it_ends_with_its_stdin(
    repo: Callable[..., TestRepo],
) -> None:
    mine = repo({"app.py": "x = 1\n"})
    asks = [
        {"id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/list"},
    ]  # fmt: skip
    lines = "".join(json.dumps({"jsonrpc": "2.0", **ask}) + "\n" for ask in asks)
    child = subprocess.Popen(
        [sys.executable, "-m", "burnish", "mcp"], cwd=mine.path, stdin=-1, stdout=-1, stderr=-1, text=True
    )
    assert child.stdin is not None and child.stdout is not None
    child.stdin.write(lines)
    child.stdin.flush()
    answers = [json.loads(child.stdout.readline()) for _ in range(2)]
    out, err = child.communicate(timeout=60)
    assert [answer["id"] for answer in answers] == [1, 2]
    assert answers[0]["result"]["serverInfo"]["name"] == "burnish"
    assert (child.returncode, out, err) == (0, "", "")
