"""Files made to fell, stall or blind the data-flow pass: it ends, says what it did not review, and finds what lies beside."""

from __future__ import annotations

import asyncio
import os
import random
import resource
import time
from collections.abc import Callable
from pathlib import Path

from burnish import registry
from burnish.analysers._embedded import identified
from burnish.model.assessment import Analysis
from burnish.ports import Source
from burnish.process.environment import child_environment
from burnish.process.tool_setup import ToolSetup
from chaos._hostile_code import ALL_CODE, HEAD, HOSTILE, Files
from chaos._hostile_trees import ALL_TREES, CLASSES, SPECIALS, TEXTS
from chaos.section import Setting, Tally

LIMIT_S, TOGETHER_LIMIT_S = 120.0, 1200.0
RULE = "taint:command"
SINK = 'os.system("ls " + '
BESIDE = (
    HEAD
    + 'def helper(text):\n    return text.strip()\n\n\n@app.route("/b")\ndef b():\n    os.system("ls " + helper(request.args["b"]))\n    return ""\n'
)
# The same with the hostile file imported, which must not take its neighbour with it.
BESIDE_FILES = {"beside.py": BESIDE, "importing.py": f"import hostile\nfrom hostile import *\n{BESIDE}"}
NOTHING_INSIDE = ("an empty file",)
# In one tree, so that `make test` starts two processes and not ten.
SHORT = (
    "90 brackets", "5,000 brackets", "3,000 attributes", "900 terms of +", "a text a trillion long", "containers that hold themselves",
    "a class that inherits from itself", "recursion with a growing argument", "f-strings as of Python 3.12", "NUL bytes",
)  # fmt: skip
SHORT_ALONE = "link to itself"
TOGETHER = "all of them in one tree"


def section(setting: Setting, tally: Tally) -> None:
    cases: dict[str, Callable[[Path], None]] = {
        name: _writer(make) for name, make in {**ALL_CODE, **ALL_TREES}.items()
    }
    cases |= SPECIALS
    chosen = [SHORT_ALONE] if setting.short else list(cases)
    took_s = {}
    for number, name in enumerate(chosen):
        root = setting.folder / f"t{number}"
        root.mkdir()
        began = time.monotonic()
        cases[name](root)
        _record(tally, name, _tried(root, name, LIMIT_S))
        took_s[name] = time.monotonic() - began
    began = time.monotonic()
    _record(tally, TOGETHER, _together(setting))
    took_s[TOGETHER] = time.monotonic() - began
    slowest = sorted(took_s, key=lambda name: -took_s[name])[:3]
    told = ", ".join(f"{name} {took_s[name]:.1f} s" for name in slowest)
    peak_mb = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    tally.note(
        f"beside each two files with a weakness, one of which imports the hostile one; slowest: {told}; most memory {peak_mb:.0f} MB"
    )


def _record(tally: Tally, name: str, why: str) -> None:
    tally.fall(name, why) if why else tally.survive(name)


def _writer(make: Callable[[], Files]) -> Callable[[Path], None]:
    def write(root: Path) -> None:
        for path, text in make().items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_bytes(text)

    return write


def _tried(root: Path, name: str, limit_s: float) -> str:
    """Why it fell; empty when it did not."""
    for path, text in BESIDE_FILES.items():
        (root / path).write_text(text)
    found = analysed(root, limit_s)
    if found.failed:
        return f"failed: {found.failed[:300]}"
    blind = [path for path, text in BESIDE_FILES.items() if not _finds(found, path, text)]
    if blind:
        return f"{', '.join(blind)} beside it: nothing found{_said(found, blind[0])}"
    if name in NOTHING_INSIDE or _judged(root, HOSTILE, found):
        return ""
    return "its own weakness was not found, and it is not listed as not reviewed"


def _together(setting: Setting) -> str:
    """Every single file in one tree; each in a folder of its own."""
    root = setting.folder / "together"
    known = {**ALL_CODE, **CLASSES, **TEXTS}
    makers = [
        make
        for name, make in known.items()
        if name not in NOTHING_INSIDE and (name in SHORT or not setting.short)
    ]
    random.Random(setting.seed).shuffle(makers)
    for number, make in enumerate(makers):
        (root / f"c{number}").mkdir(parents=True)
        (root / f"c{number}" / HOSTILE).write_bytes(make()[HOSTILE])
    (root / "beside.py").write_text(BESIDE)
    found = analysed(root, TOGETHER_LIMIT_S)
    if found.failed:
        return f"failed: {found.failed[:300]}"
    if not _finds(found, "beside.py", BESIDE):
        return f"nothing found beside them{_said(found, 'beside.py')}"
    silent = [f"c{n}/{HOSTILE}" for n in range(len(makers)) if not _judged(root, f"c{n}/{HOSTILE}", found)]
    return f"neither found nor listed: {silent[:5]}" if silent else ""


def analysed(root: Path, limit_s: float) -> Analysis:
    """As a review asks: all names of the tree, whatever they are, to the analyser that is told of regular files only."""
    setup = ToolSetup(env=child_environment(dict(os.environ)), search=os.environ["PATH"], timeout_s=limit_s)
    analyser = identified(registry.load("analysers", "taint")(setup))
    names = [Path(folder, name) for folder, _, some in os.walk(root) for name in some]
    files = {str(path.relative_to(root)) for path in names if path.name.endswith(".py")} | {HOSTILE}
    return asyncio.run(analyser.analyse(Source(root, ""), analyser.wants(tuple(sorted(files)))))


def _judged(root: Path, path: str, found: Analysis) -> bool:
    """Its own weakness was found, or it is said that it (or the function) was not looked at."""
    if any(one.path == path or one.path.startswith(f"{path}:") for one in found.not_reviewed):
        return True
    try:
        text = (root / path).read_bytes().decode("utf8", "replace")
    except OSError:
        return False
    return _finds(found, path, text)


def _finds(found: Analysis, path: str, text: str) -> bool:
    lines = [number for number, line in enumerate(_lines(text), 1) if SINK in line]
    return any(one.rule == RULE and one.file == path and one.line in lines for one in found.findings)


def _lines(text: str) -> list[str]:
    """As Python counts them: `splitlines` would also part at form feeds and their like."""
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _said(found: Analysis, path: str) -> str:
    return "".join(f" ({one.why})" for one in found.not_reviewed if one.path.startswith(path))[:300]
