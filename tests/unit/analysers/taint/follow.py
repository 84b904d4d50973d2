"""A small tree followed in this process, for tests."""

from __future__ import annotations

import tempfile
from pathlib import Path

from burnish.analysers.taint.engine import Pass
from burnish.analysers.taint.knowledge.tables import Knowledge, built_in
from burnish.analysers.taint.memory.budget import Budget

Finding = tuple[str, int, str]


def known() -> Knowledge:
    """What Burnish knows itself, and `lab.source()` and `lab.sink(...)`."""
    made = built_in()
    made.add({
        "source": [{"call": ["lab.source"], "kind": "request", "what": "the lab"}],
        "sink": [{"class": "command", "call": ["lab.sink"]}],
    })  # fmt: skip
    return made


def follow(files: dict[str, str], knowledge: Knowledge | None = None, budget: Budget | None = None) -> Pass:
    """Every file looked at, in order."""
    with tempfile.TemporaryDirectory(prefix="taint-") as folder:
        root = Path(folder)
        for name, text in files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text, "utf8")
        looking = Pass(root, tuple(files), knowledge or known(), budget or Budget())
        for name in files:
            looking.look_at(name)
        looking.finish()
    return looking


def findings(files: dict[str, str]) -> set[Finding]:
    return set(follow(files).report.findings)
