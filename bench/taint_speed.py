"""The data-flow pass over Django and over Python's own library: lines a second, memory, the worst file; ruff S and bandit on the same files."""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench._scene import PEER_PYTHON, ROOT
from bench._taint_tools import BANDIT, OURS, RUFF, has_bandit
from bench.section import Page, Setting

LIBRARY_TESTS = ("site-packages", "test", "tests", "idle_test")
QUICK_PACKAGES = ("json", "urllib")
WORST = 3
WANTED_LINES_A_SECOND = 10_000
WANTED_MB = 500


@dataclass(frozen=True)
class Took:
    """One process and all that it waited for."""

    wall_s: float
    cpu_s: float
    peak_mb: float
    said: str


def section(setting: Setting, page: Page) -> None:
    page.say(
        "All Python files of a subject in one process: ours with its limits for files and functions, and without that for a whole tree. "
        "Seconds are of CPU, on one core (ruff with one thread), so that what else the machine does counts little. "
        "ruff and bandit look at one statement at a time; ours follows values through functions and files."
    )
    for name, files in subjects(setting).items():
        measure(setting, page, name, files)


def subjects(setting: Setting) -> dict[str, Path]:
    """Name -> a folder with a copy, so that nothing is written beside what is installed."""
    library = Path(sysconfig.get_paths()["stdlib"])
    found: dict[str, Path] = {}
    if setting.quick:
        for package in QUICK_PACKAGES:
            copied(library / package, setting.folder / "quick" / package)
        return {"two packages": setting.folder / "quick"}
    django = _django()
    if django is not None:
        version = django.parent.glob("[Dd]jango-*.dist-info")
        found[f"Django {next(version).name.split('-')[1].removesuffix('.dist')}"] = setting.folder / "django"
        copied(django, setting.folder / "django" / "django")
    name = f"the library of Python {sys.version.split()[0]} without its tests"
    found[name] = setting.folder / "library"
    copied(library, setting.folder / "library", LIBRARY_TESTS)
    return found


def _django() -> Path | None:
    if not PEER_PYTHON.exists():
        return None
    words = [str(PEER_PYTHON), "-c", "import django; print(django.__path__[0])"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    return Path(done.stdout.strip()) if done.returncode == 0 else None


def copied(source: Path, target: Path, left_out: tuple[str, ...] = ()) -> None:
    """The Python files alone, without the folders to be left out."""

    def unwanted(folder: str, names: list[str]) -> list[str]:
        return [
            name
            for name in names
            if name in left_out or (not name.endswith(".py") and not Path(folder, name).is_dir())
        ]

    shutil.copytree(source, target, ignore=unwanted)


def took(words: Sequence[object], cwd: Path) -> Took:
    env = {
        **os.environ,
        "RAYON_NUM_THREADS": "1",
        "PYTHONPATH": os.pathsep.join((str(ROOT), str(ROOT / "src"))),
    }
    with tempfile.TemporaryFile("w+") as out:
        began = time.perf_counter()
        child = subprocess.Popen(
            [str(word) for word in words], cwd=cwd, env=env, stdout=out, stderr=subprocess.DEVNULL
        )
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        wall_s = time.perf_counter() - began
        out.seek(0)
        said = out.read()
    if child.returncode:
        raise SystemExit(f"{words[:4]} ended with {child.returncode}")
    return Took(wall_s, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, said)


def ours(folder: Path) -> tuple[Took, dict[str, Any]]:
    """The whole process, its start and what it knows included."""
    one = took([sys.executable, "-m", "bench._taint_files", folder], ROOT)
    return one, json.loads(one.said)


def others(folder: Path) -> dict[str, Took]:
    ruff = [Path(sys.executable).with_name("ruff"), "check", "--isolated", "--no-cache", "--select", "S"]
    found = {RUFF: took([*ruff, "--output-format", "json", "--exit-zero", "."], folder)}
    if has_bandit():
        found[BANDIT] = took(
            [PEER_PYTHON, "-m", "bandit", "-r", "-q", "-f", "json", "--exit-zero", "."], folder
        )
    return found


def measure(setting: Setting, page: Page, name: str, folder: Path) -> None:
    lengths = {str(path.relative_to(folder)): _lines(path) for path in folder.rglob("*.py")}
    lines = sum(lengths.values())
    rounds = [ours(folder) for _ in range(1 if setting.quick else setting.rounds)]
    _, told = rounds[-1]
    rate = lines / statistics.median(one.cpu_s for one, _ in rounds)
    rows = [_row(OURS, [one for one, _ in rounds], lines, len(told["findings"]), rate)]
    for tool, one in others(folder).items():
        rows.append(_row(tool, [one], lines, _reports(tool, one.said), rate))
    page.say(f"**{name}**: {len(lengths):,} files, {lines:,} lines.")
    page.table(["", "CPU, s", "wall, s", "lines a second", "beside ours", "memory, MB", "reports"], rows)
    page.say(_findings(told))
    page.say(worst(told["times"], lengths))
    peak = max(one.peak_mb for one, _ in rounds)
    goal = f"at least {WANTED_LINES_A_SECOND:,}"
    page.goal(f"lines a second on one core, {name}", goal, f"{rate:,.0f}", met=rate >= WANTED_LINES_A_SECOND)
    page.goal(f"memory, {name}", f"at most {WANTED_MB} MB", f"{peak:.0f} MB", met=peak <= WANTED_MB)


def worst(times: dict[str, float], lengths: dict[str, int]) -> str:
    slowest = sorted(times, key=lambda path: -times[path])[:WORST]
    told = ", ".join(f"`{path}` ({lengths[path]:,} lines) {times[path]:.2f} s" for path in slowest)
    return f"The files that took longest: {told}. Half of all files took less than {statistics.median(times.values()) * 1000:.1f} ms."


def _row(tool: str, some: Sequence[Took], lines: int, reports: int, ours: float) -> list[str]:
    cpu_s = statistics.median(one.cpu_s for one in some)
    wall_s = statistics.median(one.wall_s for one in some)
    rate, peak = lines / cpu_s, max(one.peak_mb for one in some)
    times = f"{rate / ours:.1f}x"
    return [tool, f"{cpu_s:.2f}", f"{wall_s:.2f}", f"{rate:,.0f}", times, f"{peak:.0f}", f"{reports:,}"]


def _reports(tool: str, said: str) -> int:
    told = json.loads(said)
    return len(told if tool == RUFF else told["results"])


def _findings(told: dict[str, Any]) -> str:
    kinds = Counter(told["findings"])
    each = ", ".join(f"{kind} {number}" for kind, number in kinds.most_common()) or "none"
    why = Counter(reason.partition("(): ")[2] or reason for _, reason in told["not_reviewed"])
    skipped = ", ".join(f"{number} {reason}" for reason, number in why.most_common(5))
    return f"Findings of ours by class: {each}. Not reviewed: {len(told['not_reviewed'])}{f' ({skipped})' if skipped else ''}."


def _lines(path: Path) -> int:
    return path.read_bytes().count(b"\n")
