"""The data-flow pass in this very process, file by file: `python -m bench._taint_files FOLDER` tells in JSON the seconds of CPU of each."""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from pathlib import Path

from burnish.analysers.taint.__main__ import RECURSION, STACK_BYTES
from burnish.analysers.taint.budget import Budget
from burnish.analysers.taint.engine import Pass
from burnish.analysers.taint.knowledge import built_in


def timed(files: tuple[str, ...], took_s: dict[str, float]) -> None:
    """In the order of a review; a module that several import is paid for by the first of them."""
    looking = Pass(Path(), files, built_in(), Budget())
    for file in files:
        began = time.thread_time()
        looking.look_at(file)
        took_s[file] = time.thread_time() - began


def main() -> int:
    os.chdir(sys.argv[1])
    files = tuple(sorted(str(path) for path in Path().rglob("*.py")))
    took_s: dict[str, float] = {}
    sys.setrecursionlimit(RECURSION)
    threading.stack_size(STACK_BYTES)
    worker = threading.Thread(target=timed, args=(files, took_s))
    worker.start()
    worker.join()
    json.dump(took_s, sys.stdout)
    return 0 if len(took_s) == len(files) else 1


if __name__ == "__main__":
    sys.exit(main())
