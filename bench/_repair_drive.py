"""One planted bug, searched for and judged in a process of its own: `python -m bench._repair_drive ID` prints the result as JSON."""

from __future__ import annotations

import asyncio
import json
import shlex
import shutil
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path

from bench._bugs import KEPT_BACK, SHOWN, Bug, bugs, equivalent, identical, passes
from bench.repair import LIMIT_S, Result
from burnish.fixers.search import Repair, repair_folder

NOTHING_FAILS = "the test does not fail"


def main() -> int:
    (bug,) = (bug for bug in bugs() if bug.id == sys.argv[1])
    with tempfile.TemporaryDirectory(prefix="bench-repair-") as folder:
        json.dump(asdict(judged(bug, Path(folder))), sys.stdout)
    return 0


def judged(bug: Bug, folder: Path) -> Result:
    control = all(passes(bug, bug.original).values()) and quiet(bug, folder / "control")
    found = searched(bug, bug.planted, folder / "work")
    program = found.files.get("program.py", bug.planted)
    passed = passes(bug, program) if found.found else {SHOWN: False, KEPT_BACK: False}
    return Result(
        bug.id,
        control,
        repaired=passed[SHOWN],
        right=passed[SHOWN] and passed[KEPT_BACK],
        identical=identical(program, bug.original),
        equivalent=equivalent(program, bug.original),
        took_s=found.duration_s,
        tried=found.tried,
        edit=found.diff,
        why_not="" if passed[SHOWN] else found.said,
    )


def searched(bug: Bug, program: str, work: Path) -> Repair:
    """The folder holds what may be shown and nothing else."""
    work.mkdir()
    (work / "program.py").write_text(program, "utf8")
    shutil.copyfile(bug.folder / SHOWN, work / SHOWN)
    command = f"{shlex.quote(sys.executable)} -m pytest -q -p no:cacheprovider"
    return asyncio.run(repair_folder(work, command, LIMIT_S, workers=1))


def quiet(bug: Bug, work: Path) -> bool:
    """The search runs the original's tests with its own limits, and finds none that fails."""
    found = searched(bug, bug.original, work)
    return not found.tried and found.said.startswith(NOTHING_FAILS)


if __name__ == "__main__":
    sys.exit(main())
