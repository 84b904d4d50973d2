"""Small trees with planted defects, and one call to look at them with an analyser."""

from __future__ import annotations

import asyncio
import os
from dataclasses import replace
from pathlib import Path

from burnish.analysers._embedded import identified
from burnish.analysers._setup import AnalyserSetup
from burnish.model.assessment import Analysis
from burnish.model.review import Finding
from burnish.ports import Source
from burnish.registry import load

SETUP = AnalyserSetup(
    env={name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ},
    search=os.environ["PATH"],
    timeout_s=60,
)


def lay(root: Path, files: dict[str, str | bytes]) -> Source:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return Source(root, "tree")


def all_files(root: Path) -> tuple[str, ...]:
    return tuple(sorted(str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()))


def look(name: str, source: Source, files: tuple[str, ...] = (), **changes: object) -> Analysis:
    setup = replace(SETUP, **changes)  # type: ignore[arg-type]
    analyser = identified(load("analysers", name)(setup))
    assert analyser.missing() == ""
    return asyncio.run(analyser.analyse(source, files or all_files(source.root)))


def rules(found: Analysis) -> set[str]:
    return {finding.rule for finding in found.findings}


def one(found: Analysis, rule: str) -> Finding:
    (finding,) = (finding for finding in found.findings if finding.rule == rule)
    return finding
