"""`burnish` at work in a process that tells what it took: `python -m bench._review_drive TOLD ARGUMENTS...`, or one analyser alone."""

from __future__ import annotations

import asyncio
import json
import os
import resource
import sys
import time
from pathlib import Path


def told(began: float) -> dict[str, float]:
    """Wall clock, and CPU and peak memory of this process and of its children that ended."""
    own, others = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return {
        "wall_s": time.perf_counter() - began,
        "own_cpu_s": own.ru_utime + own.ru_stime,
        "child_cpu_s": others.ru_utime + others.ru_stime,
        "own_mb": own.ru_maxrss / 1024,
        "child_mb": others.ru_maxrss / 1024,
    }


def command(words: list[str]) -> int:
    from burnish.cli.main import main

    sys.argv = ["burnish", *words]
    try:
        main()
    except SystemExit as ended:
        return int(ended.code or 0)
    return 0


def alone(name: str, root: Path, under: str) -> dict[str, float]:
    """One analyser over the files under a folder of a tree that is laid out already."""
    from burnish.analysers._embedded import embedded
    from burnish.ports import Source
    from burnish.process.environment import child_environment
    from burnish.process.tool_setup import ToolSetup

    scratch = root.parent / "scratch"
    scratch.mkdir(exist_ok=True)
    setup = ToolSetup(env=child_environment(dict(os.environ)), search=os.environ["PATH"], scratch=scratch)
    files = tuple(sorted(str(p.relative_to(root)) for p in (root / under).rglob("*") if p.is_file()))
    analyser = next(one for one in embedded(setup) if one.name == name)
    began = time.perf_counter()
    found = asyncio.run(analyser.analyse(Source(root, ""), analyser.wants(files)))
    if found.failed:
        raise SystemExit(f"{name}: {found.failed}")
    return {**told(began), "findings": len(found.findings), "files": found.files}


def main() -> int:
    where, *words = sys.argv[1:]
    began, code = time.perf_counter(), 0
    if words[0] == "alone":
        said = alone(words[1], Path(words[2]), words[3])
    else:
        code = command(words)
        said = told(began)
    Path(where).write_text(json.dumps({**said, "exit": code}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
