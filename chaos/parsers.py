"""Parsers: each reads a hostile megabyte within 100 ms of CPU and 50 MB, or refuses it."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from chaos._desk import AT_ONCE
from chaos._reading import CPU_S, MEMORY_BYTES, parsers
from chaos.section import Setting, Tally

ROOT = Path(__file__).resolve().parent.parent
TIMEOUT_S = 600
# In `make test` other tests run on the same cores: there only what is not linear falls.
LOOSE_S = 1.0


def section(setting: Setting, tally: Tally) -> None:
    names = list(parsers())
    if setting.short:
        names = random.Random(setting.seed).sample(names, len(names) // 3)
    worst_s, worst_bytes = (0.0, ""), (0, "")
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for name, costs in zip(names, pool.map(lambda name: _costs(name, setting), names), strict=True):
            for cost in costs:
                what = f"{name}, {cost['text']}"
                why = why_it_fell(cost, LOOSE_S if setting.short else CPU_S)
                tally.fall(what, why) if why else tally.survive(what)
                worst_s = max(worst_s, (cost["cpu_s"], what))
                worst_bytes = max(worst_bytes, (cost["bytes"], what))
    tally.note(
        f"{len(names)} parsers; slowest {worst_s[0] * 1000:.0f} ms ({worst_s[1]}), largest {worst_bytes[0] / 1e6:.0f} MB ({worst_bytes[1]})"
    )


def why_it_fell(cost: dict[str, Any], most_s: float = CPU_S) -> str:
    if cost["wrong"]:
        return str(cost["wrong"])
    if cost["cpu_s"] > most_s:
        return f"took {cost['cpu_s'] * 1000:.0f} ms of CPU"
    if cost["bytes"] > MEMORY_BYTES:
        return f"took {cost['bytes'] / 1e6:.0f} MB"
    return ""


def _costs(name: str, setting: Setting) -> list[dict[str, Any]]:
    """In a process of its own: neither what was read before nor this one's memory counts."""
    words = [
        sys.executable,
        "-m",
        "chaos._reading",
        name,
        "short" if setting.short else "full",
        str(setting.seed),
    ]
    try:
        done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=TIMEOUT_S, check=False)
    except subprocess.TimeoutExpired:
        return [{"text": "all", "cpu_s": 0.0, "bytes": 0, "wrong": f"nothing within {TIMEOUT_S} s"}]
    costs = [json.loads(line) for line in done.stdout.splitlines()]
    if done.returncode:
        costs.append({"text": "the next", "cpu_s": 0.0, "bytes": 0, "wrong": f"ended with {done.returncode}: {done.stderr[-300:]}"})  # fmt: skip
    return costs
