"""sarif: findings of any other tool, taken in from SARIF 2.1.0 files that the user names."""

from __future__ import annotations

import stat
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from burnish import codec
from burnish.analysers._sarif_paths import Outside
from burnish.analysers._sarif_results import Told, told, tool_name
from burnish.analysers._setup import AnalyserSetup
from burnish.analysers._table import classify, knows
from burnish.model.assessment import Analysis
from burnish.model.dimension import Dimension
from burnish.model.review import Finding
from burnish.model.subject import NotReviewed
from burnish.ports import Source
from burnish.repository_files import read_below

MAX_BYTES = 64 * 1024 * 1024
MAX_RESULTS = 200_000
# The option under which the wiring says where the user's checkout is.
REPOSITORY = "repository"
# Names of ours that mean more than a tool's name does.
OURS = frozenset({"tests", "added", "secrets", "import-cycles", "ast-grep", "lizard"})


@dataclass
class Sarif:
    """A file speaks of one tree, the first that is asked about. Of another tree (the base) a result is only
    repeated where the same words still stand in the same file."""

    setup: AnalyserSetup
    name: str = "sarif"
    _words: dict[tuple[str, str, int], str] = field(default_factory=dict)
    _tree: str | None = None

    def missing(self) -> str:
        return "" if self.setup.sarif else "no SARIF file is named"

    def wants(self, files: tuple[str, ...]) -> tuple[str, ...]:
        return files if self.setup.sarif else ()

    async def analyse(self, source: Source, files: tuple[str, ...]) -> Analysis:
        if self._tree is None:
            self._tree = source.tree
        findings: list[Finding] = []
        noted: list[NotReviewed] = []
        for path in self.setup.sarif:
            try:
                document = _document(path)
            except ValueError as error:
                return Analysis(self.name, failed=f"{path.name!r} cannot be taken in: {error}")
            reading = _Reading(self._roots(source), frozenset(files))
            found = list(reading.findings(document))
            findings += self._here(source, found)
            noted += [NotReviewed(path.name, why) for why in reading.said]
        return Analysis(self.name, findings=tuple(findings), not_reviewed=tuple(noted), files=len(files))

    def _roots(self, source: Source) -> tuple[str, ...]:
        repository = self.setup.options.get(REPOSITORY, "")
        return (str(source.root), *((repository,) if repository.startswith("/") else ()))

    def _here(self, source: Source, found: list[tuple[Finding, bool]]) -> Iterator[Finding]:
        texts: dict[str, list[str]] = {}
        for finding, known in found:
            lines = texts.setdefault(finding.file, _lines(source.root, finding.file))
            place = (finding.rule, finding.file, finding.line or 0)
            if source.tree == self._tree:
                at = (finding.line or 0) - 1
                words = lines[at] if 0 <= at < len(lines) else finding.snippet
                self._words[place] = words
                yield replace(finding, snippet=finding.snippet or words.strip()[:500])
            elif known or self._stood(place, finding, lines):
                yield replace(finding, snippet=finding.snippet or self._words.get(place, "").strip()[:500])

    def _stood(self, place: tuple[str, str, int], finding: Finding, lines: list[str]) -> bool:
        words = self._words.get(place, finding.snippet).split()
        return bool(words) and any(line.split() == words for line in lines)


def make(setup: AnalyserSetup) -> Sarif:
    return Sarif(setup)


@dataclass
class _Reading:
    """One file being read. What is left out is counted, never silently dropped."""

    roots: tuple[str, ...]
    files: frozenset[str]
    left_out: Counter[str] = field(default_factory=Counter)

    def findings(self, document: Mapping[str, Any]) -> Iterator[tuple[Finding, bool]]:
        count = 0
        for run in _as_list(document.get("runs")):
            if not isinstance(run, dict):
                self.left_out["are not results"] += 1
                continue
            tool = tool_name(run)
            tool = f"sarif-{tool}" if tool in OURS else tool
            for result in _as_list(run.get("results")):
                count += 1
                if count > MAX_RESULTS:
                    self.left_out["are too many"] += 1
                elif (one := self._told(result, run)) is not None:
                    yield _finding(tool, one), one.known

    def _told(self, result: Any, run: Mapping[str, Any]) -> Told | None:
        if not isinstance(result, dict):
            self.left_out["are not results"] += 1
            return None
        try:
            found = told(result, run, self.roots)
        except (Outside, ValueError):
            self.left_out["name a place outside the repository"] += 1
            return None
        if found is None:
            self.left_out["are suppressed or no defect"] += 1
        elif found.hit.file not in self.files:
            self.left_out["are about files that are not reviewed here"] += 1
        else:
            return found
        return None

    @property
    def said(self) -> list[str]:
        return [f"{count} results {why}" for why, count in sorted(self.left_out.items())]


def _finding(tool: str, one: Told) -> Finding:
    finding = replace(classify(tool, one.hit), flow=one.flow)
    if one.security and not knows(tool, one.hit.rule, one.hit.message):
        return replace(finding, dimension=Dimension.SECURITY.value, category="input-validation")
    return finding


def _document(path: Path) -> Mapping[str, Any]:
    """The whole file; raises ValueError saying what is wrong with it."""
    try:
        about = path.stat()
        if not stat.S_ISREG(about.st_mode):
            raise ValueError("it is not a regular file")
        if about.st_size > MAX_BYTES:
            raise ValueError(f"it is larger than {MAX_BYTES // 1024 // 1024} MB")
        document = codec.loads(path.read_bytes().decode("utf-8-sig"))
    except OSError as error:
        raise ValueError(error.strerror or "it cannot be read") from None
    except UnicodeDecodeError:
        raise ValueError("it is not UTF-8") from None
    if not isinstance(document, dict) or not isinstance(document.get("runs"), list):
        raise ValueError("it is JSON, but not SARIF: there is no list of runs")
    if not str(document.get("version", "")).startswith("2.1"):
        raise ValueError(f"it is SARIF {str(document.get('version'))[:20]!r}, expected '2.1.0'")
    return document


def _lines(root: Path, path: str) -> list[str]:
    try:
        return read_below(root, path, MAX_BYTES).decode("utf8", "replace").split("\n")
    except OSError:
        return []


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
