"""added: told-off checkers, skipped tests, TODOs, debuggers and conflict markers, in any language.

It reads the text alone and reports all of them; comparing with the base tells which ones a change brought.
"""

from __future__ import annotations

import asyncio
import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path, PurePosixPath

from burnish.analysers._marks import MARKS, Mark, Place, openers_of, place_of, tongue_of
from burnish.analysers._setup import AnalyserSetup
from burnish.analysers._table import Hit, classify, is_test
from burnish.model.assessment import Analysis
from burnish.model.review import Finding
from burnish.model.subject import NotReviewed
from burnish.ports import Source

# Data, and what other programs wrote: nobody left a note there.
_DATA = """
    .json .lock .csv .tsv .svg .map .ipynb .snap .pdf .png .jpg .jpeg .gif .ico .woff .woff2 .ttf .zip .gz .po
    .pot
"""
DATA = frozenset(_DATA.split())
MINIFIED = (".min.js", ".min.css", ".bundle.js")
MAX_FILE_BYTES = 5 * 1024 * 1024
LINE_CHARS = 400
SAID = {
    "suppression": "A checker is told to look away",
    "suppression-file": "A checker is switched off for this file",
    "skipped-test": "A test is skipped or expected to fail",
    "only-test": "Only this test runs",
    "todo": "Left to do",
    "fixme": "Known to be wrong",
    "not-implemented": "Not implemented",
    "debugger": "A debugger call",
    "conflict-marker": "An unresolved merge conflict",
}
# Words that are skipping or focusing in a test and anything elsewhere ("fit a curve").
TEST_RULES = frozenset({"skipped-test", "only-test"})
TEST_TONGUES = frozenset({"js", "ruby", "jvm", "csharp", "php"})
MAX_FINDINGS = 500


@dataclass(frozen=True)
class Added:
    setup: AnalyserSetup
    name: str = "added"

    def missing(self) -> str:
        return ""

    def wants(self, files: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(
            path
            for path in files
            if PurePosixPath(path).suffix.lower() not in DATA and not path.endswith(MINIFIED)
        )

    async def analyse(self, source: Source, files: tuple[str, ...]) -> Analysis:
        findings: list[Finding] = []
        unread: list[NotReviewed] = []
        wanted = self.wants(files)
        for path in wanted:
            # One file at a time in a thread: the event loop has its turn in between.
            found = await asyncio.to_thread(_looked_at, source.root, path)
            if isinstance(found, NotReviewed):
                unread.append(found)
            else:
                findings += found
        return Analysis(self.name, findings=tuple(findings), not_reviewed=tuple(unread), files=len(wanted))


def make(setup: AnalyserSetup) -> Added:
    return Added(setup)


def _looked_at(root: Path, path: str) -> list[Finding] | NotReviewed:
    try:
        with (root / path).open("rb") as file:
            data = file.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        return NotReviewed(path, error.strerror or "it cannot be read")
    if len(data) > MAX_FILE_BYTES:
        return NotReviewed(path, f"larger than {MAX_FILE_BYTES // 1024**2} MB")
    if b"\0" in data[:8000]:
        return []
    return list(look(path, data.decode("utf8", "replace")))


def look(path: str, text: str) -> Iterator[Finding]:
    """Every mark in a text, one finding per line and rule."""
    seen: dict[tuple[int, str], list[str]] = {}
    for line, rule, what in sorted([*_conflicts(text), *islice(_marked(path, text), MAX_FINDINGS)]):
        said = seen.setdefault((line, rule), [])
        if not any(what in longer for longer in said):
            said[:] = [shorter for shorter in said if shorter not in what] + [what]
    for (line, rule), said in seen.items():
        message = f"{SAID[rule]}: {', '.join(said)}" if any(said) else SAID[rule]
        yield classify("added", Hit(rule, path, line, message))


def _conflicts(text: str) -> Iterator[tuple[int, str, str]]:
    """Whole conflicts only: rows of `=` underline titles, and documents show single markers."""
    if "<<<<<<< " not in text:
        return
    begun = halfway = 0
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith("<<<<<<< "):
            begun, halfway = number, 0
        elif line.rstrip() == "=======" and begun:
            halfway = number
        elif line.startswith(">>>>>>> ") and halfway:
            yield begun, "conflict-marker", ""
            begun = halfway = 0


def _marked(path: str, text: str) -> Iterator[tuple[int, str, str]]:
    tongue = tongue_of(path)
    if not tongue:
        return
    openers, test = openers_of(tongue), is_test(path) or tongue not in TEST_TONGUES
    starts: list[int] = []
    for mark in MARKS:
        if (mark.tongue and mark.tongue != tongue) or (mark.rule in TEST_RULES and not test):
            continue
        at = text.find(mark.text)
        while at >= 0:
            starts = starts or _line_starts(text)
            number = bisect_right(starts, at)
            column = at - starts[number - 1]
            if column < LINE_CHARS:
                line = text[at - column : at + LINE_CHARS].split("\n", 1)[0]
                if _counts(mark, line, column, openers):
                    yield number, mark.rule, _what(mark, line, column)
            at = text.find(mark.text, at + len(mark.text))


def _line_starts(text: str) -> list[int]:
    return [0, *(found.end() for found in re.finditer("\n", text))]


def _counts(mark: Mark, line: str, at: int, openers: tuple[str, ...]) -> bool:
    """In its place, and not just a part of a longer word."""
    before = line[at - 1] if at else " "
    after = line[at + len(mark.text)] if at + len(mark.text) < len(line) else " "
    if mark.text[0].isalnum() and (before.isalnum() or before == "_"):
        return False
    if mark.text[-1].isalnum() and (after.isalnum() or after in "_-"):
        return False
    return place_of(line, at, openers) is mark.place


def _what(mark: Mark, line: str, at: int) -> str:
    """The words of the mark: a note is told with its text, a suppression with the rules it names."""
    return " ".join(line[at : at + 80].split()) if mark.place is Place.COMMENT else mark.text.rstrip("(")
