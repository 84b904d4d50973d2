"""`burnish work`: do what is in the queue."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

import click

from burnish.cli.agent_options import AGENT_SETTINGS, agent_options
from burnish.cli.budgets import Dollars, Minutes
from burnish.cli.completing import task_ids
from burnish.cli.output import output_options, task_renderer

if TYPE_CHECKING:
    from burnish.config.load import Flag
    from burnish.model.queue import QueueTask
    from burnish.ports import Listener

DAY = {
    "max_cost": "budget.day_cost_usd",
    "max_tokens": "budget.day_tokens",
    "max_time": "budget.day_minutes",
}
# What a verb does first; the numbers of the tasks to work on, or None for none.
Prepare = Callable[[Any, dict[str, Any]], Awaitable[frozenset[int] | None]]


@click.command()
@click.argument("tasks", nargs=-1, metavar="[ID]...", shell_complete=task_ids)
@click.option("--all", "everything", is_flag=True, help="Go on until nothing is ready any more.")
@click.option("-j", "--jobs", type=click.IntRange(min=1), metavar="N", help="So many tasks at once.")
@agent_options
@click.option("--watch", is_flag=True, help="Wait for new tasks instead of ending.")
@click.option("--max-cost", type=Dollars(), metavar="USD", help="Start nothing more once 24 hours cost this.")
@click.option("--max-tokens", type=click.IntRange(min=1), metavar="N", help="The same in tokens.")
@click.option("--max-time", type=Minutes(), metavar="8h", help="The same in agents' time.")
@click.option("--estimate", is_flag=True, help="Only tell what it may cost.")
@output_options
def work(**options: Any) -> int:
    """Do the next task, those named, or all: implement, review and improve until approved."""
    return drive(options, _named)


async def _named(here: Any, options: dict[str, Any]) -> frozenset[int]:
    from burnish.app.task_verbs import check_ready

    numbers = frozenset(here.task(wanted).number for wanted in options["tasks"])
    check_ready(here, numbers)
    return numbers


def drive(options: dict[str, Any], prepare: Prepare) -> int:
    from burnish.process.reaping import wait_without_threads

    wait_without_threads()
    return asyncio.run(_drive(options, prepare))


async def _drive(options: dict[str, Any], prepare: Prepare) -> int:
    from burnish.app.pool_plan import Asked, plan_pool
    from burnish.app.queue_place import open_queue

    with await open_queue() as here:
        numbers = await prepare(here, options)
        if numbers is None:
            return 0
        asked = Asked(
            numbers,
            bool(options.get("everything")),
            bool(options.get("watch")),
            options.get("jobs"),
            _day(options),
            agents=_flags(options, AGENT_SETTINGS),
        )
        jobs = 1

        def show(task: QueueTask) -> Listener:
            return task_renderer(task, as_json=options["as_json"], beside=jobs > 1)

        plan = await plan_pool(here, asked, show, lambda text: click.echo(text, err=True))
        jobs = plan.wanted.jobs
        if asked.everything or options.get("estimate"):
            for line in plan.estimate:
                click.echo(line, err=not options.get("estimate"))
        if options.get("estimate"):
            return 0
        tally = await plan.pool.work(plan.wanted)
        if not tally.ended and not tally.signalled:
            click.echo(tally.stopped or "nothing to do: no task is ready (burnish status)", err=True)
        elif tally.stopped:
            click.echo(tally.stopped, err=True)
        return tally.exit_code


def _day(options: dict[str, Any]) -> dict[str, Flag] | None:
    """The budgets among the options, as settings of the day."""
    return _flags(options, DAY) or None


def _flags(options: dict[str, Any], keys: dict[str, str]) -> dict[str, Flag]:
    from burnish.config.load import Flag

    given = {name: options.get(name) for name in keys}
    return {
        keys[name]: Flag(f"--{name.replace('_', '-')}", value)
        for name, value in given.items()
        if value is not None
    }
