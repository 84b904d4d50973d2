"""Odd repositories over a whole `burnish run`: they work, or are refused in one sentence; no traceback ever."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from pathlib import Path

from tests.integration.git.test_odd_repositories import REFUSED, WORK
from tests.repos import TestRepo

from chaos._desk import APPROVES, Desk, at_home, each, ended
from chaos.section import Setting, Tally

WRITES = "Path('result.py').write_text('# good\\n')\n"

TOOK_S: list[float] = []


def section(setting: Setting, tally: Tally) -> None:
    known: dict[str, Callable[[Path], TestRepo | Path]] = {**WORK}
    known |= {build.__name__.replace("_", " "): build for build in REFUSED}
    chosen = list(known)
    if setting.short:
        chosen = [*random.Random(setting.seed).sample(chosen, 2), "pipe as ignore file"]
    folders = {name: setting.folder / f"odd{number}" for number, name in enumerate(known)}
    with at_home(setting.folder):
        each(tally, chosen, lambda name: _tried(name, known[name], folders[name]))
    tally.note(f"{len(WORK)} that must work and stay as they were, {len(REFUSED)} that must be refused")
    pipes = sum(name.startswith("pipe") for name in known)
    tally.note(
        f"{pipes} of them are named pipes where git or Burnish expects a file; slowest end {max(TOOK_S):.1f} s"
    )


def _tried(name: str, build: Callable[[Path], TestRepo | Path], folder: Path) -> str:
    (folder / "made").mkdir(parents=True)
    made = build(folder / "made")
    user = made if isinstance(made, TestRepo) else TestRepo(made)
    desk = Desk(folder, user)
    began = time.monotonic()
    try:
        return _ended(name, desk)
    finally:
        if name.startswith("pipe"):
            TOOK_S.append(time.monotonic() - began)


def _ended(name: str, desk: Desk) -> str:
    user = desk.repo
    if name not in WORK:
        said = desk.run(implement=WRITES, review=APPROVES)
        lines = [line for line in said.err.splitlines() if line]
        clear = said.code in (1, 2) and 1 <= len(lines) <= 2 and lines[0].endswith(".")
        # What only shows while it works ends the run, in words.
        clear = clear or (ended(said)[0] == "failed" and bool(said.end["message"]))
        worked = ended(said)[0] == "passed"
        return "" if clear or worked else f"exit {said.code}: {said.err[-300:]}"
    before = user.fingerprint()
    said = desk.run(implement=WRITES, review=APPROVES)
    if ended(said) != ("passed", "review_passed", 0):
        return f"{ended(said)}: {said.err[-300:]}"
    after = user.fingerprint()
    changed = [path for path in before if after.get(path) != before[path]]
    changed += [path for path in after if path not in before and "burnish" not in path]
    return f"changed: {changed[:3]}" if changed else ""
