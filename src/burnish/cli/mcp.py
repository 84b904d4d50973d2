"""`burnish mcp`: Burnish as tools of another agent, and `mcp call` for agents that Burnish itself started."""

from __future__ import annotations

import os
import sys

import click

from burnish.errors import UsageError
from burnish.model.exit_codes import ExitCode

MOST_ARGUMENT_BYTES = 4 * 1024 * 1024


@click.group(invoke_without_command=True)
@click.option(
    "--http", "port", type=click.IntRange(0, 65535), metavar="PORT",
    help="Serve HTTP on 127.0.0.1:PORT/mcp instead of stdio; 0 takes a free port.",
)  # fmt: skip
@click.pass_context
def mcp(context: click.Context, port: int | None) -> None:
    """Serve Burnish to a host agent over MCP, on stdio unless --http is given.

    Over HTTP each request needs the bearer token of BURNISH_MCP_TOKEN; without that variable one is made and
    shown once.
    """
    if context.invoked_subcommand is not None:
        return
    from burnish.mcp.serve import over_http, over_stdio

    if port is None:
        over_stdio()
    else:
        over_http(port, os.environ)


@mcp.command()
@click.argument("tool")
@click.argument("arguments", default="{}")
def call(tool: str, arguments: str) -> int:
    """Call TOOL of the step that this program works on, with ARGUMENTS as JSON ('-': from stdin).

    For agents that Burnish started: BURNISH_TOOLS and BURNISH_TOOLS_TOKEN say where the tools are.
    """
    from burnish.codec import loads
    from burnish.sanitise import clean
    from burnish.tools.client import call as call_tool

    place, token = os.environ.get("BURNISH_TOOLS", ""), os.environ.get("BURNISH_TOOLS_TOKEN", "")
    if not place or not token:
        raise UsageError(
            "expected BURNISH_TOOLS and BURNISH_TOOLS_TOKEN in the environment, found no tools",
            hint="this is for agents that Burnish started, while their step lasts",
        )
    try:
        text = sys.stdin.buffer.read(MOST_ARGUMENT_BYTES).decode("utf8") if arguments == "-" else arguments
        given = loads(text)
    except ValueError as error:
        raise UsageError(f"expected the arguments as JSON: {error}", hint="put them into quotes") from None
    if not isinstance(given, dict):
        raise UsageError("expected the arguments as a JSON object", hint='for example {"taskId": "task-1"}')
    answer, taken = call_tool(place, token, tool, given)
    click.echo(clean(answer), err=not taken)
    return ExitCode.OK if taken else ExitCode.FAILED
