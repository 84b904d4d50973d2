"""The data-flow pass in this very process, file by file: `python -m bench._taint_files FOLDER` tells in JSON what each of them took."""

from __future__ import annotations

import json
import os
import resource
import sys
import threading
import time
from pathlib import Path
from typing import Any

from burnish.analysers.taint.__main__ import RECURSION, STACK_BYTES
from burnish.analysers.taint.engine import Pass
from burnish.analysers.taint.knowledge.tables import built_in
from burnish.analysers.taint.memory.budget import Budget


def timed(files: tuple[str, ...], told: dict[str, Any]) -> None:
    """In the order of a review; a module that several import is paid for by the first of them."""
    looking = Pass(Path(), files, built_in(), Budget())
    times: dict[str, float] = {}
    for file in files:
        began = time.thread_time()
        looking.look_at(file)
        times[file] = time.thread_time() - began
    looking.finish()
    report = looking.report
    told |= {
        "times": times,
        "findings": [found.flaw for found in report.findings.values()],
        "not_reviewed": [[file, why] for (file, _), why in report.undone.items()],
    }


def main() -> int:
    os.chdir(sys.argv[1])
    files = tuple(sorted(str(path) for path in Path().rglob("*.py")))
    told: dict[str, Any] = {}
    sys.setrecursionlimit(RECURSION)
    threading.stack_size(STACK_BYTES)
    worker = threading.Thread(target=timed, args=(files, told))
    worker.start()
    worker.join()
    told["peak_mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    json.dump(told, sys.stdout)
    return 0 if "times" in told else 1


if __name__ == "__main__":
    sys.exit(main())
