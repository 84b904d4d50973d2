"""A repository of 150,000 lines (Django) reviewed offline: the whole beside each analyser alone, and a change of ten files."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
from typing import Any

from bench._scene import Scene
from bench._subjects import UNREACHABLE, repository_of, wheels
from bench.section import Page, Setting, spread

DJANGO = "Django==5.2.1"
ANALYSERS = ("added", "ast-grep", "import-cycles", "lizard", "oxlint", "ruff", "secrets", "ty")
QUICK_ANALYSERS = ("ruff",)
ROUNDS = 2
WHOLE_LIMIT, CHANGE_LIMIT_S = 1.3, 3
CHANGED = 10
BUSY = "Others kept the machine busy meanwhile, so the wall clocks are provisional: read the CPU times."
ADDED = """

def _burnish_bench(values=[], reader=None):
    try:
        return eval(reader.read()) + values
    except:
        pass
"""


def section(setting: Setting, page: Page) -> None:
    found = wheels([DJANGO])
    if not found:
        page.say(UNREACHABLE.format(DJANGO))
        return
    scene = repository_of(setting.folder / "scene", found[DJANGO])
    under, analysers, rounds = "django", ANALYSERS, min(setting.rounds, ROUNDS)
    if setting.quick:
        under, analysers, rounds = "django/http", QUICK_ANALYSERS, 1
    lines = [len(path.read_bytes().splitlines()) for path in (scene.repo / under).rglob("*.py")]
    page.say(
        f"{DJANGO} as one commit: {len(lines):,} Python files with {sum(lines):,} lines, and its templates, scripts and "
        f"translations. `burnish review {under} --no-tests` (sandbox off) beside each analyser alone on the same files, in "
        f"turn, {rounds} times. *Own* is our process, *children* are the analysers and git."
    )
    whole = [drive(scene, "review", under, "--no-tests", "--sandbox", "off") for _ in range(rounds)]
    alone = {
        name: [drive(scene, "alone", name, str(scene.repo), under) for _ in range(rounds)]
        for name in analysers
    }
    tell_whole(page, whole, alone)
    tell_change(page, scene, rounds, under)
    if os.getloadavg()[0] > (os.cpu_count() or 1):
        page.say(BUSY)


def tell_whole(page: Page, whole: list[dict[str, Any]], alone: dict[str, list[dict[str, Any]]]) -> None:
    rows = [_row("`burnish review`, everything", whole)]
    rows += [_row(f"{name} alone", took) for name, took in alone.items()]
    page.table(["", "wall", "own CPU", "children's CPU", "own peak", "largest child"], rows)
    slowest = max(alone, key=lambda name: _middle(alone[name], "wall_s"))
    ratios = [mine["wall_s"] / its["wall_s"] for mine, its in zip(whole, alone[slowest], strict=True)]
    ratio = statistics.median(ratios)
    work = sum(_middle(took, "own_cpu_s") + _middle(took, "child_cpu_s") for took in alone.values())
    used = _middle(whole, "own_cpu_s") + _middle(whole, "child_cpu_s")
    page.say(
        f"The slowest analyser alone is {slowest}. All analysers one after another use {work:.1f} s of CPU, the review "
        f"{used:.1f} s ({used / work:.2f} x): on two cores the review cannot end before half of that."
    )
    page.goal(
        "review of everything",
        f"at most {WHOLE_LIMIT} x its slowest analyser alone",
        f"{ratio:.2f} x ({slowest})",
        met=ratio <= WHOLE_LIMIT,
    )


def tell_change(page: Page, scene: Scene, rounds: int, under: str) -> None:
    files = sorted(path for path in (scene.repo / under).rglob("*.py") if path.stat().st_size > 2000)
    for path in files[:: max(len(files) // CHANGED, 1)][:CHANGED]:
        path.write_text(path.read_text() + ADDED)
    took = [drive(scene, "review", "--no-tests", "--sandbox", "off") for _ in range(rounds)]
    page.say(
        f"A change of {CHANGED} files in it, not committed (a function with four flaws at the end of each):"
    )
    page.table(
        ["", "wall", "own CPU", "children's CPU", "own peak", "largest child"],
        [_row("`burnish review`", took)],
    )
    wall = _middle(took, "wall_s")
    page.goal(
        f"review of a change of {CHANGED} files",
        f"{CHANGE_LIMIT_S} s",
        f"{wall:.1f} s",
        met=wall <= CHANGE_LIMIT_S,
    )


def drive(scene: Scene, *words: str) -> dict[str, Any]:
    where = scene.folder / "told.json"
    where.unlink(missing_ok=True)
    command = [sys.executable, "-m", "bench._review_drive", str(where), *words]
    done = subprocess.run(
        command, cwd=scene.repo, env=scene.environment(), capture_output=True, text=True, check=False
    )
    if not where.exists():
        raise SystemExit(f"{words[:2]} told nothing: {done.stderr[-2000:]}")
    said: dict[str, Any] = json.loads(where.read_text())
    if said["exit"] not in (0, 1):
        raise SystemExit(f"{words[:2]} ended with {said['exit']}: {done.stderr[-2000:]}")
    return said


def _row(name: str, took: list[dict[str, Any]]) -> list[str]:
    times = [spread([one[key] for one in took], " s", 1) for key in ("wall_s", "own_cpu_s", "child_cpu_s")]
    return [name, *times, *(f"{max(one[key] for one in took):.0f} MB" for key in ("own_mb", "child_mb"))]


def _middle(took: list[dict[str, Any]], key: str) -> float:
    return statistics.median(one[key] for one in took)
