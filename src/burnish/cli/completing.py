"""What the shell may offer for an ID or a group: the tasks of this repository, quickly and without a word."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem

if TYPE_CHECKING:
    from burnish.model.queue import TaskView

MOST = 500
TITLE_CELLS = 60


def task_ids(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Numbers of tasks that begin so, each with its title; shells that can show it do."""
    from burnish.render.columns import cut
    from burnish.sanitise import clean_line

    wanted = incomplete.removeprefix("#")
    found = [view for view in _tasks() if str(view.number).startswith(wanted)]
    return [
        CompletionItem(
            str(view.number), help=f"{view.state}: {cut(clean_line(view.task.title), TITLE_CELLS)}"
        )
        for view in found[:MOST]
    ]


def groups(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    from burnish.sanitise import clean_line

    names = {view.task.group for view in _tasks()} - {""}
    # A name that would have to be escaped for a screen is nothing to be typed by a shell.
    return [
        CompletionItem(name)
        for name in sorted(names)
        if name.startswith(incomplete) and clean_line(name) == name
    ]


def _tasks() -> tuple[TaskView, ...]:
    """None outside of a repository, and none before there is a queue: nothing is made for being asked."""
    from burnish.app.place import find_place
    from burnish.errors import BurnishError
    from burnish.store.glance import glance
    from burnish.store.holders import this_process

    try:
        place = asyncio.run(find_place())
    except BurnishError:
        return ()
    return glance(place.database, lambda at: at.tasks(this_process())) or ()
