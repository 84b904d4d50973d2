"""The figures of a simulation as lines of at most 80 columns, and as plain data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

from burnish.simulator.tally import HORIZON, Tally
from burnish.simulator.trial import Cell, Setting, by_policy

COLUMNS = ("rounds", "wasted", "passed", "false", "stops", "wrong", "clean", "price")
LEGEND = (
    "rounds: reviews a run; wasted: those that neither ended in the pass nor saw",
    "  fewer defects than ever before. passed: without a defect that blocks;",
    "  false: passed with one. stops: ended early by the policy; wrong: though",
    f"  {HORIZON} rounds more would have passed or brought the change further than ever;",
    "  clean: with nothing left that blocks. price: reviews for each pass.",
)
_NAME = 28


def cells(total: Tally) -> tuple[str, ...]:
    """One figure for each of COLUMNS."""
    per_pass = f"{total.rounds / total.true_passes:.2f}" if total.true_passes else "-"
    return (
        f"{total.rounds / total.runs:.2f}",
        f"{total.wasted_rounds / total.runs:.2f}",
        *(str(total.true_passes), str(total.false_passes)),
        *(str(total.stops), str(total.wrong_stops), str(total.clean_stops)),
        per_pass,
    )


def lines(setting: Setting, found: Mapping[Cell, Tally], *, full: bool = False) -> Iterator[str]:
    """The sums of each policy, and before them each reviewer with each fixer when `full`."""
    if full:
        for reviewer, fixer in dict.fromkeys((cell.reviewer, cell.fixer) for cell in found):
            ours = {cell.policy: total for cell, total in found.items() if _is(cell, reviewer, fixer)}
            yield from _table(f"{reviewer} x {fixer}", ours)
            yield ""
    sums = by_policy(found)
    yield from _table("policy", sums)
    runs = max((total.runs for total in sums.values()), default=0)
    yield ""
    yield f"{runs:,} runs a policy, at most {setting.cycles} reviews each, seed {setting.seed}"
    yield from LEGEND


def _is(cell: Cell, reviewer: str, fixer: str) -> bool:
    return (cell.reviewer, cell.fixer) == (reviewer, fixer)


def _table(title: str, rows: Mapping[str, Tally]) -> Iterator[str]:
    table = [COLUMNS, *(cells(total) for total in rows.values())]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for name, figures in zip([title, *rows], table, strict=True):
        short = name if len(name) <= _NAME else name[: _NAME - 1] + "…"
        row = "".join(f" {figure:>{width}}" for figure, width in zip(figures, widths, strict=True))
        yield f"{short:{_NAME}}{row}"


def plain(setting: Setting, found: Mapping[Cell, Tally]) -> dict[str, Any]:
    """All of it as data: what was asked, the sums, and every reviewer with every fixer."""
    return {
        "setting": asdict(setting),
        "policies": [{"policy": name, **asdict(total)} for name, total in by_policy(found).items()],
        "pairs": [{**asdict(cell), **asdict(total)} for cell, total in found.items()],
    }
