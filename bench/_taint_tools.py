"""Ours, ruff's S rules and bandit over the same trees: what each reports, by class of weakness."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench._scene import HERE, PEER_PYTHON

OURS, RUFF, BANDIT = "ours", "ruff S", "bandit"
RULES = HERE / "data" / "pattern_rules.toml"
AT_ONCE = 2


@dataclass(frozen=True)
class Hit:
    """One report: `file` from the root of all trees, `flow` as (file, line, words) from source to sink."""

    kind: str
    file: str
    line: int
    rule: str
    text: str = ""
    flow: tuple[tuple[str, int, str], ...] = ()
    confidence: float | None = None

    @property
    def tree(self) -> str:
        return self.file.partition("/")[0]


@dataclass(frozen=True)
class Told:
    """What a tool said of all trees, what it says that it did not look at, and of which trees it said anything at all."""

    hits: tuple[Hit, ...]
    not_reviewed: tuple[str, ...] = ()
    anything: frozenset[str] = frozenset()

    def of(self, tree: str, kind: str) -> tuple[Hit, ...]:
        return tuple(hit for hit in self.hits if hit.tree == tree and hit.kind == kind)


def kinds_by_number() -> dict[str, str]:
    """`602` -> `command`."""
    table = tomllib.loads(RULES.read_text("utf8"))
    return {str(number): kind for kind, entry in table.items() for number in entry["rules"]}


def ruff(root: Path) -> Told:
    program = Path(sys.executable).with_name("ruff")
    words = [
        program,
        "check",
        "--isolated",
        "--no-cache",
        "--select",
        "S",
        "--output-format",
        "json",
        "--exit-zero",
    ]
    entries = json.loads(_said([*words, "."], root.resolve()))
    reports = ((one["filename"], one["location"]["row"], one["code"], one["message"]) for one in entries)
    return _patterns(root.resolve(), reports)


def bandit(root: Path) -> Told:
    words = [PEER_PYTHON, "-m", "bandit", "-r", "-q", "-f", "json", "--exit-zero", "."]
    entries = json.loads(_said(words, root))["results"]
    reports = ((one["filename"], one["line_number"], one["test_id"], one["issue_text"]) for one in entries)
    return _patterns(root.resolve(), reports)


def has_bandit() -> bool:
    return PEER_PYTHON.with_name("bandit").exists()


def ours(root: Path, trees: Iterable[str] = ()) -> Told:
    """The product's own analyser: over one root, or over each tree of it as a root of its own."""
    return asyncio.run(_ours(root, tuple(trees)))


async def _ours(root: Path, trees: tuple[str, ...]) -> Told:
    lanes = asyncio.Semaphore(AT_ONCE)
    parts = await asyncio.gather(*(_analysed(root / tree, tree, lanes) for tree in trees or ("",)))
    return Told(
        tuple(hit for part in parts for hit in part.hits),
        tuple(one for part in parts for one in part.not_reviewed),
    )


async def _analysed(root: Path, tree: str, lanes: asyncio.Semaphore) -> Told:
    from burnish import registry
    from burnish.ports import Source
    from burnish.process.environment import child_environment
    from burnish.process.tool_setup import ToolSetup

    setup = ToolSetup(env=child_environment(dict(os.environ)), search=os.environ["PATH"])
    analyser = registry.load("analysers", "taint")(setup)
    files = tuple(sorted(str(path.relative_to(root)) for path in root.rglob("*.py")))
    async with lanes:
        found = await analyser.analyse(Source(root, ""), analyser.wants(files))
    if found.failed:
        raise SystemExit(f"taint: {found.failed}")
    missed = (f"{Path(tree, one.path)}: {one.why}" for one in found.not_reviewed)
    return Told(tuple(_own(one, tree) for one in found.findings), tuple(missed))


def _own(finding: Any, tree: str) -> Hit:
    flow = tuple((str(Path(tree, step.file)), step.line, step.text) for step in finding.flow)
    kind = finding.rule.partition(":")[2]
    file, line = str(Path(tree, finding.file)), finding.line or 0
    return Hit(kind, file, line, finding.rule, finding.detail or finding.title, flow, finding.confidence)


def _patterns(root: Path, reports: Iterable[tuple[str, int, str, str]]) -> Told:
    """Of (file, line, code, words) those whose rule is about one of our classes."""
    numbers = kinds_by_number()
    every = [
        Hit(numbers.get((code or "").lstrip("SB"), ""), os.path.relpath(root / file, root), line, code, text)
        for file, line, code, text in reports
    ]
    return Told(tuple(hit for hit in every if hit.kind), anything=frozenset(hit.tree for hit in every))


def _said(words: list[Any], root: Path) -> str:
    done = subprocess.run(
        [str(word) for word in words], cwd=root, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(f"{words[0]} ended with {done.returncode}: {done.stderr[-2000:]}")
    return done.stdout
