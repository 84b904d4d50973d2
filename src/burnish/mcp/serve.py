"""The server for host agents: on stdio, or over HTTP on loopback behind a bearer token."""

from __future__ import annotations

import asyncio
import importlib.util
import secrets
import socket
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from burnish.errors import UsageError

if TYPE_CHECKING:
    from mcp.server.lowlevel import Server

HOST = "127.0.0.1"
PATH = "/mcp"
TOKEN = "BURNISH_MCP_TOKEN"
SHORTEST_TOKEN = 16
GRACE_S = 3


def over_stdio() -> None:
    """Until the host closes our stdin. Nothing but the protocol is written to stdout."""
    _need_the_sdk()
    asyncio.run(_stdio())


def over_http(port: int, environ: Mapping[str, str]) -> None:
    """Until somebody stops it."""
    _need_the_sdk()
    token = environ.get(TOKEN, "")
    if token and len(token) < SHORTEST_TOKEN:
        raise UsageError(
            f"expected at least {SHORTEST_TOKEN} characters in {TOKEN}, found {len(token)}.",
            hint="leave it out, and one is made",
        )
    try:
        listening = socket.create_server((HOST, port))
    except OSError as error:
        raise UsageError(
            f"{HOST}:{port} cannot be served: {error.strerror}.",
            hint="name another port, or 0 for a free one",
        ) from None
    with listening:
        chosen = token or secrets.token_urlsafe(32)
        taken = listening.getsockname()[1]
        sys.stderr.write(f"serving MCP on http://{HOST}:{taken}{PATH}\n")
        if not token:
            sys.stderr.write(f"bearer token, shown once (set {TOKEN} to choose one): {chosen}\n")
        sys.stderr.flush()
        asyncio.run(_http(listening, taken, chosen))


def _need_the_sdk() -> None:
    if importlib.util.find_spec("mcp") is None:
        raise UsageError(
            "expected the MCP SDK to be installed, found nothing of that name.",
            hint="pip install 'burnish[mcp]'",
        )


async def _stdio() -> None:
    from mcp.server.stdio import stdio_server

    from burnish.mcp.protocol import make_server
    from burnish.mcp.reviews import Reviews

    reviews = Reviews()
    server = make_server(reviews)
    try:
        async with stdio_server() as (read, write):
            await server.run(read, write, server.create_initialization_options())
    finally:
        await reviews.close()


async def _http(listening: socket.socket, port: int, token: str) -> None:
    import uvicorn

    from burnish.mcp.bearer import Bearer
    from burnish.mcp.protocol import make_server
    from burnish.mcp.reviews import Reviews

    reviews = Reviews()
    app = Bearer(_app(make_server(reviews), port), token)
    config = uvicorn.Config(app, log_config=None, access_log=False, timeout_graceful_shutdown=GRACE_S)
    try:
        await uvicorn.Server(config).serve(sockets=[listening])
    finally:
        await reviews.close()


def _app(server: Server[Any], port: int) -> Any:
    """Only for requests that name this very address, from pages of nobody else."""
    from mcp.server.transport_security import TransportSecuritySettings

    hosts = [f"{HOST}:{port}", f"localhost:{port}"]
    security = TransportSecuritySettings(
        allowed_hosts=hosts, allowed_origins=[f"http://{host}" for host in hosts]
    )
    return server.streamable_http_app(streamable_http_path=PATH, transport_security=security)
