"""`python -I -m burnish.analysers.taint`: a request as JSON on stdin, an answer as JSON lines on stdout.

It reads the tree below the folder it is started in, and runs none of it.
"""

from __future__ import annotations

import os
import resource
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

from burnish.analysers.taint.engine import Pass
from burnish.analysers.taint.finding.report import Found
from burnish.analysers.taint.knowledge.tables import KINDS, built_in
from burnish.analysers.taint.memory.budget import Budget
from burnish.analysers.taint.putting_together import lines_before
from burnish.analysers.taint.reach import CALLERS, MOST_FILES, leading_into
from burnish.codec import dumps, loads

MEMORY_BYTES = 4 * 1024**3
STACK_BYTES = 256 * 1024**2
RECURSION = 20_000
TEXT_CHARS = 160
# The pass as a whole has less time than a tool may take, so that it can say what it left out.
WHOLE_S, CALLERS_S = 400.0, 8.0
MOST_NOTES = 3


def main() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    asked = loads(sys.stdin.read())
    sys.setrecursionlimit(RECURSION)
    threading.stack_size(STACK_BYTES)
    whole: list[bool] = []
    worker = threading.Thread(target=_answer, args=(asked, whole))
    worker.start()
    worker.join()
    # A thread's end says nothing to whoever waits for the process.
    sys.exit(0 if whole else 1)


def _answer(asked: dict[str, Any], whole: list[bool]) -> None:
    known = built_in()
    known.kinds = tuple(asked.get("kinds") or KINDS)
    for table in asked.get("knowledge", ()):
        known.add(table)
    budget = Budget(**asked.get("budget", {}))
    modules = tuple(_modules())
    looking = Pass(Path(), modules, known, budget)
    _look(looking, modules, asked)
    for line in _lines(looking):
        sys.stdout.write(dumps(line) + "\n")
    sys.stdout.write(dumps({"kind": "end"}) + "\n")
    sys.stdout.flush()
    whole.append(True)


def _look(looking: Pass, modules: tuple[str, ...], asked: dict[str, Any]) -> None:
    """What was asked about, then whoever leads there, the nearest first, as long as there is time."""
    until = time.monotonic() + WHOLE_S
    for file in asked["files"]:
        if time.monotonic() < until:
            looking.look_at(file)
        else:
            looking.report.left_out(file, 1, f"the files before it took more than {WHOLE_S:g} s")
    most = asked.get("callers", MOST_FILES)
    callers, left_out = leading_into(Path(), modules, frozenset(asked["files"]), most)
    # In seconds of computing: what is found should not depend on what else a machine does.
    enough = time.thread_time() + CALLERS_S * most / MOST_FILES
    for number, file in enumerate(callers):
        if time.thread_time() > enough or time.monotonic() > until:
            left_out += len(callers) - number
            break
        looking.look_at(file)
    if time.monotonic() < until:
        looking.finish()
    if left_out:
        why = f"{left_out} further files that use what is reviewed were not followed"
        looking.report.left_out(CALLERS, 0, why)


def _modules() -> Iterator[str]:
    for folder, names, files in os.walk("."):
        names[:] = sorted(name for name in names if name != ".git" and not Path(folder, name).is_symlink())
        for name in sorted(files):
            path = f"{folder}/{name}".removeprefix("./")
            if (
                name.endswith(".py")
                and path.isprintable()
                and Path(path).is_file()
                and not Path(path).is_symlink()
            ):
                yield path


def _lines(looking: Pass) -> Iterator[dict[str, Any]]:
    for found in looking.report.findings.values():
        yield {
            "kind": "finding", "class": found.flaw, "file": found.file, "line": found.line,
            "end_line": found.end_line, "what": found.what, "flow": list(_flow(looking, found)),
            "source": found.origin.kind if found.origin else "", "doubts": found.doubts,
            "from": found.origin.what if found.origin else "", "weak_guards": found.weak_guards,
            "framework": found.origin.framework if found.origin else "",
        }  # fmt: skip
    yield from _clean(looking)
    for (file, line), why in looking.report.undone.items():
        yield {"kind": "not_reviewed", "file": file, "line": line, "why": why}
    for bug in looking.report.bugs.values():
        yield {"kind": "bug", "what": bug}


def _clean(looking: Pass) -> Iterator[dict[str, Any]]:
    """Each clean place, with the lines before it that say no more than it does."""
    doubted = looking.report.opened | set(looking.report.findings)
    not_whole = looking.doubtful()
    places: dict[tuple[str, str], set[int]] = defaultdict(set)
    for file, line, flaw in looking.report.clean_places():
        if file not in not_whole:
            places[file, flaw].add(line)
    for (file, flaw), clean in places.items():
        tree = looking.modules.of_file(file).tree
        before = lines_before(tree, clean) if tree else {}
        for line in sorted(clean):
            also = [one for one in before.get(line, ()) if (file, one, flaw) not in doubted]
            yield {"kind": "clean", "file": file, "line": line, "class": flaw, "also": also}


def _flow(looking: Pass, found: Found) -> Iterator[dict[str, Any]]:
    """Each line once in a row, with its code and all that happens there."""
    for (file, line), cells in groupby(found.way, key=lambda cell: (cell.file, cell.line)):
        notes = dict.fromkeys(cell.note for cell in cells if cell.note)
        lines = looking.modules.of_file(file).lines
        code = lines[line - 1].strip() if 0 < line <= len(lines) else ""
        note = ", ".join(list(notes)[:MOST_NOTES])
        yield {"file": file, "line": line, "text": code[:TEXT_CHARS], "note": note}


if __name__ == "__main__":
    main()
