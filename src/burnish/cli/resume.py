"""`burnish resume`: go on with a run that was interrupted."""

from __future__ import annotations

from typing import Any

import click

from burnish.cli.output import follow_with, output_options


@click.command()
@click.argument("run")
@click.option("--take-over", is_flag=True, help="The machine or container that held it is gone for good.")
@output_options
def resume(**options: Any) -> int:
    """Go on with RUN where it was interrupted; every finished step is kept."""
    from burnish.app.session_runs import GoesOnElsewhere
    from burnish.app.start import resume as resume_run

    try:
        return follow_with(
            options, lambda listener: resume_run(options["run"], listener, take_over=options["take_over"])
        )
    except GoesOnElsewhere as session:
        if options["take_over"]:
            raise
        # Just as its own verb would: that command is what people are told everywhere else.
        arguments = [*session.arguments, *(["--json"] if options["as_json"] else [])]
        whole = click.get_current_context().find_root().command
        return int(whole.main(arguments, prog_name="burnish", standalone_mode=False))
