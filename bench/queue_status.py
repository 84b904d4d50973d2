"""Ten thousand tasks in the queue: what `status` and the other verbs that only look or add cost then."""

from __future__ import annotations

import statistics
import subprocess
from pathlib import Path

from bench._queue import fill
from bench._scene import Scene, burnish, make_scene
from bench.section import Page, Setting
from bench.startup import cpu_ms

TASKS, QUICK = 10_000, 300
LIMIT_MS = 600
STATUS = "burnish status"


def section(setting: Setting, page: Page) -> None:
    count = QUICK if setting.quick else TASKS
    times = 1 if setting.quick else max(setting.rounds, 2) * 3
    scene = make_scene(setting.folder / "scene", 5)
    fill(database_of(scene), count)
    commands = {
        STATUS: burnish("status"),
        "burnish status auth": burnish("status", "auth"),
        "burnish status --json": burnish("status", "--json"),
        "burnish status --why 3": burnish("status", "--why", "3"),
        "burnish show 3": burnish("show", "3"),
        "burnish add": burnish("add", "Add one more"),
    }
    took: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(times):
        for name, words in commands.items():
            took[name].append(cpu_ms(words, scene))
    page.say(
        f"A queue of {count:,} tasks (seeded; most ended, one in ten cut short, the rest waiting; three reviews and six bills each). "
        f"CPU time, user and system, of the whole process and its children, {times} starts of each in turn."
    )
    rows = [
        [f"`{name}`", f"{statistics.median(found):.0f}", f"{max(found):.0f}"] for name, found in took.items()
    ]
    page.table(["command", "CPU, ms", "the slowest, ms"], rows)
    for name in (STATUS, "burnish add"):
        middle = statistics.median(took[name])
        what = f"CPU of `{name}` with {count:,} tasks"
        page.goal(what, f"at most {LIMIT_MS} ms", f"{middle:.0f} ms", met=middle <= LIMIT_MS)


def database_of(scene: Scene) -> Path:
    """Where this repository's database is: `status` makes it, empty."""
    subprocess.run(
        burnish("status"), cwd=scene.repo, env=scene.environment(), capture_output=True, check=True
    )
    (found,) = scene.state.glob("repos/*/burnish.db")
    return found
