"""How Claude is given the tools of its step: its settings for one server, and what it may call of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from burnish import codec
from burnish.agents._adapter import Room
from burnish.agents._toolbox import SERVER, bridge_command
from burnish.model.agent import Request

# On top of what its flags say; it would keep our own tools away too.
_SAFE_MODE = {"CLAUDE_CODE_SAFE_MODE": "1"}


def safety(request: Request, room: Room) -> Mapping[str, str]:
    """Its safe mode, unless it has tools: then what it writes about them must not stay in a cache."""
    return {"XDG_CACHE_HOME": str(room.private / "cache")} if request.open_tools else _SAFE_MODE


def own_tools(request: Request) -> tuple[str, ...]:
    return () if request.open_tools is None else (f"mcp__{SERVER}",)


def server_settings(request: Request) -> Iterator[str]:
    if request.open_tools is None:
        return
    program, *arguments = bridge_command(request.open_tools)
    # A tool that it must search for first is one that it does not call.
    server = {"command": program, "args": arguments, "alwaysLoad": True}
    yield from ("--mcp-config", codec.dumps({"mcpServers": {SERVER: server}}))
