"""Every policy against simulated reviewers and fixers: what it saves, and what it stops wrongly."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from bench.section import Page
from bench.section import Setting as BenchSetting
from burnish.simulator.fixers import FIXERS
from burnish.simulator.reviewers import REVIEWERS
from burnish.simulator.table import COLUMNS, LEGEND, cells
from burnish.simulator.tally import Tally
from burnish.simulator.trial import NONE, Cell, Setting, by_policy, simulate

RUNS, QUICK = 200, 2
SEED = 1
# A long limit, where stopping early matters most, and the limit that most profiles have.
CYCLES = (10, 3)
RECOMMENDED = "no-progress=2"


def section(setting: BenchSetting, page: Page) -> None:
    runs = QUICK if setting.quick else RUNS
    page.say(
        f"The real loop and the real policies with simulated hands; each policy has {runs:,} runs with each of "
        f"{len(REVIEWERS)} reviewers and {len(FIXERS)} fixers, the same ones for every policy. The gate notices "
        f"{Setting().gate_share:.0%} of the defects that block. It is seeded (`--seed {SEED}`), so anyone gets these "
        "very figures; `make simulate` writes them here. What they mean for the defaults: "
        "[convergence](concepts/convergence.md)."
    )
    page.say(" ".join(line.strip() for line in LEGEND).replace("rounds: reviews", "*rounds*: reviews", 1))
    for cycles in CYCLES:
        asked = Setting(runs=runs, seed=SEED, cycles=cycles)
        found = asyncio.run(simulate(asked))
        page.say(f"At most {cycles} reviews: `burnish simulate --runs {runs} --cycles {cycles}`.")
        page.table(["policy", *COLUMNS], [[name, *cells(total)] for name, total in by_policy(found).items()])
        if cycles == CYCLES[0]:
            _by_pair(page, found)
            _in_full(page, found, f"burnish simulate --runs {runs} --cycles {cycles} --full")


def _by_pair(page: Page, found: Mapping[Cell, Tally]) -> None:
    """The recommended policy beside none, for each reviewer and fixer."""
    rows = []
    for reviewer in REVIEWERS:
        for fixer in FIXERS:
            plain, ours = found[Cell(NONE, reviewer, fixer)], found[Cell(RECOMMENDED, reviewer, fixer)]
            rows.append(
                [
                    f"{reviewer} x {fixer}",
                    f"{plain.rounds / plain.runs:.2f} → {ours.rounds / ours.runs:.2f}",
                    f"{plain.true_passes} → {ours.true_passes}",
                    f"{plain.false_passes} → {ours.false_passes}",
                    f"{ours.wrong_stops} of {ours.stops}",
                ]
            )
    page.say(f"Without a policy → with `{RECOMMENDED}`:")
    page.table(["reviewer x fixer", "rounds", "passed", "false", "wrong stops"], rows)


def _in_full(page: Page, found: Mapping[Cell, Tally], command: str) -> None:
    page.say(
        f"<details><summary>Every policy with every reviewer and fixer (<code>{command}</code>)</summary>"
    )
    rows = [[cell.reviewer, cell.fixer, cell.policy, *cells(total)] for cell, total in found.items()]
    page.table(["reviewer", "fixer", "policy", *COLUMNS], rows)
    page.say("</details>")
