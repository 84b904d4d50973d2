"""Print where each row of docs/conformance.toml stands: tested, adapted, not applicable or open.

Which test shows which row is read from the markers in tests/ without running anything. With `--run` the
marked tests are run as well, and a row counts as tested only when its tests pass.
"""

from __future__ import annotations

import argparse
import json
import sys
import tomllib
from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from conformance_markers import Marked, collect
from conformance_results import failed, passing, run_marked

ROOT = Path(__file__).resolve().parent.parent
# Prefix of an id -> (profile, how many rows it has).
PROFILES = {
    "O": ("spec", 61),
    "G": ("task", 83),
    "L": ("slots", 41),
    "P": ("loops", 55),
    "C": ("review", 100),
}
FIELDS = {"text", "profile", "section", "adapted", "not_applicable"}
REQUIRED = ("text", "profile", "section")


class State(StrEnum):
    TESTED = "tested"
    ADAPTED = "adapted"
    NOT_APPLICABLE = "not applicable"
    OPEN = "open"


@dataclass(frozen=True)
class Row:
    """One behaviour; `tests` are those that show it."""

    id: str
    text: str
    profile: str
    section: str
    adapted: str = ""
    not_applicable: str = ""
    tests: tuple[str, ...] = ()

    @property
    def state(self) -> State:
        if self.tests:
            return State.TESTED
        if self.not_applicable:
            return State.NOT_APPLICABLE
        return State.ADAPTED if self.adapted else State.OPEN

    @property
    def line(self) -> str:
        match self.state:
            case State.TESTED:
                how = f" (adapted: {self.adapted})" if self.adapted else ""
                return f"{self.id:5}  tested{how}: {', '.join(self.tests)}"
            case State.ADAPTED:
                return f"{self.id:5}  adapted: {self.adapted}"
            case State.NOT_APPLICABLE:
                return f"{self.id:5}  not applicable: {self.not_applicable}"
            case _:
                return f"{self.id:5}  open: {self.text}"


def expected_ids() -> list[str]:
    return [f"{prefix}-{n:02d}" for prefix, (_, count) in PROFILES.items() for n in range(1, count + 1)]


def table_problems(table: dict[str, dict[str, str]]) -> list[str]:
    """What is wrong with the table itself; a row with a problem here may not be readable as a Row."""
    found = [f"{id_} is missing from the table" for id_ in expected_ids() if id_ not in table]
    for id_, fields in table.items():
        profile = PROFILES.get(id_[:1], ("", 0))[0]
        if id_ not in set(expected_ids()):
            found.append(f"{id_} is not one of the {len(expected_ids())} ids")
        found += [f"{id_} has an unknown field {name!r}" for name in fields if name not in FIELDS]
        found += [f"{id_} has no {name}" for name in REQUIRED if not fields.get(name, "").strip()]
        found += [f"{id_}: {name} says nothing" for name, said in fields.items() if not said.strip()]
        if profile and fields.get("profile") != profile:
            found.append(f"{id_} belongs to profile {profile!r}, not {fields.get('profile')!r}")
        if "adapted" in fields and "not_applicable" in fields:
            found.append(f"{id_} is both adapted and not applicable")
    return found


def marker_problems(table: dict[str, dict[str, str]], marked: list[Marked]) -> list[str]:
    found = []
    for mark in marked:
        if mark.id not in table:
            found.append(f"{mark.where}: unknown id {mark.id!r}")
        elif "not_applicable" in table[mark.id]:
            found.append(f"{mark.where}: {mark.id} is not applicable and has a test; remove one of the two")
    return found


def rows_of(table: dict[str, dict[str, str]], shown: dict[str, set[str]]) -> list[Row]:
    return [Row(id=id_, tests=tuple(sorted(shown.get(id_, ()))), **fields) for id_, fields in table.items()]


def totals(rows: list[Row]) -> list[str]:
    """One line per profile, one for all, and what the numbers do not say by themselves."""
    lines = [f"{'profile':8}{'rows':>6}" + "".join(f"{state:>16}" for state in State)]
    for profile in [*(name for name, _ in PROFILES.values()), "all"]:
        chosen = [row for row in rows if profile in ("all", row.profile)]
        counts = Counter(row.state for row in chosen)
        lines.append(f"{profile:8}{len(chosen):>6}" + "".join(f"{counts[state]:>16}" for state in State))
    both = sum(1 for row in rows if row.adapted and row.tests)
    alone = sum(1 for row in rows if row.state is State.ADAPTED)
    lines.append(f"adapted rows: {both} with a test (counted as tested), {alone} without one yet")
    return lines


def as_json(rows: list[Row], problems: list[str]) -> str:
    said = [
        {
            "id": row.id,
            "state": row.state,
            "profile": row.profile,
            "section": row.section,
            "text": row.text,
            "adapted": row.adapted,
            "not_applicable": row.not_applicable,
            "tests": row.tests,
        }
        for row in rows
    ]
    counts = Counter(row.state for row in rows)
    return json.dumps(
        {"rows": said, "totals": {state: counts[state] for state in State}, "problems": problems}, indent=1
    )


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--open", action="store_true", help="list only the rows that are open")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--run", action="store_true", help="run the marked tests; only passing ones count")
    parser.add_argument("--jobs", type=int, default=2, help="processes for --run (default 2)")
    parser.add_argument("--table", type=Path, default=ROOT / "docs" / "conformance.toml")
    parser.add_argument("--tests", type=Path, default=ROOT / "tests")
    return parser.parse_args()


def main() -> int:
    options = arguments()
    table = tomllib.loads(options.table.read_text("utf8"))
    marked, problems = collect(options.tests)
    broken = table_problems(table)
    problems = [*broken, *problems, *marker_problems(table, marked)]

    shown: dict[str, set[str]] = {}
    for mark in marked:
        shown.setdefault(mark.id, set()).add(mark.test)
    if options.run:
        results = run_marked(options.tests, options.jobs)
        if results is None:
            problems.append("the marked tests could not be run, see what pytest printed")
        problems += [f"{case} is marked and failed" for case in failed(results or {})]
        shown = passing(results or {})

    rows = [] if broken else rows_of(table, shown)
    if options.json:
        print(as_json(rows, problems))
    else:
        listed = [row for row in rows if not options.open or row.state is State.OPEN]
        print("\n".join([*(row.line for row in listed), "", *totals(rows)]))
    for problem in problems:
        print(f"problem: {problem}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
