"""`burnish slots`: many agents at once, each with a task of its own, reviewed and fixed until it passes."""

from __future__ import annotations

import asyncio
import sys
from typing import Any

import click

from burnish.cli.agent_options import agent_options
from burnish.cli.budgets import BUDGETS, budget_options
from burnish.cli.live import slots_shown
from burnish.cli.output import live_options, reader_gone
from burnish.model.exit_codes import ExitCode

ROLES = ("implementer", "reviewer", "fixer")
# Options that are settings too: the flag's name, and the key it sets.
SETTINGS = {
    "fallback": "agents.fallback",
    "model": "agents.model",
    "implementer": "agents.implementer",
    "reviewer": "agents.reviewer",
    "fixer": "agents.fixer",
    "gate": "gate.command",
    "sandbox": "sandbox.mode",
    "review_max_fix_attempts": "limits.fixes",
    "parallel_agents": "slots.parallel_agents",
    "iterations": "slots.iterations",
    "source": "slots.source",
    "picks": "slots.picks",
    "close_beads": "slots.close_beads",
    **BUDGETS,
}
_COUNT = click.IntRange(min=1)


@click.command()
@click.option("--review/--no-review", default=None, help="Review each slot's work.  [default: no]")
@click.option(
    "--review-max-fix-attempts", type=click.IntRange(min=0), metavar="N",
    help="At most N fixes a slot.  [default: 5]",
)  # fmt: skip
@click.option("--developer-prompt", metavar="PATH", help="Words for developers; must be there.")
@click.option("--reviewer-prompt", metavar="PATH", help="Words for reviewers; `none` reviews nothing.")
@click.option("--prompt", metavar="PATH", help="Words for developers where no others are named.")
@click.option("--parallel-agents", type=_COUNT, metavar="N", help="So many slots at once.  [default: 1]")
@click.option("--iterations", type=_COUNT, metavar="N", help="Fill the slots N times at most.  [default: 50]")
@click.option("--until-empty", is_flag=True, help="Go on until nothing is left to pick.")
@click.option("--source", metavar="beads|tasks|checklist:FILE", help="Where the work comes from.")
@click.option(
    "--picks", type=click.Choice(("burnish", "agent")), help="Who picks what a slot does.  [default: burnish]"
)
@click.option("--close-beads/--leave-beads", default=None, help="Call `bd close` for what has landed.")
@click.option("--again", is_flag=True, help="Also what an earlier session has landed.")
@click.option("--onto", default="", metavar="BRANCH", help="Bring what passed onto this branch.")
@click.option("--resume", is_flag=True, help="Go on with the last session.")
@agent_options
@click.option("--implementer", metavar="CMD", help="Agent that implements.")
@click.option("--reviewer", metavar="CMD", help="Agent that reviews.  [default: the implementer]")
@click.option("--fixer", metavar="CMD", help="Agent that fixes.  [default: the implementer]")
@click.option("--gate", metavar="CMD", help="Check that must not turn red, such as 'pytest -q'.")
@click.option(
    "--sandbox", type=click.Choice(["auto", "off", "require"]), help="Use bubblewrap.  [default: auto]"
)
@budget_options
@live_options
def slots(**options: Any) -> int:
    """Fill slots with tasks from beads, the queue or a checklist; what passes comes together on a branch."""
    if options["until_empty"] and options["iterations"]:
        raise click.UsageError("--iterations and --until-empty are two ways to say when to end; give one.")
    return drive_slots(options)


def drive_slots(options: dict[str, Any]) -> int:
    """A session begun, or gone on with, to its end; what is not among the options is not said."""
    from burnish.process.reaping import wait_without_threads

    wait_without_threads()
    try:
        return asyncio.run(_slots(options))
    except asyncio.CancelledError:
        click.echo("interrupted; go on with: burnish slots --resume", err=True)
        return ExitCode.INTERRUPTED
    except BrokenPipeError:
        return reader_gone("burnish slots --resume")


async def _slots(options: dict[str, Any]) -> int:
    from burnish.app.slots_open import SlotsRequest
    from burnish.app.slots_session import run_slots

    # Role by role, as in `burnish spec`.
    named = {**options, **{role: options.get(role) or options.get("agent") for role in ROLES}}
    request = SlotsRequest(
        flags={key: named[name] for name, key in SETTINGS.items() if named.get(name) is not None},
        review=options.get("review"),
        developer_prompt=options.get("developer_prompt"),
        reviewer_prompt=options.get("reviewer_prompt"),
        prompt=options.get("prompt"),
        onto=options.get("onto") or "",
        iterations=options.get("iterations"),
        until_empty=bool(options.get("until_empty")),
        again=bool(options.get("again")),
        resume=bool(options.get("resume")),
    )
    async with slots_shown(options, front) as (shown, hooks):
        report = await run_slots(request, shown, hooks)
    _tell(report, as_json=options["as_json"])
    return report.exit_code


def _tell(report: Any, *, as_json: bool) -> None:
    from burnish.codec import dumps, plain
    from burnish.render.slots import summary

    if as_json:
        click.echo(dumps({"kind": "slots_report", **plain(report)}))
        return
    for line in summary(report):
        click.echo(line)
    if report.branch:
        click.echo(f"branch {report.branch}")
    for line in (report.message, *report.hints):
        click.echo(line, err=report.exit_code != 0)


def front(*, as_json: bool) -> Any:
    """JSON lines when asked, else lines for people."""
    from burnish.app.slots_session import Front

    if as_json:
        from burnish.render.jsonl import JsonLines

        every = JsonLines(sys.stdout)
        return Front(every, lambda picked, past: every)
    from burnish.render.slots import SlotLines

    lines = SlotLines(sys.stdout)

    def show(picked: Any, past: Any) -> Any:
        lines.known(past)
        return lines

    return Front(lines, show, lines.begin)
