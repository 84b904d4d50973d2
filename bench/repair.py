"""Planted one-line bugs, repaired by search with the tests as the only judge: what was repaired, how, and what tests held back say."""

from __future__ import annotations

import hashlib
import json
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path

from bench._bugs import PLANTED, Bug, bugs
from bench._named_lines import Named, named
from bench._scene import ROOT
from bench._subjects import KEPT
from bench.section import Page, Setting

AT_ONCE = 2
LIMIT_S = 120.0
CASE_TIMEOUT_S = 900
QUICK_CASES = 2
# Kept by what they depend on, so that a run that was cut off goes on where it was.
RESULTS = KEPT / "repair"
SEARCH = ROOT / "src" / "burnish" / "fixers" / "search"


@dataclass(frozen=True)
class Result:
    """What came of one bug. `control` is whether the original passes all tests in this very harness."""

    id: str
    control: bool
    repaired: bool
    right: bool
    identical: bool
    equivalent: bool
    took_s: float
    tried: int
    edit: str = ""
    why_not: str = ""


def section(setting: Setting, page: Page) -> None:
    chosen = bugs()[:QUICK_CASES] if setting.quick else bugs()
    results = run_all(chosen)
    explain(page, chosen, results)
    tell_kinds(page, chosen, results)
    tell_all(page, chosen, results)
    tell_analysers(page, chosen, named(chosen, setting.folder))


def digest(folders: Sequence[Path] = (SEARCH, PLANTED)) -> str:
    """Of the search and of the set."""
    sums = hashlib.sha256()
    for folder in folders:
        for path in sorted(path for path in folder.rglob("*") if path.suffix in (".py", ".toml")):
            sums.update(str(path.relative_to(folder)).encode() + b"\0" + path.read_bytes())
    return sums.hexdigest()[:16]


def run_all(chosen: Sequence[Bug]) -> dict[str, Result]:
    kept = RESULTS / f"{digest()}.jsonl"
    known = read_results(kept)
    waiting = [bug for bug in chosen if bug.id not in known]
    kept.parent.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(AT_ONCE) as pool, kept.open("a") as file:
        for place, result in enumerate(pool.map(one, waiting), len(known) + 1):
            known[result.id] = result
            file.write(json.dumps(asdict(result)) + "\n")
            file.flush()
            ended = (
                "right"
                if result.right
                else "overfits"
                if result.repaired
                else result.why_not or "not repaired"
            )
            print(
                f"{place}/{len(chosen)} {result.id}: {ended}, {result.took_s:.1f} s",
                file=sys.stderr,
                flush=True,
            )
    return {bug.id: known[bug.id] for bug in chosen}


def read_results(kept: Path) -> dict[str, Result]:
    """A last line that was cut off is done again."""
    found = {}
    for line in kept.read_text().splitlines() if kept.exists() else ():
        try:
            result = Result(**json.loads(line))
        except (ValueError, TypeError):
            continue
        found[result.id] = result
    return found


def one(bug: Bug) -> Result:
    """In a process of its own: programs under repair may do anything to the one that runs them."""
    words, began = [sys.executable, "-m", "bench._repair_drive", bug.id], time.monotonic()
    failed = Result(bug.id, False, False, False, False, False, 0.0, 0)
    try:
        done = subprocess.run(
            words, cwd=ROOT, capture_output=True, text=True, timeout=CASE_TIMEOUT_S, check=False
        )
    except subprocess.TimeoutExpired:
        return Result(**{**asdict(failed), "took_s": time.monotonic() - began, "why_not": "took too long"})
    if done.returncode:
        raise SystemExit(f"{bug.id}: ended with {done.returncode}: {done.stderr[-2000:]}")
    return Result(**json.loads(done.stdout.splitlines()[-1]))


def explain(page: Page, chosen: Sequence[Bug], results: dict[str, Result]) -> None:
    failed = [name for name, result in results.items() if not result.control]
    page.say(
        f"{len(chosen)} small tested programs with one planted mistake each (`bench/labelled/bugs/README.md` tells how they were made, before "
        "the search and by somebody who did not know it). The search sees the program and the tests that are shown; *repaired* is that all "
        "of these pass, *right* that the tests held back pass as well, and the difference is overfitting. *Identical* is the very program "
        "before the mistake but for layout; *equivalent* adds ways of writing that always mean the same (`a > b`, `b < a`). "
        f"At most {LIMIT_S:.0f} s for a bug, on one core each, {AT_ONCE} at a time; s is from the beginning of a search to its end, the first run of the tests included."
    )
    not_so = f"; not {', '.join(failed)}" if failed else ""
    page.say(
        f"Positive control: in the same harness {len(chosen) - len(failed)} of {len(chosen)} originals pass every test{not_so}."
    )


def tell_kinds(page: Page, chosen: Sequence[Bug], results: dict[str, Result]) -> None:
    kinds = Counter(bug.kind for bug in chosen)
    groups = [
        (kind, [results[bug.id] for bug in chosen if bug.kind == kind]) for kind, _ in kinds.most_common()
    ]
    groups.append(("**all**", [results[bug.id] for bug in chosen]))
    unseen = [results[bug.id] for bug in chosen if not bug.may_be_looked_at]
    groups.append(("**all but those that may be looked at (rule 3)**", unseen))
    page.table(["kind", "bugs", "repaired", "right", "overfits", "equivalent", "identical", "median s", "median tried"], [_sums(*group) for group in groups])  # fmt: skip
    every = groups[-2][1]
    right, repaired = sum(one.right for one in every), sum(one.repaired for one in every)
    page.goal(
        "planted bugs repaired, all tests shown pass",
        "at least half",
        f"{repaired} of {len(every)}",
        met=repaired * 2 >= len(every),
    )
    page.goal(
        "of the repaired: right by the tests held back",
        "at least 9 of 10",
        f"{right} of {repaired}",
        met=right * 10 >= repaired * 9,
    )


def _sums(name: str, some: Sequence[Result]) -> list[str]:
    repaired = [one for one in some if one.repaired]
    right = sum(one.right for one in repaired)
    counts = [len(some), len(repaired), right, len(repaired) - right]
    counts += [sum(one.equivalent for one in repaired), sum(one.identical for one in repaired)]
    tried = f"{statistics.median(one.tried for one in some):.0f}" if some else "-"
    return [name, *map(str, counts), _median(one.took_s for one in some), tried]


def _median(values: Iterable[float]) -> str:
    known = list(values)
    return f"{statistics.median(known):.1f}" if known else "-"


def tell_all(page: Page, chosen: Sequence[Bug], results: dict[str, Result]) -> None:
    rows = []
    for bug in chosen:
        found = results[bug.id]
        same = (
            "identical"
            if found.identical
            else "equivalent"
            if found.equivalent
            else "differs"
            if found.repaired
            else ""
        )
        ended = "yes" if found.repaired else f"no{f': {found.why_not}' if found.why_not else ''}"
        held = ("passes" if found.right else "**fails**") if found.repaired else ""
        rows.append([bug.id, bug.kind, ended, held, same, f"{found.took_s:.1f}", str(found.tried)])
    page.table(["bug", "kind", "repaired", "tests held back", "beside the original", "s", "tried"], rows)


def tell_analysers(page: Page, chosen: Sequence[Bug], found: Named) -> None:
    which = f" ({', '.join(found.new_lines)})" if found.new_lines else ""
    page.say(
        f"Beside it the analysers that only read ({', '.join(found.tools)}), over the same {len(chosen)} programs: {found.findings} findings. "
        f"They name the line of {len(found.lines)} bugs, and {len(found.new_lines)} times with a rule that does not speak of the original too{which}. "
        "The tests fail for every bug."
    )
