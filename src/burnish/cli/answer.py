"""`burnish answer`: answer a question that waits for a person, and go on."""

from __future__ import annotations

import asyncio
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

import click

from burnish.cli.completing import task_ids
from burnish.cli.output import follow_with, output_options
from burnish.model.exit_codes import ExitCode

if TYPE_CHECKING:
    from burnish.app.answer import Given


@click.command()
@click.argument("run", metavar="RUN", shell_complete=task_ids)
@click.argument("text", metavar="TEXT", nargs=-1, required=True)
@click.option("--by", default="", metavar="NAME", help="Who answers.  [default: you]")
@click.option(
    "--later", is_flag=True, help="Only record it; work, resume, or --resume of its session go on with it."
)
@output_options
def answer(**options: Any) -> int:
    """Answer what RUN asks (a run, a task of the queue, a loop, or a build with one that waits).

    The answer is recorded with your name, reaches the agents in their next prompt, and the work goes on where
    it was, up to its next review. It approves nothing: `burnish edit ID --verdict APPROVED` does.
    """
    given = asyncio.run(_record(options))
    if options["later"]:
        click.echo(f"{given.said}; go on with: {_go_on(given)}")
        return ExitCode.OK
    if not options["as_json"]:
        click.echo(given.said)
    return _drive(given, options)


async def _record(options: dict[str, Any]) -> Given:
    from burnish.app.answer import give_answer
    from burnish.app.queue_place import open_queue

    with await open_queue() as here:
        return await give_answer(here, options["run"], " ".join(options["text"]), options["by"])


def _go_on(given: Given) -> str:
    if given.slots:
        return "burnish slots --resume"
    if given.build:
        return f"burnish build {quote(given.build)} --resume"
    return f"burnish work {given.task}" if given.task else f"burnish resume {given.run}"


def _drive(given: Given, options: dict[str, Any]) -> int:
    """As the verb does that would go on with it."""
    if given.slots:
        from burnish.cli.slots import drive_slots

        return drive_slots({"resume": True, "as_json": options["as_json"]})
    if given.build:
        from burnish.cli.build import drive_build

        return drive_build({"document": Path(given.build), "resume": True, "as_json": options["as_json"]})
    if given.task:
        from burnish.cli.work import drive

        numbers = frozenset({given.task})

        async def these(here: Any, options: dict[str, Any]) -> frozenset[int]:
            return numbers

        return drive(options, these)
    from burnish.app.start import resume

    return follow_with(options, lambda listener: resume(given.run, listener))
