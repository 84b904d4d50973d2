"""The data-flow analyser alone, over the Python files below a folder: `python -m bench._taint_drive FOLDER` tells in JSON what it took."""

from __future__ import annotations

import asyncio
import json
import os
import resource
import sys
import time
from pathlib import Path
from typing import Any


def analysed(root: Path, files: tuple[str, ...] = ()) -> dict[str, Any]:
    """CPU and memory are those of the processes that the analyser started, not of this one."""
    from burnish import registry
    from burnish.ports import Source
    from burnish.process.environment import child_environment
    from burnish.process.tool_setup import ToolSetup

    setup = ToolSetup(env=child_environment(dict(os.environ)), search=os.environ["PATH"])
    analyser = registry.load("analysers", "taint")(setup)
    given = files or tuple(sorted(str(path.relative_to(root)) for path in root.rglob("*.py")))
    began, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    found = asyncio.run(analyser.analyse(Source(root, ""), analyser.wants(given)))
    wall_s, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    return {
        "wall_s": wall_s,
        "cpu_s": after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
        "peak_mb": after.ru_maxrss / 1024,
        "failed": found.failed,
        "files": found.files,
        "findings": [[one.rule, one.file, one.line] for one in found.findings],
        "not_reviewed": [[one.path, one.why] for one in found.not_reviewed],
    }


def main() -> int:
    json.dump(analysed(Path(sys.argv[1]), tuple(sys.argv[2:])), sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
