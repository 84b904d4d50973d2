"""A small tree followed in this process, for tests."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from burnish.analysers.taint.engine import Pass
from burnish.analysers.taint.knowledge.tables import Knowledge, built_in
from burnish.analysers.taint.memory.budget import Budget

Finding = tuple[str, int, str]
Files = dict[str, str]


def known() -> Knowledge:
    """What Burnish knows itself, and `lab.source()` and `lab.sink(...)`."""
    made = built_in()
    made.add({
        "source": [{"call": ["lab.source"], "kind": "request", "what": "the lab"}],
        "sink": [{"class": "command", "call": ["lab.sink"]}],
    })  # fmt: skip
    return made


def follow(files: Files, knowledge: Knowledge | None = None, budget: Budget | None = None) -> Pass:
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


def programs(folder: Path, head: str, below: str = "", main: str = "app.py") -> Iterator[tuple[str, Files]]:
    """The programs in a folder's tables by name: `### name`, then one file, or several after `--- file`."""
    for path in sorted(folder.glob("*.txt")):
        for part in path.read_text("utf8").split("### ")[1:]:
            name, _, text = part.partition("\n")
            if "--- " in text:
                files = (one.partition("\n") for one in text.split("--- ")[1:])
                yield f"{path.stem}: {name}", {below + file: code for file, _, code in files}
            else:
                yield f"{path.stem}: {name}", {below + main: head + text}


def marked(files: Files, mark: str) -> set[tuple[str, int]]:
    """The lines that end in `# mark`."""
    return {
        (name, number)
        for name, text in files.items()
        for number, line in enumerate(text.splitlines(), 1)
        if line.endswith(f"# {mark}")
    }


def findings(files: Files) -> set[Finding]:
    return set(follow(files).report.findings)
