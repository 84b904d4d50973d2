"""`burnish agents`: what is installed, what it can do, and a small real round trip with one."""

from __future__ import annotations

import asyncio
import os

import click

from burnish.model.exit_codes import ExitCode


@click.group(invoke_without_command=True)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON array.")
@click.pass_context
def agents(context: click.Context, as_json: bool) -> int:
    """List the agents Burnish knows: installed, logged in, what each can do, which roles it will take."""
    if context.invoked_subcommand is not None:
        return ExitCode.OK
    from burnish.app.agents import overview
    from burnish.codec import dumps, plain
    from burnish.render.agents import table

    found = asyncio.run(overview(os.environ))
    if as_json:
        click.echo(dumps([plain(view) for view in found]))
    else:
        for line in table(found):
            click.echo(line)
    return ExitCode.OK


@agents.command()
@click.argument("name", metavar="NAME|CMD")
@click.option("--model", default="", metavar="NAME", help="A model, or: strong, fast.")
@click.option(
    "--timeout",
    "timeout_s",
    type=click.FloatRange(min=1),
    default=300.0,
    metavar="S",
    help="Seconds a step may take.",
)
@click.option(
    "--sandbox", type=click.Choice(["auto", "off", "require"]), default="auto", help="Use bubblewrap."
)
@click.option("--json", "as_json", is_flag=True, help="Print each step as one JSON line.")
def test(name: str, model: str, timeout_s: float, sandbox: str, as_json: bool) -> int:
    """Let NAME review and fix a planted bug in a scratch repository: what works, and what it costs."""
    from burnish.app.agent_trial import Trial, try_out
    from burnish.codec import dumps, plain
    from burnish.model.agent_view import TrialStep
    from burnish.render.agents import step_lines, total

    def show(step: TrialStep) -> None:
        for line in [dumps(plain(step))] if as_json else step_lines(step):
            click.echo(line)

    steps = asyncio.run(try_out(Trial(name, os.environ, model, timeout_s, sandbox), show))
    good = all(step.ok for step in steps)
    if not as_json:
        click.echo(f"{name} {'works' if good else 'does not work here'}: {total(steps)}")
    return ExitCode.OK if good else ExitCode.FAILED
