"""`burnish status`: every task of the queue, a line each."""

from __future__ import annotations

import asyncio
import gc
import os
import shutil
import signal
import sys
import time
from typing import TYPE_CHECKING, Any

import click

from burnish.cli.completing import groups, task_ids
from burnish.errors import UsageError

if TYPE_CHECKING:
    from burnish.app.place import Place
    from burnish.model.overview import DayUse, Overview
    from burnish.model.queue import TaskView

POLL_S = 1.0
# Of the time there is, no more than this part goes into looking.
SHARE = 0.2


@click.command()
@click.argument("group", required=False, shell_complete=groups)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON list.")
@click.option(
    "--questions", is_flag=True, help="Only what waits for a person's answer, of runs and builds too."
)
@click.option("--watch", is_flag=True, help="Go on showing it until Ctrl-C.")
@click.option(
    "--why", metavar="ID", shell_complete=task_ids, help="Say why that task is where it is, and what to do."
)
def status(group: str | None, as_json: bool, questions: bool, watch: bool, why: str | None) -> None:
    """List the tasks of the queue, or those of GROUP."""
    if sum((as_json or questions, watch, why is not None)) > 1:
        raise click.UsageError("expected one of --json, --watch and --why, found more.")
    if why is not None:
        for line in asyncio.run(_why(why)):
            click.echo(line)
        return
    from burnish.app.overview import look

    place, limits = asyncio.run(_where())
    if watch:
        _watch(place, limits, group)
    # Outside of the event loop, which makes a text of its result (Task.__repr__): of ten thousand tasks.
    seen = look(place, limits, whole=as_json)
    # All of it lives to the end: it is not to be gone over again for garbage, least of all at the end.
    gc.freeze()
    if questions:
        _ask(seen, _of_group(seen, group), as_json=as_json)
    else:
        _print(seen, _of_group(seen, group), as_json=as_json)


def _print(seen: Overview, views: tuple[TaskView, ...], *, as_json: bool) -> None:
    if as_json:
        from burnish.codec import dumps
        from burnish.render.task_record import task_record

        sys.stdout.write(dumps([task_record(view) for view in views]) + "\n")
        return
    from burnish.render.tasks import coloured, overview, plain

    on_terminal = sys.stdout.isatty()
    dull = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    show = coloured if on_terminal and not dull else plain
    width = shutil.get_terminal_size().columns if on_terminal else None
    sys.stdout.write("".join(f"{show(line)}\n" for line in overview(seen, views, width)))


def _ask(seen: Overview, views: tuple[TaskView, ...], *, as_json: bool) -> None:
    from burnish.codec import dumps
    from burnish.render.waiting import asking_tasks, question_record, waiting_lines

    waiting = [*asking_tasks(views), *seen.waiting]
    lines = (
        [dumps([question_record(one) for one in waiting])] if as_json else waiting_lines(waiting, most=None)
    )
    for line in lines or ["nothing waits for an answer"]:
        click.echo(line)


def _of_group(seen: Overview, group: str | None) -> tuple[TaskView, ...]:
    if group is None:
        return seen.views
    found = tuple(view for view in seen.views if view.task.group == group)
    if not found:
        known = sorted({view.task.group for view in seen.views} - {""})
        there = f"the groups are {', '.join(known)}" if known else "no task has a group"
        raise UsageError(f"there is no group {group!r}: {there}.", hint="burnish status lists all tasks")
    return found


def _watch(place: Place, limits: DayUse | None, group: str | None) -> None:
    from burnish.app.overview import look

    # The terminal is put back in order before the end, whoever asks for it.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with _watcher() as watcher:
        while True:
            began = time.monotonic()
            seen = look(place, limits)
            watcher.show(seen, _of_group(seen, group))
            time.sleep(max(POLL_S, (time.monotonic() - began) / SHARE))


def _watcher() -> Any:
    from burnish.render.task_watch import ChangedLines, LiveTasks

    if not sys.stdout.isatty():
        return ChangedLines(sys.stdout)
    from rich.console import Console

    return LiveTasks(Console())


async def _where() -> tuple[Place, DayUse | None]:
    from burnish.app.overview import day_limits
    from burnish.app.place import find_place

    place = await find_place()
    return place, await day_limits(place)


async def _why(wanted: str) -> list[str]:
    from burnish.app.overview import look
    from burnish.app.queue_place import number_of, open_queue
    from burnish.app.task_story import story_of
    from burnish.render.task_why import why_lines

    with await open_queue() as here:
        seen = look(here.place, None)
        number = number_of(wanted)
        found = [view for view in seen.views if view.number == number]
        view = found[0] if found else here.task(wanted)
        return why_lines(story_of(here, view, seen.views), seen.cooling, seen.at)
