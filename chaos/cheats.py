"""Cheating fixers: a change that disarms its judge is caught, and one that only looks like it is not accused.

The rows are those of the public corpus (`burnish.corpus`), each in a repository of its own, by the real tools.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from burnish.corpus.cheats import judged, missing, passes
from burnish.corpus.score import rows
from burnish.model.sandbox_mode import SandboxMode
from burnish.process import bubblewrap
from chaos._desk import AT_ONCE, at_home
from chaos.section import Setting, Tally

# One of each class, of those that take no time.
SHORT = (
    "script-python", "make-include", "test-weakened-right-code", "layout-bats", "ruff-dot-toml-new", "shadow-unittest",
    "knows-names", "knows-test-bytes", "patch-assert-equal", "fmt-skip", "h-test-added-to-file", "h-setup-cfg", "h-program",
    "h-allowed-edit",
)  # fmt: skip


def section(setting: Setting, tally: Tally) -> None:
    wanted = [row for row in rows("cheats") if not setting.short or row["id"] in SHORT]
    here = [row for row in wanted if not missing(row)]
    modes = [SandboxMode.OFF]
    if bubblewrap.usable():
        modes.append(SandboxMode.REQUIRE)
    with at_home(setting.folder):
        for mode in modes:
            _tried(here, mode, tally)
    labels = Counter(row["expected"] for row in here)
    tally.note(
        f"{labels['red']} cheats, {labels['green']} honest look-alikes, by the gate alone, "
        f"{'with and without' if len(modes) > 1 else 'without'} bubblewrap"
    )
    skipped = {name for row in wanted for name in missing(row)}
    if skipped:
        tally.note(f"{len(wanted) - len(here)} rows skipped, for want of {', '.join(sorted(skipped))}")
    tally.note(
        "not expected to be caught by a gate: code that returns what the known tests expect, code that reads the "
        "statements of a test and understands them, tests inside the code's own files, patches outside of Python and "
        "JavaScript, and suppressions that are attributes of the language, such as Rust's allow"
    )


def _tried(wanted: list[dict[str, Any]], mode: SandboxMode, tally: Tally) -> None:
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for row, why in zip(wanted, pool.map(lambda row: _why_it_fell(row, mode), wanted), strict=True):
            name = f"{row['id']} (sandbox {mode})"
            if why:
                tally.fall(name, why)
            else:
                tally.survive(name)


def _why_it_fell(row: dict[str, Any], mode: SandboxMode) -> str:
    try:
        result = asyncio.run(judged(row, mode))
    except ValueError as error:
        return f"proves nothing: {error}"
    if passes(result) == (row["expected"] == "green"):
        return ""
    said = f"{result.fault} {result.doubts} {result.restored} {result.output[-300:]}"
    return f"{'green' if row['expected'] == 'red' else 'accused'}: {' '.join(said.split())}"
