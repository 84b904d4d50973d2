"""A hundred thousand findings of seven dimensions and several tools: once each, worst first, in one process."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time

from bench._drive import cpu_s, peak_mb
from bench._scene import ROOT
from bench.section import Page, Setting, spread

FINDINGS, QUICK = 100_000, 2_000
LIMIT_S, LIMIT_MB = 5, 500


def section(setting: Setting, page: Page) -> None:
    count = QUICK if setting.quick else FINDINGS
    rounds = 1 if setting.quick else setting.rounds
    took = [measured(count) for _ in range(rounds)]
    last = took[-1]
    page.say(
        f"{last['findings']:,} findings in seven reports (seeded; rules, files, lines and words as our table and a large "
        "repository have them), of which an eighth is said again by a second tool: `merge`, `critical_files`, "
        "`needs_dive` and `select_dives` as a review calls them. One process each, "
        f"{rounds} times; *whole process* includes making the findings up."
    )
    rows = [
        [
            "aggregate",
            spread([one["wall_s"] for one in took], " s"),
            spread([one["cpu_s"] for one in took], " s"),
        ],
        ["memory of the whole process", spread([one["peak_mb"] for one in took], " MB", 0), ""],
        ["memory before aggregating", spread([one["before_mb"] for one in took], " MB", 0), ""],
    ]
    page.table(["", "median (from, to)", "CPU"], rows)
    page.say(
        f"{last['findings']:,} findings became {last['once']:,}; {last['joined']:,} of these name more than one tool, "
        f"{last['critical_files']:,} files are complained about from three dimensions or more."
    )
    slowest, most = max(one["cpu_s"] for one in took), max(one["peak_mb"] for one in took)
    page.say(
        "It waits for nothing, so its CPU time is what it takes on an idle core: the goal is judged by that."
    )
    what = f"{count:,} findings aggregated, CPU"
    page.goal(what, f"at most {LIMIT_S} s", f"{slowest:.2f} s", met=slowest <= LIMIT_S)
    page.goal("its memory", f"at most {LIMIT_MB} MB", f"{most:.0f} MB", met=most <= LIMIT_MB)


def measured(count: int) -> dict[str, float]:
    words = [sys.executable, "-m", "bench.aggregate_many", "--findings", str(count)]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True)
    said: dict[str, float] = json.loads(done.stdout)
    return said


def aggregate(count: int) -> dict[str, float]:
    """What one process saw of itself."""
    from bench._many import reports_of
    from burnish.workflows.aggregate import critical_files, merge, needs_dive, select_dives

    reports = reports_of(count)
    before_mb, began, used = peak_mb(), time.perf_counter(), cpu_s()
    found = merge(reports)
    files = critical_files(found)
    chosen = select_dives(found, files, {})
    dives = len(chosen) if needs_dive(found, files) else 0
    return {
        "wall_s": time.perf_counter() - began,
        "cpu_s": cpu_s() - used,
        "peak_mb": peak_mb(),
        "before_mb": before_mb,
        "findings": sum(len(report.findings) for report in reports),
        "once": len(found),
        "joined": sum(1 for finding in found if len(finding.tools) > 1),
        "critical_files": len(files),
        "dives": dives,
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--findings", type=int, default=FINDINGS)
    json.dump(aggregate(parser.parse_args().findings), sys.stdout)
