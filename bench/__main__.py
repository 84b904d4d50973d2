"""`python -m bench [SECTION...] [--rounds N] [--runs N] [--quick] [--write]`: measure, print, and fill docs/benchmarks.md."""

from __future__ import annotations

import argparse
import datetime
import importlib
import os
import pkgutil
import platform
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import bench
from bench.section import Page, Section, Setting

DOCS = Path(__file__).resolve().parent.parent / "docs" / "benchmarks.md"
FRAME = ("__main__", "section", "peer_langgraph", "taint_misses")
ROUNDS = 5
RUNS = 100
HEAD = """# Benchmarks

What Burnish costs beside a frozen shell script that does the same git work (`bench/baseline.sh`), and beside the same
loop on LangGraph. Every figure is from one run on one machine: read the ratios, not the milliseconds. `make bench`
makes this page anew; a goal that was missed stands here as it was measured.
"""


def names() -> list[str]:
    found = (module.name for module in pkgutil.iter_modules(bench.__path__))
    return sorted(name for name in found if name not in FRAME and name[0] != "_")


def run(name: str, *, rounds: int = ROUNDS, runs: int = RUNS, quick: bool = False, **half: Any) -> Page:
    """One section in a folder of its own; `half` is the split of labelled cases."""
    section: Section = importlib.import_module(f"bench.{name}").section
    page = Page()
    with tempfile.TemporaryDirectory(prefix=f"bench-{name}-") as folder:
        section(Setting(rounds, quick, Path(folder), runs, **half), page)
    return page


def rendered(name: str, page: Page, command: str, took_s: float) -> str:
    goals = [f"| {goal.what} | {goal.wanted} | {goal.measured} | {_met(goal.met)} |" for goal in page.goals]
    table = ["| goal | wanted | measured | |", "|---|---|---|---|", *goals, ""] if goals else []
    said = f"`{command}`, {took_s:.0f} s on {_machine()}."
    return "\n".join([f"## {name.replace('_', ' ')}", "", said, "", *table, *page.lines]).rstrip() + "\n"


def _met(met: bool) -> str:
    return "met" if met else "**missed**"


def _machine() -> str:
    git = subprocess.run(["git", "version"], capture_output=True, text=True, check=True).stdout.split()[-1]
    at = datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d %H:%M UTC")
    load = os.getloadavg()[0]
    return (
        f"{os.cpu_count()} cores, Linux {platform.release()}, Python {platform.python_version()}, git {git}, "
        f"at {at} (load average {load:.1f} at its end)"
    )


def write(name: str, text: str) -> None:
    """Put one section into the page; the others stay as they were measured."""
    old = DOCS.read_text("utf8") if DOCS.exists() else ""
    marked = re.findall(r"<!-- (\w+) -->\n(.*?)\n<!-- end -->", old, re.S)
    known = {found: body.strip("\n") + "\n" for found, body in marked if found in names()}
    known[name] = text
    parts = [f"<!-- {found} -->\n{known[found]}\n<!-- end -->\n" for found in names() if found in known]
    DOCS.write_text("\n".join([HEAD, *parts]), "utf8")


def main() -> int:
    parser = argparse.ArgumentParser(prog="bench", description=bench.__doc__)
    parser.add_argument("sections", nargs="*", metavar="SECTION", help=f"of: {', '.join(names())}")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument(
        "--runs", type=int, default=RUNS, help="of each contender of loops, in all rounds together"
    )
    parser.add_argument("--quick", action="store_true", help="show that it runs; the figures mean nothing")
    parser.add_argument("--write", action="store_true", help="put the figures into docs/benchmarks.md")
    parser.add_argument(
        "--split", choices=("dev", "held"), default="dev", help="the half of the labelled cases"
    )
    parser.add_argument(
        "--final", action="store_true", help="this is the table for which the held half is opened"
    )
    given = parser.parse_args()
    unknown = [name for name in given.sections if name not in names()]
    if unknown:
        parser.error(f"no section {unknown[0]!r}; known: {', '.join(names())}")
    if given.write and given.quick:
        parser.error("figures of --quick mean nothing, so they are not written")
    for name in given.sections or names():
        began = time.monotonic()
        half = {"split": given.split, "final": given.final}
        page = run(name, rounds=given.rounds, runs=given.runs, quick=given.quick, **half)
        fewer = f" --runs {given.runs}" if given.runs != RUNS else ""
        held = " --split held --final" if given.split == "held" else ""
        command = f"python -m bench {name} --rounds {given.rounds}{fewer}{held}"
        text = rendered(name, page, command, time.monotonic() - began)
        print(text, flush=True)
        if given.write:
            write(name, text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
