"""Host tools in the words of the protocol, on the official SDK."""

from __future__ import annotations

import logging
from typing import Any

import mcp_types as types
from mcp.server.lowlevel import Server

from burnish import __version__
from burnish.codec import dumps
from burnish.errors import BurnishError
from burnish.mcp.host_tools import TOOLS, answer, sentence
from burnish.mcp.reviews import Reviews
from burnish.tools import inputs

INSTRUCTIONS = (
    "Burnish reviews changes of git repositories and keeps the evidence. Start with review_start, ask"
    " review_status until it has ended, repair what it found, and start another one."
)
# What the SDK says about clients that went away is nothing for the host's log.
logging.getLogger("mcp").addHandler(logging.NullHandler())


def make_server(reviews: Reviews) -> Server[Any]:
    async def tools(_: Any, __: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[_tool(name) for name in TOOLS])

    async def call(context: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        told = context.session.client_params
        client = told.client_info.name if told else ""
        try:
            found = await answer(params.name, params.arguments or {}, reviews, client)
        except BurnishError as error:
            return types.CallToolResult(content=[_text(sentence(error))], is_error=True)
        return types.CallToolResult(content=[_text(dumps(found))], structured_content=found)

    return Server(
        "burnish", version=__version__, instructions=INSTRUCTIONS, on_list_tools=tools, on_call_tool=call
    )


def _tool(name: str) -> types.Tool:
    tool = TOOLS[name]
    return types.Tool(
        name=name,
        description=tool.about,
        input_schema=inputs.schema(tool.input),
        annotations=types.ToolAnnotations(
            read_only_hint=tool.reads, destructive_hint=False, open_world_hint=False
        ),
    )


def _text(text: str) -> types.TextContent:
    return types.TextContent(type="text", text=text)
