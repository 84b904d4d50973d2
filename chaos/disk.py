"""A disk that is full at fifty levels, or read-only: nothing is damaged, one sentence is said, and the run goes on later."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from chaos.section import Setting, Tally

ROOT = Path(__file__).resolve().parent.parent
LEVELS = 50
IN_SHORT = 1
# In a mount namespace of its own, so that nothing is left mounted whatever happens.
ALONE = ["unshare", "--mount", "--propagation", "private"]
JOURNAL = 'mount -t tmpfs -o size=2m tmpfs "$1" && exec "$2" -m tests.integration.store.small_disk "$1"'


def section(setting: Setting, tally: Tally) -> None:
    probe = [*ALONE, "mount", "-t", "tmpfs", "tmpfs", str(setting.folder)]
    if subprocess.run(probe, capture_output=True, check=False).returncode:
        tally.note("skipped: needs the right to mount a small disk (root)")
        return
    levels = IN_SHORT if setting.short else LEVELS
    told = ask(
        [sys.executable, "-m", "chaos._small_disk", str(setting.folder), str(levels), str(setting.seed)]
    )
    for _ in range(told["injected"] - len(told["fallen"])):
        tally.survive()
    for text in told["fallen"]:
        tally.fall(*text.split(": ", 1))
    for text in told["notes"]:
        tally.note(text)
    if not setting.short:
        journal(setting.folder / "journal", tally)


def ask(command: list[str]) -> Any:
    done = subprocess.run([*ALONE, *command], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def journal(folder: Path, tally: Tally) -> None:
    """The journal alone, at fifty levels closer together than whole runs can show."""
    folder.mkdir()
    told = ask(["sh", "-c", JOURNAL, "sh", str(folder), sys.executable])
    for level in told["levels"]:
        what, first, second = f"journal, {level['leave']} bytes left", level["first"], level["second"]
        if level["intact"] not in (True, "ok"):
            tally.fall(what, f"damaged: {level['intact']}")
        elif first["trouble"] and ("\n" in first["trouble"] or "space" not in first["trouble"]):
            tally.fall(what, f"not one sentence about space: {first['trouble']!r}")
        elif second["trouble"] or level["kinds"].count("step_finished") != len(second["done"]):
            tally.fall(what, f"did not go on: {second['trouble'] or level['kinds']}")
        else:
            tally.survive(what)
    for sentence in told["read_only"]["said"]:
        if sentence and "\n" not in sentence and "folder" in sentence:
            tally.survive("journal, read-only")
        else:
            tally.fall("journal, read-only", repr(sentence))
    tally.note(
        f"{len(told['levels'])} more levels and {len(told['read_only']['said'])} read-only places on the journal alone"
    )
