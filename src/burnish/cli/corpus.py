"""`burnish corpus`: score any parser or loop on labelled replies and gate cheats."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from burnish.corpus.score import Row, Score

SETS = ("replies", "cheats")
TIMEOUT_S = 3600.0


@click.group()
def corpus() -> None:
    """Labelled replies and gate cheats: print the questions, score a command on them."""


@corpus.command()
@click.argument("name", type=click.Choice(SETS))
@click.option("--labels", is_flag=True, help="Include the labels.")
@click.option("--author", default="", help="Only rows by this author.")
def rows(name: str, labels: bool, author: str) -> None:
    """Print the rows of a set as JSON lines, as COMMAND gets them."""
    from burnish.codec import dumps
    from burnish.corpus.score import question

    for row in _chosen(name, author):
        click.echo(dumps(row) if labels else question(row))


@corpus.command()
@click.argument("command", default="")
@click.option(
    "--set", "name", type=click.Choice(SETS), default="replies", show_default=True, help="Rows to score on."
)
@click.option("--author", default="", help="Only rows by this author.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a scored rule.")
@click.option("--wrong", is_flag=True, help="Name every row with a wrong answer.")
def score(command: str, **options: Any) -> None:
    """Score COMMAND: it reads a row a line on stdin and prints {"id": ..., "pass": true|false} for each.

    For the set cheats it prints {"id": ..., "green": true|false}. Without COMMAND, our own rules are scored
    beside naive ones. Exits with 1 when COMMAND, or ours, has a false pass or knows fewer than 99 % of the
    honest ones.
    """
    from burnish.corpus.score import score as scored

    name = options["name"]
    asked = _chosen(name, options["author"])
    if command:
        found = [scored("COMMAND", name, asked, _answers_of(command, name, asked))]
    else:
        asked, rules = _own_rules(name, asked)
        found = [scored(rule, name, asked, _told(asked, answer)) for rule, answer in rules.items()]
    for line in _printed(found, as_json=options["as_json"], wrong=options["wrong"]):
        click.echo(line)
    sys.exit(0 if found[0].sound else 1)


def _chosen(name: str, author: str) -> list[Row]:
    from burnish.corpus.score import rows as load_rows
    from burnish.errors import UsageError

    found: list[Row] = [row for row in load_rows(name) if not author or row["author"] == author]
    if not found:
        known = ", ".join(sorted({row["author"] for row in load_rows(name)}))
        raise UsageError(f"no row of {name!r} is by {author!r}", hint=f"authors: {known}")
    return found


def _own_rules(name: str, asked: list[Row]) -> tuple[list[Row], dict[str, Callable[[Row], bool]]]:
    """The rules to compare, ours first, and the rows that can be run here."""
    if name == "replies":
        from burnish.corpus import replies

        return asked, {"burnish": replies.ours, "seeds, literally": replies.seeds, "naive": replies.naive}
    from burnish.corpus import cheats

    here = [row for row in asked if not cheats.missing(row)]
    for row in asked:
        if absent := cheats.missing(row):
            click.echo(f"skipped {row['id']}: {', '.join(absent)} not found", err=True)
    return here, {"burnish": cheats.answer, "exit status": cheats.naive}


def _told(asked: Iterable[Row], answer: Callable[[Row], bool]) -> dict[str, bool]:
    """An answer to each row, with progress where that takes a while."""
    from burnish.cli.simulate import Progress

    progress, listed, found = Progress("scoring"), list(asked), {}
    for number, row in enumerate(listed):
        found[row["id"]] = answer(row)
        progress(number / len(listed))
    return found


def _answers_of(command: str, name: str, asked: list[Row]) -> dict[str, bool]:
    from burnish.corpus.score import question, read_answers
    from burnish.errors import UsageError
    from burnish.process.child import Command
    from burnish.process.supervisor import run

    lines = "".join(f"{question(row)}\n" for row in asked).encode()
    shell = ("/bin/sh", "-c", command)
    finished = asyncio.run(run(Command(shell, Path.cwd(), dict(os.environ), TIMEOUT_S, stdin=lines)))
    found = read_answers(name, finished.stdout.text)
    if not found:
        last = (finished.stderr.text.strip().splitlines() or [f"exit {finished.exit}"])[-1]
        key = '{"id": ..., "green": true}' if name == "cheats" else '{"id": ..., "pass": true}'
        raise UsageError(f"expected lines {key} from {command!r}, found none: {last}")
    return found


def _printed(found: list[Score], *, as_json: bool, wrong: bool) -> Iterator[str]:
    from burnish.codec import dumps, plain

    if as_json:
        yield from (dumps(plain(one)) for one in found)
        return
    width = max(len(one.name) for one in found)
    yield f"{'':<{width}}  false passes    honest passes known"
    for one in found:
        known = one.honest - len(one.missed)
        yield (
            f"{one.name:<{width}}  {len(one.wrong):>5} of {one.bad:<6} "
            f"{known:>5} of {one.honest} ({one.recognised:.1%})"
            + (f", {len(one.unanswered)} without an answer" if one.unanswered else "")
        )
        if wrong:
            yield from (f"  false pass: {row}" for row in one.wrong)
            yield from (f"  not known: {row}" for row in one.missed)
