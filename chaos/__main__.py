"""`python -m chaos [SECTION...] [--short] [--seed N] [--write]`: run sections, print what survived."""

from __future__ import annotations

import argparse
import importlib
import pkgutil
import re
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import chaos
from chaos.section import Section, Setting, Tally

DOCS = Path(__file__).resolve().parent.parent / "docs" / "chaos.md"
SEED = 20261115
FRAME = ("__main__", "section")


@dataclass(frozen=True)
class Row:
    name: str
    tally: Tally
    seed: int
    short: bool
    took_s: float

    @property
    def command(self) -> str:
        return f"python -m chaos {self.name} --seed {self.seed}" + (" --short" if self.short else "")


def names() -> list[str]:
    return sorted(
        module.name
        for module in pkgutil.iter_modules(chaos.__path__)
        if module.name not in FRAME and module.name[0] != "_"
    )


def run(name: str, *, seed: int = SEED, short: bool = False) -> Row:
    """One section in a folder of its own."""
    section: Section = importlib.import_module(f"chaos.{name}").section
    tally, began = Tally(), time.monotonic()
    with tempfile.TemporaryDirectory(prefix=f"chaos-{name}-") as folder:
        section(Setting(seed, short, Path(folder)), tally)
    return Row(name, tally, seed, short, time.monotonic() - began)


def say(row: Row) -> None:
    tally = row.tally
    print(
        f"{row.name}: injected {tally.injected} survived {tally.survived} (seed {row.seed}, {row.took_s:.0f} s)",
        flush=True,
    )
    for text in tally.fallen:
        print(f"  fell: {text}", flush=True)
    for text in tally.notes:
        print(f"  note: {text}", flush=True)


def write(rows: list[Row]) -> None:
    """Put the rows of this run into the table; rows of other sections stay as they were measured."""
    known = dict(re.findall(r"^\| ([a-z_]+) (\|.*)$", DOCS.read_text("utf8") if DOCS.exists() else "", re.M))
    known.pop("section", None)
    for row in rows:
        notes = "; ".join([*row.tally.fallen[:3], *row.tally.notes]).replace("|", "/") or "-"
        known[row.name] = (
            f"| {row.tally.injected} | {row.tally.survived} | {row.seed} | `{row.command}` | {notes} |"
        )
    table = "\n".join(f"| {name} {rest}" for name, rest in sorted(known.items()))
    head = "# Chaos\n\nWhat was injected and what survived, as measured. `make chaos` makes it anew; a figure that falls short stands here as it is.\n\n"
    columns = "| section | injected | survived | seed | command | notes |\n|---|---|---|---|---|---|\n"
    DOCS.write_text(f"{head}{columns}{table}\n", "utf8")


def main() -> int:
    parser = argparse.ArgumentParser(prog="chaos", description=chaos.__doc__)
    parser.add_argument("sections", nargs="*", metavar="SECTION", help=f"of: {', '.join(names())}")
    parser.add_argument("--short", action="store_true", help="the subset that make test runs")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--write", action="store_true", help="put the figures into docs/chaos.md")
    given = parser.parse_args()
    unknown = [name for name in given.sections if name not in names()]
    if unknown:
        parser.error(f"no section {unknown[0]!r}; known: {', '.join(names())}")
    rows = []
    for name in given.sections or names():
        rows.append(run(name, seed=given.seed, short=given.short))
        say(rows[-1])
        if given.write:
            write(rows)
    return 0 if all(row.tally.injected == row.tally.survived for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
