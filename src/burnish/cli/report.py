"""`burnish report`: what the queue did while nobody looked."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from burnish.model.morning import Morning


@click.command()
@click.option("--since", default="12h", show_default=True, metavar="WHEN", help="30m, 12h, 2d, or a date.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["markdown", "html"]),
    help="Unset: as the name of FILE ends, else markdown.",
)
@click.option("--output", type=click.Path(path_type=Path), metavar="FILE", help="Write it there.")
def report(since: str, form: str | None, output: Path | None) -> None:
    """Tell what ended, what needs a person and what is still to do."""
    morning = asyncio.run(_morning(since))
    looks_html = output is not None and output.suffix.lower() in (".html", ".htm")
    if (form or ("html" if looks_html else "markdown")) == "html":
        from burnish.render.report_html import render
    else:
        from burnish.render.report_markdown import render
    page = render(morning)
    if output is None:
        click.echo(page, nl=False)
        return
    try:
        output.write_text(page, "utf8")
    except OSError as error:
        from burnish.errors import UsageError

        raise UsageError(f"the report cannot be written to {output}: {error.strerror}.") from None
    click.echo(f"written to {output}", err=True)


async def _morning(since: str) -> Morning:
    from datetime import UTC, datetime

    from burnish.app.queue_place import open_queue
    from burnish.app.report import morning, since_when

    when = since_when(since, datetime.now(UTC))
    with await open_queue() as here:
        return morning(here, when)
