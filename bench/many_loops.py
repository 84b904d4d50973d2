"""Sixty-four loops of a build at once, three cycles each, with agents that take a second: beside the ideal schedule."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Any

from bench._scene import GATE, Scene, make_scene
from bench.section import Page, Setting

LOOPS, CYCLES, AGENT_S = 64, 3, 1
# Two calls before any loop, then in each cycle one that writes and one that reviews.
IDEAL_S = (2 + 2 * CYCLES) * AGENT_S
TIMEOUT_S = 1800
# What is asked for is in the first line of a prompt, the file to write in its task.
AGENT = r"""#!/bin/sh
prompt=$(cat)
sleep %(seconds)d
some() { n=1; while [ $n -le %(loops)d ]; do [ $n -gt 1 ] && printf ', '; printf "$1" $n $n $n; n=$((n + 1)); done; }
case "$prompt" in
"# ENUMERATE"*)
    printf '{"interpretedIntent": "parts", "tasks": ['
    some '{"id": "task-%%d", "title": "Part %%d", "description": "Write to `part-%%d.txt`.", "dependencies": []}'
    printf ']}\nENUMERATE_COMPLETE\n'; exit ;;
"# PLAN"*)
    printf '{"groups": [{"groupIndex": 0, "taskIds": ['
    some '"task-%%.0s%%d%%.0s"'
    printf ']}]}\nPLAN_COMPLETE\n'; exit ;;
esac
if [ "$BURNISH_ROLE" = review ]; then
    rest=${prompt#*\"loopId\": }
    printf '{"loopId": %%s, "passed": ' "${rest%%%%,*}"
    if [ "$BURNISH_CYCLE" -ge %(cycles)d ]; then echo 'true, "intentSatisfied": true, "issues": []}'
    else echo 'false, "issues": [{"description": "more is needed"}]}'; fi
else
    rest=${prompt#*Write to \`}
    echo more >>"${rest%%%%\`*}"
    echo TASK_COMPLETE
fi
"""


def section(setting: Setting, page: Page) -> None:
    counts = (2,) if setting.quick else (1, LOOPS)
    told = {count: build(setting.folder / f"loops-{count}", count) for count in counts}
    page.say(
        f"`burnish build --effort low`, all loops in one group and at once; each implements, is reviewed and revised twice ({CYCLES} "
        f"cycles), with agents that take {AGENT_S} s and nearly no CPU; then all are merged, one at a time, each gated (`{GATE}`) on the "
        f"tree that the branch becomes. With no overhead at all the loops would be done after {IDEAL_S} s, however many there are: "
        "that is what the wall clock stands beside. The sandbox is as it is by default. CPU is that of everything that was started (git, "
        "agents, gates), merging included, and shared by all cores it is what no schedule can be faster than on this machine; beside it stands "
        "what processes that have nothing to do with this used meanwhile. Memory is the peak of the orchestrator's own process."
    )
    times = ["until all have passed, s", "x ideal", "merging, s"]
    columns = [
        "loops",
        "ideal, s",
        *times,
        "CPU, s",
        "CPU shared by all cores, s",
        "CPU of others, s",
        "memory, MB",
    ]
    rows = [_row(str(count), one) for count, one in told.items()]
    page.table(columns, rows)
    if not setting.quick:
        each = (told[LOOPS]["peak_mb"] - told[1]["peak_mb"]) / (LOOPS - 1)
        page.say(f"Memory for each loop more: {each:.2f} MB.")


def _row(count: str, one: dict[str, Any]) -> list[str]:
    wall, ratio = f"{one['loops_s']:.1f}", f"{one['loops_s'] / IDEAL_S:.2f}"
    cpu, shared = f"{one['cpu_s']:.0f}", f"{one['cpu_s'] / (os.cpu_count() or 1):.0f}"
    others, memory = f"{one['others_s']:.0f}", f"{one['peak_mb']:.0f}"
    return [count, str(IDEAL_S), wall, ratio, f"{one['merging_s']:.1f}", cpu, shared, others, memory]


def build(folder: Path, loops: int) -> dict[str, Any]:
    """What it took; every loop must have come onto main."""
    scene = make_scene(folder, 20)
    agent = folder / "agents" / "agent.sh"
    agent.write_text(AGENT % {"seconds": AGENT_S, "loops": loops, "cycles": CYCLES})
    agent.chmod(0o755)
    (scene.repo / "SPEC.md").write_text(f"# Parts\n\n{loops} parts.\n")
    scene.git("add", "SPEC.md")
    scene.git("commit", "-q", "-m", "spec")
    result = folder / "told.json"
    words = [sys.executable, "-m", "bench._build_drive", str(result), "SPEC.md", "--effort", "low"]
    words += [
        "--max-loops",
        str(loops),
        "--implementer",
        str(agent),
        "--reviewer",
        str(agent),
        "--gate",
        GATE,
    ]
    before = busy_s()
    done = subprocess.run(
        words, cwd=scene.repo, env=scene.environment(), capture_output=True, check=False, timeout=TIMEOUT_S
    )
    landed = [
        name for name in scene.git("ls-tree", "--name-only", "main").split() if name.startswith("part-")
    ]
    if done.returncode or not result.exists() or len(landed) != loops:
        raise SystemExit(f"{len(landed)} of {loops} loops landed: {done.stderr.decode()[-3000:]}")
    told: dict[str, Any] = json.loads(result.read_text())
    if told["code"]:
        raise SystemExit(f"the build ended with {told['code']}: {done.stderr.decode()[-3000:]}")
    told["others_s"] = max(0.0, busy_s() - before - told["cpu_s"])
    began, passed, ended = _times(scene)
    return told | {"loops_s": (passed - began).total_seconds(), "merging_s": (ended - passed).total_seconds()}


def busy_s() -> float:
    """CPU time that the whole machine has spent at work since it was started."""
    user, nice, system, _, _, irq, softirq, *_ = Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:]
    return sum(map(int, (user, nice, system, irq, softirq))) / os.sysconf("SC_CLK_TCK")


def _times(scene: Scene) -> tuple[datetime, datetime, datetime]:
    """When the build began, when the last of its loops had passed, and when it had ended."""
    (path,) = scene.state.glob("repos/*/burnish.db")
    with closing(sqlite3.connect(path)) as database:
        own = "SELECT created_at, finished_at FROM runs WHERE parent_id IS NULL"
        began, ended = database.execute(own).fetchone()
        [passed] = database.execute(
            "SELECT max(finished_at) FROM runs WHERE parent_id IS NOT NULL"
        ).fetchone()
    return datetime.fromisoformat(began), datetime.fromisoformat(passed), datetime.fromisoformat(ended)
