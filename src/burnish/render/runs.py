"""Runs as a table for people and as records for programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from burnish.codec import plain
from burnish.model.run_view import RunView
from burnish.render.columns import cells, cut, filled
from burnish.sanitise import clean_line

TITLE_WIDTH = 50


def table(runs: Sequence[RunView], tasks: Mapping[str, int] | None = None) -> str:
    """Aligned columns that read the same without colour. `tasks`: numbers by run."""
    head: tuple[str, ...] = ("RUN", "STATE", "VERDICT", "CYCLES", "STARTED", "TITLE", "BRANCH")
    rows = [head, *(_row(run) for run in runs)]
    if tasks and any(run.id in tasks for run in runs):
        column = ["TASK", *(f"#{tasks[run.id]}" if run.id in tasks else "-" for run in runs)]
        rows = [(row[0], cell, *row[1:]) for row, cell in zip(rows, column, strict=True)]
        head = rows[0]
    widths = [max(cells(row[column]) for row in rows) for column in range(len(head))]
    aligned = (
        "  ".join(filled(cell, width) for cell, width in zip(row, widths, strict=True)) for row in rows
    )
    return "\n".join(line.rstrip() for line in aligned)


def _row(run: RunView) -> tuple[str, ...]:
    title = cut(clean_line(run.title), TITLE_WIDTH)
    verdict = run.final_verdict or run.native or "-"
    started = run.created_at[:16].replace("T", " ")
    return (
        run.id,
        "stale" if run.stale else run.outcome or run.shown_state,
        verdict,
        str(run.cycles),
        started,
        title,
        run.branch or "-",
    )


def as_record(view: RunView) -> dict[str, Any]:
    """One run as `runs --json` prints it; the stored request is internal and left out."""
    record: dict[str, Any] = plain(view)
    del record["spec"]
    return {"run": record.pop("id"), **record, "cost_basis": str(view.spent.basis)}
