"""mypy, where it is installed: types that do not fit in Python, without the project's configuration."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from burnish import codec
from burnish.analysers._program import Answer, relative
from burnish.analysers._setup import AnalyserSetup
from burnish.analysers._table import Hit, classify
from burnish.analysers._tool import Tool
from burnish.model.review import Finding

# Where ty is installed mypy stands back: it takes seconds for each look and finds less. `always` overrules.
OPTION = "mypy"
ALWAYS = "always"
# A configuration of the repository's could name a plugin or an interpreter, and both are run.
OPTIONS = (
    *("--config-file", "/dev/null", "--no-site-packages", "--no-incremental", "--cache-dir", "/dev/null"),
    *("--ignore-missing-imports", "--follow-imports", "skip", "--explicit-package-bases"),
    *("--check-untyped-defs", "--no-error-summary", "--no-color-output", "--output", "json", "--"),
)


def make(setup: AnalyserSetup) -> Tool:
    beside_ty = setup.options.get(OPTION) != ALWAYS and setup.program("ty") is not None
    return Tool(
        name="mypy",
        setup=setup,
        looks_at=lambda name: not beside_ty and name.endswith((".py", ".pyi")),
        options=lambda _: OPTIONS,
        read=read,
        needs="ty judges types here" if beside_ty else "",
        env={"MYPYPATH": "", "MYPY_CONFIG_FILE_DIR": ""},
    )


def read(text: str, root: Path) -> Answer:
    entries = [codec.loads(line) for line in text.split("\n") if line.strip()]
    return Answer(tuple(_finding(entry, root) for entry in entries if entry["severity"] == "error"))


def _finding(entry: dict[str, Any], root: Path) -> Finding:
    hit = Hit(
        rule=str(entry["code"] or "misc"),
        file=relative(str(entry["file"]), root),
        line=int(entry["line"]),
        end_line=int(entry["end_line"]) if entry.get("end_line") else None,
        message=str(entry["message"]),
        suggestion=str(entry.get("hint") or ""),
    )
    return classify("mypy", hit)
