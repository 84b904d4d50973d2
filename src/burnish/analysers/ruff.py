"""ruff: what reading finds wrong in Python, with our selection of rules and nothing of the repository's."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any

from burnish import codec
from burnish.analysers._program import (
    Answer,
    Call,
    over_files,
    program_missing,
    relative,
    version_of,
    with_suffix,
)
from burnish.analysers._setup import AnalyserSetup
from burnish.analysers._table import Hit, classify
from burnish.model.assessment import Analysis
from burnish.model.review import Finding
from burnish.model.subject import NotReviewed
from burnish.ports import Source

SUFFIXES = frozenset({".py", ".pyi", ".pyw"})
# Written out, because ruff's own selection changes with its version. Left out on purpose: C90 (lizard
# measures all languages alike), FIX and TD (`added` reads every language).
SELECT = (
    "F,E4,E7,E9,B,S,PERF,PLR0911,PLR0913,PLE,PLW,ASYNC,SIM,UP,RUF,TRY,ERA,ARG,BLE,DTZ,LOG,G,RET,C4,FURB,PIE,"
    "T10"
)
# Right so seldom that nobody would act on them: asserts and plain child processes (S), style of exceptions
# (TRY), letters of other alphabets, comments about ruff itself (RUF), arguments an interface asks for (ARG).
IGNORE = (
    "S101,S404,S603,S606,S607,TRY003,TRY300,TRY301,RUF001,RUF002,RUF003,RUF100,RUF101,RUF102,RUF103,RUF104,"
    "ARG002,ARG003,ARG005,PERF203,SIM108"
)
# Newer forms, which the oldest Python of a project may not have: told only where the project names it.
IF_VERSION_KNOWN = "UP006,UP007,UP017,UP035,UP036,UP040,UP045,UP046,UP047"
FLAGS = ("--isolated", "--no-cache", "--no-fix", "--ignore-noqa", "--no-respect-gitignore", "--quiet")
LOOKED = frozenset({0, 1})
SYNTAX = "invalid-syntax"
UNREADABLE = "E902"
UNUSED_IMPORT = "F401"
RE_EXPORT_CONFIDENCE = 0.2
# ruff calls these fixes safe; they take away what other modules import from here.
NOT_REALLY_SAFE = frozenset({"F401", "F811"})
OLDEST, NEWEST = 7, 15
_LOWEST = re.compile(r"(?:>=|~=|==)\s*3\.(\d+)")


@dataclass(frozen=True)
class Ruff:
    setup: AnalyserSetup
    program: Path | None
    name: str = "ruff"

    def missing(self) -> str:
        return program_missing(self.name, self.program)

    def wants(self, files: tuple[str, ...]) -> tuple[str, ...]:
        return with_suffix(files, SUFFIXES)

    async def analyse(self, source: Source, files: tuple[str, ...]) -> Analysis:
        target = target_version(source.root)
        argv = (
            *(str(self.program), "check", *FLAGS, "--output-format", "json"),
            *("--select", SELECT, "--ignore", IGNORE if target else f"{IGNORE},{IF_VERSION_KNOWN}"),
            *(("--target-version", target) if target else ()),
            "--",
        )
        call = Call(self.name, argv, LOOKED, self.setup)
        found = await over_files(call, source, self.wants(files), lambda text: _read(text, source.root))
        return replace(found, version=version_of(self.name, self.program))


def make(setup: AnalyserSetup) -> Ruff:
    return Ruff(setup, setup.program("ruff"))


def target_version(root: Path) -> str:
    """The oldest Python the project says it supports, as ruff names it; empty where it does not say.

    This is the one thing read from the repository's settings, as data: without it newer syntax would be
    recommended to projects that cannot use it.
    """
    try:
        project = tomllib.loads((root / "pyproject.toml").read_text("utf8")).get("project", {})
    except (OSError, ValueError):
        return ""
    wanted = project.get("requires-python", "") if isinstance(project, dict) else ""
    found = _LOWEST.search(wanted) if isinstance(wanted, str) else None
    return f"py3{min(max(int(found[1]), OLDEST), NEWEST)}" if found else ""


def _read(text: str, root: Path) -> Answer:
    findings: list[Finding] = []
    broken: dict[str, str] = {}
    for entry in codec.loads(text):
        code, path = entry["code"], relative(entry["filename"], root)
        message = str(entry["message"])
        if code == UNREADABLE:
            broken[path] = message
            continue
        if code == SYNTAX:
            # The first one is the cause; those after it mostly follow from it.
            if path in broken:
                continue
            broken[path] = f"not valid Python: {message} (line {entry['location']['row']})"
        findings.append(_finding(entry, path))
    return Answer(tuple(findings), tuple(NotReviewed(path, why) for path, why in broken.items()))


def _finding(entry: dict[str, Any], path: str) -> Finding:
    code, fix = str(entry["code"]), entry["fix"] or {}
    hit = Hit(
        rule=code,
        file=path,
        line=int(entry["location"]["row"]),
        end_line=int(entry["end_location"]["row"]),
        message=str(entry["message"]),
        suggestion=str(fix.get("message") or ""),
        references=(entry["url"],) if entry["url"] else (),
        fixable=fix.get("applicability") == "safe" and code not in NOT_REALLY_SAFE,
    )
    finding = classify("ruff", hit)
    if code == UNUSED_IMPORT and _re_exports(path):
        return replace(finding, confidence=RE_EXPORT_CONFIDENCE)
    return finding


def _re_exports(path: str) -> bool:
    """Whether imports of this module are likely there for others."""
    return PurePosixPath(path).name in (
        "__init__.py",
        "__init__.pyi",
        "compat.py",
        "_compat.py",
        "conftest.py",
    )
