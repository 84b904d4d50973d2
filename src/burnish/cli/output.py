"""What the verbs that drive a run share: how its events are shown, and how the loop is started."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable, Coroutine, Mapping
from typing import Any, TextIO, TypeVar

import click

from burnish.errors import READER_GONE
from burnish.model.exit_codes import ExitCode
from burnish.model.queue import QueueTask
from burnish.ports import Listener
from burnish.process.reaping import wait_without_threads

F = TypeVar("F", bound=Callable[..., Any])


def reader_gone(go_on: str) -> ExitCode:
    """Whoever read our lines is gone (`| head`): what was done is kept, nothing more can be said there."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    click.echo(f"{READER_GONE}; go on with: {go_on}", err=True)
    return ExitCode.INTERRUPTED


def tell_report(report: Any, words: Any, *, as_json: bool) -> None:
    """A session's end; `words` is the module of `render` with its `data`, its `summary` and its `ending`."""
    from burnish.codec import dumps

    if as_json:
        click.echo(dumps(words.data(report)))
        return
    for line in words.summary(report):
        click.echo(line)
    for line in words.ending(report):
        click.echo(line, err=report.exit_code != 0)


def output_options(command: F) -> F:
    return click.option("--json", "as_json", is_flag=True, help="Print each event as one JSON line.")(command)


def live_options(command: F) -> F:
    """Of a verb that shows rows on a terminal."""
    plain = click.option("--plain", is_flag=True, help="Print lines on a terminal, too; no live rows.")
    return plain(output_options(command))


def on_a_live_terminal(
    options: Mapping[str, Any], out: TextIO | None = None, environ: Mapping[str, str] = os.environ
) -> bool:
    """Whether rows can be drawn over in place, and nobody wants it otherwise."""
    out = out or sys.stdout
    if options.get("as_json") or options.get("plain") or not out.isatty():
        return False
    drawn = environ.get("TERM", "") not in ("", "dumb", "unknown")
    return drawn and out.encoding.lower().startswith("utf")


def renderer(*, as_json: bool) -> Listener:
    """JSON lines when asked, the live lines on a terminal, plain lines everywhere else."""
    if as_json:
        from burnish.render.jsonl import JsonLines

        return JsonLines(sys.stdout)
    if sys.stdout.isatty():
        from rich.console import Console

        from burnish.render.terminal import TerminalLines

        return TerminalLines(Console())
    from burnish.render.plain import PlainLines

    return PlainLines(sys.stdout)


def task_renderer(task: QueueTask, *, as_json: bool, beside: bool) -> Listener:
    """The lines of a task at work are the same on a terminal and in a file; only colour and clock differ."""
    if as_json:
        return renderer(as_json=True)
    from rich.console import Console

    from burnish.render.terminal import TerminalLines

    total = task.max_review_cycles if task.auto_review else 0
    return TerminalLines(Console(), label=f"#{task.number}", beside=beside, total=total)


def follow_with(options: dict[str, Any], work: Callable[[Listener], Coroutine[Any, Any, int]]) -> int:
    """Run the work to its end with its events shown; the exit code is the run's."""
    wait_without_threads()
    return asyncio.run(work(renderer(as_json=options["as_json"])))
