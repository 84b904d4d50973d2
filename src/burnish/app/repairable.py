"""Findings marked as repairable by code, so that reports and plans can say so before anything is tried."""

from __future__ import annotations

from dataclasses import replace

from burnish.analysers._around import Around
from burnish.fixers import codemods, oxlint_fix
from burnish.model.assessment import Analysis
from burnish.model.review import Finding
from burnish.ports import Analyser, CodeFixer, Source
from burnish.process.tool_setup import ToolSetup


def repairable(analysers: tuple[Analyser, ...], setup: ToolSetup) -> tuple[Analyser, ...]:
    """ruff's own findings say themselves whether ruff can fix them."""
    fixers: tuple[CodeFixer, ...] = (codemods.make(setup), oxlint_fix.make(setup))

    def known(finding: Finding) -> Finding:
        can = not finding.fixable and any(fixer.can(finding) for fixer in fixers)
        return replace(finding, fixable=True) if can else finding

    async def marked(analyser: Analyser, source: Source, files: tuple[str, ...]) -> Analysis:
        found = await analyser.analyse(source, files)
        return replace(found, findings=tuple(known(finding) for finding in found.findings))

    return tuple(Around(analyser, marked) for analyser in analysers)
