"""`burnish log`: what happened in a run or in all attempts at a task, event by event."""

from __future__ import annotations

import asyncio
import sys
import time
from typing import TYPE_CHECKING

import click

from burnish.cli.completing import task_ids

if TYPE_CHECKING:
    from burnish.app.queue_place import QueuePlace
    from burnish.model.queue import TaskView
    from burnish.model.run_view import RunView

POLL_S = 0.3
# Of the time there is, no more than this part goes into looking.
SHARE = 0.2


@click.command()
@click.argument("wanted", metavar="ID", shell_complete=task_ids)
@click.option("-f", "--follow", is_flag=True, help="Go on until it ends.")
@click.option("--json", "as_json", is_flag=True, help="Print each event as one JSON line.")
def log(wanted: str, follow: bool, as_json: bool) -> None:
    """Print the events of run ID, or of every attempt at task ID."""
    asyncio.run(_log(wanted, follow=follow, as_json=as_json))


async def _log(wanted: str, *, follow: bool, as_json: bool) -> None:
    from burnish.app.named import find_named
    from burnish.app.queue_place import open_queue
    from burnish.render.jsonl import JsonLines
    from burnish.render.plain import PlainLines
    from burnish.store.queries import run_events

    say = JsonLines(sys.stdout) if as_json else PlainLines(sys.stdout, times=True)
    with await open_queue() as here:
        found, _ = find_named(here, wanted)
        seen: dict[str, int] = {}
        waits = follow
        while True:
            began = time.monotonic()
            live, runs = _now(here, found)
            for run in runs:
                for recorded in run_events(here.database, run, seen.get(run, 0)):
                    say(recorded)
                    seen[run] = recorded.seq
            # Asked before the events were read, so that the last ones are never missed.
            if not (follow and live):
                break
            if waits and not seen:
                click.echo(f"{_silence(found)}; waiting for it", err=True)
            waits = False
            await asyncio.sleep(max(POLL_S, (time.monotonic() - began) / SHARE))
        if not seen:
            click.echo(_silence(found), err=True)


def _now(here: QueuePlace, found: TaskView | RunView) -> tuple[bool, tuple[str, ...]]:
    """Whether there is more to come, and the runs to tell of, oldest first."""
    from burnish.model.queue import TaskState, TaskView
    from burnish.store.leases import this_process
    from burnish.store.queries import find_run

    if isinstance(found, TaskView):
        view = here.queue.find(found.number)
        # What waits to be started is followed too: into its first run, or its next.
        coming = view.state in (TaskState.PENDING, TaskState.IN_PROGRESS, TaskState.INTERRUPTED)
        return coming, here.queue.attempts(view.task)
    return find_run(here.database, found.id, this_process()).live, (found.id,)


def _silence(found: TaskView | RunView) -> str:
    from burnish.model.queue import TaskView

    if isinstance(found, TaskView):
        return f"nothing happened yet: task #{found.number} is {found.state}"
    return f"nothing is recorded about {found.id}"
