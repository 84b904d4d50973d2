"""`burnish build` in a process that tells, when it has ended, how much memory and CPU it took."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

from bench._drive import cpu_s, peak_mb


def main() -> None:
    from burnish.cli.main import main as burnish

    began, code = time.perf_counter(), 0
    try:
        burnish(["build", *sys.argv[2:]])
    except SystemExit as ended:
        code = int(ended.code or 0)
    told = {"code": code, "wall_s": time.perf_counter() - began, "cpu_s": cpu_s(), "peak_mb": peak_mb()}
    Path(sys.argv[1]).write_text(json.dumps(told))


if __name__ == "__main__":
    main()
