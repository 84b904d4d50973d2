"""How an agent is given the tools of its step: by its own MCP option, or by variables of its environment.

Variables are inherited by all that an agent runs, so they are for plain programs that judge nothing.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from burnish.errors import AgentFailed
from burnish.model.agent import Request
from burnish.model.step import Role
from burnish.model.tool_access import ToolAccess
from burnish.ports import Sandbox

SERVER = "burnish"
PACKAGE = Path(__file__).resolve().parent.parent
SOCKET, TOKEN, BRIDGE = "BURNISH_TOOLS", "BURNISH_TOOLS_TOKEN", "BURNISH_TOOLS_BRIDGE"


def without_tools(request: Request) -> Request:
    """A reviewer that is a plain program has none: what it runs would have them as well."""
    return replace(request, open_tools=None) if request.role is Role.REVIEW else request


def tool_variables(request: Request) -> Mapping[str, str]:
    """For a program that calls tools by itself: `burnish mcp call`, the bridge, or the socket."""
    tools = without_tools(request).open_tools
    if tools is None:
        return {}
    return {SOCKET: str(tools.socket), TOKEN: tools.token, BRIDGE: str(tools.bridge)}


def forget_calls(request: Request) -> None:
    """An agent that died after its call has said nothing: whoever is asked next begins anew."""
    if request.open_tools is not None:
        request.open_tools.forget()


def admit(request: Request) -> None:
    """Before each start of an agent with a bridge; raises AgentFailed."""
    if request.open_tools is None:
        return
    try:
        request.open_tools.admit()
    except OSError as error:
        raise AgentFailed(f"the tools of the step could not be opened: {error.strerror or error}") from None


def seal_once(request: Request) -> None:
    if request.open_tools is not None:
        request.open_tools.seal_once()


def bridge_command(tools: ToolAccess) -> tuple[str, ...]:
    """What an MCP client starts: the bridge, by the Python that we are."""
    return (os.path.realpath(sys.executable), "-I", "-S", str(tools.bridge))


def reaching(sandbox: Sandbox, request: Request) -> Sandbox:
    """The sandbox with a way to the tools: their socket, the bridge, the Python that runs it, and our own
    program, for `burnish mcp call`: it need not lie where that Python's packages are."""
    tools = request.open_tools
    if tools is None:
        return sandbox
    readable = (
        *sandbox.readable,
        tools.bridge,
        tools.opening,
        Path(os.path.realpath(sys.base_prefix)),
        PACKAGE,
    )
    return replace(sandbox, readable=readable, sockets=(*sandbox.sockets, tools.socket))
