"""One planted bug, searched for and judged in a process of its own: `python -m bench._repair_drive ID` prints the result as JSON."""

from __future__ import annotations

import asyncio
import json
import shutil
import sys
import tempfile
import time
from dataclasses import asdict
from pathlib import Path

from bench._bugs import KEPT_BACK, SHOWN, Bug, bugs, equivalent, identical, passes
from bench.repair import Result


def main() -> int:
    (bug,) = (bug for bug in bugs() if bug.id == sys.argv[1])
    with tempfile.TemporaryDirectory(prefix="bench-repair-") as folder:
        json.dump(asdict(judged(bug, Path(folder))), sys.stdout)
    return 0


def judged(bug: Bug, folder: Path) -> Result:
    control = all(passes(bug, bug.original).values())
    began = time.monotonic()
    edit, tried, why_not = searched(bug, folder / "work")
    took_s = time.monotonic() - began
    program = (folder / "work" / "program.py").read_text("utf8")
    passed = passes(bug, program) if edit else {SHOWN: False, KEPT_BACK: False}
    return Result(
        bug.id,
        control,
        repaired=passed[SHOWN],
        right=passed[SHOWN] and passed[KEPT_BACK],
        identical=identical(program, bug.original),
        equivalent=equivalent(program, bug.original),
        took_s=took_s,
        tried=tried,
        edit=edit,
        why_not=why_not,
    )


def searched(bug: Bug, work: Path) -> tuple[str, int, str]:
    """The folder holds what may be shown and nothing else; afterwards the program in it is the best proposal."""
    from burnish.fixers.search import repair_folder

    work.mkdir()
    for name in ("program.py", SHOWN):
        shutil.copyfile(bug.folder / name, work / name)
    found = asyncio.run(repair_folder(work))
    return found.edit, found.tried, found.why_not


if __name__ == "__main__":
    sys.exit(main())
