"""What starting the command costs, as CPU time: the wall clock of one start says more about the machine."""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
from pathlib import Path

from bench._scene import Scene, burnish, make_scene, run_arguments
from bench.section import Page, Setting

TIMES = 30
HELP, HELP_LIMIT_MS, LISTING_LIMIT_MS = "burnish --help", 150, 600


def section(setting: Setting, page: Page) -> None:
    scene = make_scene(setting.folder / "scene")
    subprocess.run(
        burnish(*run_arguments(scene, sandbox="off")),
        cwd=scene.repo,
        env=scene.environment(),
        capture_output=True,
        check=True,
    )
    commands = {
        "python -c pass": [sys.executable, "-c", "pass"],
        HELP: burnish("--help"),
        "burnish run --help": burnish("run", "--help"),
        "burnish --version": burnish("--version"),
        "burnish runs": burnish("runs"),
        "burnish config show": burnish("config", "show"),
    }
    times = 2 if setting.quick else TIMES
    took: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(times):
        for name, words in commands.items():
            took[name].append(cpu_ms(words, scene))
    page.say(
        f"CPU time of the whole process and its children, {times} starts of each in turn: median, and nine in ten."
    )
    rows = [[f"`{name}`", *_middle(found)] for name, found in took.items()]
    page.table(["command", "CPU, ms", "nine in ten below, ms"], rows)
    for name, limit in ((HELP, HELP_LIMIT_MS), ("burnish runs", LISTING_LIMIT_MS)):
        middle = statistics.median(took[name])
        page.goal(f"CPU of `{name}`", f"at most {limit} ms", f"{middle:.0f} ms", met=middle <= limit)


def _middle(found: list[float]) -> list[str]:
    return [f"{statistics.median(found):.0f}", f"{statistics.quantiles(found, n=10)[-1]:.0f}"]


def cpu_ms(words: list[str], scene: Scene) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with Path(os.devnull).open("wb") as nowhere:
        subprocess.run(words, cwd=scene.repo, env=scene.environment(), stdout=nowhere, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) * 1000
