"""The analysers that make the embedded reviewer, and what none of them can judge."""

from __future__ import annotations

import asyncio
import stat
import time
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path, PurePosixPath

from burnish.analysers._around import Around
from burnish.analysers._fingerprint import identify
from burnish.analysers._flow_lines import with_lines
from burnish.analysers._program import WHOLE_TREE, ToolFailed
from burnish.analysers._setup import AnalyserSetup
from burnish.model.assessment import Analysis
from burnish.model.dimension import Dimension
from burnish.model.review import Finding
from burnish.model.subject import NotReviewed
from burnish.ports import Analyser, Source
from burnish.registry import load, names
from burnish.repository_files import read_below

READ_BYTES = 20 * 1024 * 1024
NOT_A_FILE = "not a regular file of the tree"

# What stays unjudged whatever ran: no tool we know judges it by reading.
ALWAYS = (
    (Dimension.ACTION_ITEMS, "whether the task was done: no analyser judges that"),
    (Dimension.SECURITY, "known vulnerabilities of dependencies: not assessed offline"),
    (Dimension.SECURITY, "missing authorisation"),
    (Dimension.SECURITY, "data flow outside of Python code, or through a database, a queue or a program"),
    (
        Dimension.ARCHITECTURE,
        "layering, cohesion and scalability: only import cycles of Python are looked for",
    ),
    (Dimension.PERFORMANCE, "run time, memory and queries: only patterns of single lines are looked for"),
    (Dimension.QUALITY, "whether the logic is right: only a test can tell"),
    (Dimension.QUALITY, "code that was copied from elsewhere"),
)
# What is unjudged unless this analyser ran.
UNLESS = (
    ("tests", Dimension.ACTION_ITEMS, "the tests: they were not run"),
    ("ruff", Dimension.QUALITY, "Python code"),
    ("lizard", Dimension.QUALITY, "complexity and length"),
    ("import-cycles", Dimension.ARCHITECTURE, "import cycles"),
    ("ast-grep", Dimension.SECURITY, "dangerous patterns in other languages than Python"),
    ("ty", Dimension.QUALITY, "types in Python"),
    ("oxlint", Dimension.QUALITY, "JavaScript and TypeScript"),
    ("secrets", Dimension.SECURITY, "keys and tokens in the text"),
    ("taint", Dimension.SECURITY, "data flow from one function to another"),
    ("added", Dimension.ACTION_ITEMS, "suppressions, skipped tests and open TODOs"),
)


def identified(analyser: Analyser) -> Analyser:
    """An analyser whose findings carry their line and their identity, and who is given regular files only."""
    return Around(analyser, _identified)


async def _identified(analyser: Analyser, source: Source, files: tuple[str, ...]) -> Analysis:
    began = time.monotonic()
    readable, left_out = await asyncio.to_thread(_regular, source.root, files)
    try:
        found = await analyser.analyse(source, readable)
    except ToolFailed as failed:
        return Analysis(analyser.name, failed=str(failed), duration_s=time.monotonic() - began)
    findings = await asyncio.to_thread(_with_identity, found.findings, source.root)
    return replace(
        found,
        findings=findings,
        not_reviewed=found.not_reviewed + left_out,
        duration_s=found.duration_s or time.monotonic() - began,
    )


def _with_identity(findings: tuple[Finding, ...], root: Path) -> tuple[Finding, ...]:
    read = partial(text_of, root)
    return with_lines(identify(findings, read), read)


def embedded(setup: AnalyserSetup) -> tuple[Analyser, ...]:
    """All analysers, made for this setup; which of them can work here each says itself."""
    return tuple(identified(load("analysers", name)(setup)) for name in names("analysers"))


def not_assessed(ran: tuple[Analysis, ...]) -> tuple[str, ...]:
    """What nobody judged, a sentence each that begins with its dimension."""
    return tuple(f"{dimension.value}: {what}" for dimension, what in _gaps(ran))


def text_of(root: Path, path: str) -> str | None:
    """A file of the tree as text; None for what is not a regular file inside it."""
    try:
        return read_below(root, path, READ_BYTES)[:READ_BYTES].decode("utf8", "replace")
    except OSError:
        return None


def _gaps(ran: tuple[Analysis, ...]) -> Iterator[tuple[Dimension, str]]:
    answers = {analysis.tool: analysis for analysis in ran}
    for tool, dimension, what in UNLESS:
        answer = answers.get(tool)
        if answer is not None and answer.failed:
            yield dimension, f"{what} ({answer.failed})"
        elif answer is None and tool == "tests":
            yield dimension, f"{what}, because no test command is known"
    yield from ALWAYS


def _regular(root: Path, files: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[NotReviewed, ...]]:
    whys = {path: _why_not(root, path) for path in files if path != WHOLE_TREE}
    good = tuple(path for path in files if not whys.get(path))
    return good, tuple(NotReviewed(path, why) for path, why in whys.items() if why)


def _why_not(root: Path, path: str) -> str:
    """A link, on the way or at the end, could lead an analyser out of the tree."""
    pure = PurePosixPath(path)
    if not path or pure.is_absolute() or ".." in pure.parts:
        return NOT_A_FILE
    try:
        for above in list(pure.parents)[:-1]:
            if (root / above).is_symlink():
                return NOT_A_FILE
        return "" if stat.S_ISREG((root / pure).lstat().st_mode) else NOT_A_FILE
    except (OSError, ValueError):
        return NOT_A_FILE
