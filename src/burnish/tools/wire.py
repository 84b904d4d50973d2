"""The MCP side of a step's tools, on the official SDK: one connection of its socket at a time."""

from __future__ import annotations

import asyncio
import hmac
import logging
from typing import Any

import anyio
import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

from burnish import __version__
from burnish.codec import dumps
from burnish.tools.taken import Taken

NAME = "burnish"
MOST_LINE_BYTES = 4 * 1024 * 1024
TOKEN_S = 10.0
_WRONG = {"code": -32001, "message": "the token is not the one of these tools"}
WRONG_TOKEN = dumps({"jsonrpc": "2.0", "id": None, "error": _WRONG}).encode() + b"\n"

# What it says about broken connections is nothing that a user of Burnish must read.
logging.getLogger("mcp").addHandler(logging.NullHandler())


def make_server(taken: Taken) -> Server[Any]:
    """One for all connections of a step."""

    async def tools(_: Any, __: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return types.ListToolsResult(
            tools=[
                types.Tool(name=tool.name, description=tool.about, input_schema=tool.schema())
                for tool in taken.tools
            ]
        )

    async def call(_: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        answer = taken.take(params.name, params.arguments or {})
        return types.CallToolResult(
            content=[types.TextContent(type="text", text=answer.text)], is_error=answer.refused
        )

    return Server(NAME, version=__version__, on_list_tools=tools, on_call_tool=call)


async def converse(
    server: Server[Any], token: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> None:
    """One connection to its end. Whoever does not know the token hears one sentence and nothing else."""
    try:
        if not await _opens(token, reader):
            writer.write(WRONG_TOKEN)
            await writer.drain()
            return
        into, messages = anyio.create_memory_object_stream[SessionMessage | Exception](0)
        answers, out_of = anyio.create_memory_object_stream[SessionMessage](0)
        async with asyncio.TaskGroup() as group:
            group.create_task(_listen(reader, into))
            group.create_task(_answer(out_of, writer))
            group.create_task(_serve(server, messages, answers))
    except* (OSError, anyio.BrokenResourceError, anyio.ClosedResourceError):
        # It went away in the middle of a sentence.
        pass
    finally:
        writer.close()


async def _opens(token: str, reader: asyncio.StreamReader) -> bool:
    try:
        async with asyncio.timeout(TOKEN_S):
            line = await reader.readline()
    except (TimeoutError, ValueError):
        return False
    return hmac.compare_digest(line.strip(), token.encode())


async def _serve(server: Server[Any], messages: Any, answers: Any) -> None:
    async with messages, answers:
        await server.run(messages, answers, server.create_initialization_options())


async def _listen(reader: asyncio.StreamReader, into: Any) -> None:
    """A message a line; one that is none is told to the SDK, one that is too long ends the connection."""
    async with into:
        while True:
            try:
                line = await reader.readline()
            except ValueError:
                return
            if not line:
                return
            try:
                message = types.jsonrpc_message_adapter.validate_json(line, by_name=False)
            except ValidationError as error:
                await into.send(error)
                continue
            await into.send(SessionMessage(message))


async def _answer(out_of: Any, writer: asyncio.StreamWriter) -> None:
    async with out_of:
        async for said in out_of:
            writer.write(said.message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n")
            await writer.drain()
