"""How an agent is given the tools of its step: by its own MCP option, or by variables of its environment."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from burnish.model.agent import Request
from burnish.model.tool_access import ToolAccess
from burnish.ports import Sandbox

SERVER = "burnish"
PACKAGE = Path(__file__).resolve().parent.parent
SOCKET, TOKEN, BRIDGE = "BURNISH_TOOLS", "BURNISH_TOOLS_TOKEN", "BURNISH_TOOLS_BRIDGE"


def tool_variables(request: Request) -> Mapping[str, str]:
    """For the bridge, and for a program that calls tools by itself: `burnish mcp call`, or the socket."""
    tools = request.open_tools
    if tools is None:
        return {}
    return {SOCKET: str(tools.socket), TOKEN: tools.token, BRIDGE: str(tools.bridge)}


def forget_calls(request: Request) -> None:
    """An agent that died after its call has said nothing: whoever is asked next begins anew."""
    if request.open_tools is not None:
        request.open_tools.forget()


def opening_names() -> tuple[str, ...]:
    """The variables that the bridge needs."""
    return (SOCKET, TOKEN)


def bridge_command(tools: ToolAccess) -> tuple[str, ...]:
    """What an MCP client starts: the bridge, by the Python that we are."""
    return (os.path.realpath(sys.executable), "-I", "-S", str(tools.bridge))


def reaching(sandbox: Sandbox, request: Request) -> Sandbox:
    """The sandbox with a way to the tools: their socket, the bridge, the Python that runs it, and our own
    program, for `burnish mcp call`: it need not lie where that Python's packages are."""
    tools = request.open_tools
    if tools is None:
        return sandbox
    readable = (*sandbox.readable, tools.bridge, Path(os.path.realpath(sys.base_prefix)), PACKAGE)
    return replace(sandbox, readable=readable, sockets=(*sandbox.sockets, tools.socket))
