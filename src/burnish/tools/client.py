"""One call of a tool over a step's socket, for agents that are plain programs."""

from __future__ import annotations

from io import BufferedRWPair
from typing import Any

from burnish import __version__
from burnish.codec import dumps, loads
from burnish.errors import BurnishError
from burnish.tools.bridge import connect

PROTOCOL = "2025-06-18"
LIMIT_S = 60.0


def call(place: str, token: str, tool: str, arguments: dict[str, Any]) -> tuple[str, bool]:
    """What the tool answers, and whether it took the call. Raises BurnishError when nobody answers."""
    hello = {
        "protocolVersion": PROTOCOL,
        "capabilities": {},
        "clientInfo": {"name": "burnish mcp call", "version": __version__},
    }
    try:
        with connect(place) as wire, wire.makefile("rwb") as file:
            wire.settimeout(LIMIT_S)
            file.write(token.encode() + b"\n")
            _ask(file, {"id": 1, "method": "initialize", "params": hello})
            _say(file, {"method": "notifications/initialized"})
            params = {"name": tool, "arguments": arguments}
            found = _ask(file, {"id": 2, "method": "tools/call", "params": params})
    except (OSError, ValueError) as error:
        raise BurnishError(
            f"the tools at {place} cannot be reached: {error}",
            hint="they are there only while the step they were opened for lasts",
        ) from None
    text = "\n".join(str(part.get("text", "")) for part in found.get("content", ()))
    return text, not found.get("isError", False)


def _say(file: BufferedRWPair[Any, Any], message: dict[str, Any]) -> None:
    file.write(dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
    file.flush()


def _ask(file: BufferedRWPair[Any, Any], message: dict[str, Any]) -> dict[str, Any]:
    """The result with the number of the question; what else is told in between is passed over."""
    _say(file, message)
    for line in file:
        found = loads(line.decode("utf8"))
        if isinstance(found, dict) and found.get("id") in (message["id"], None) and "error" in found:
            raise BurnishError(str(found["error"].get("message", "refused")))
        if isinstance(found, dict) and found.get("id") == message["id"]:
            return dict(found.get("result", {}))
    raise ValueError("the connection was closed")
