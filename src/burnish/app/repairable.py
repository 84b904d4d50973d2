"""Findings marked as repairable by code, so that reports and plans can say so before anything is tried."""

from __future__ import annotations

from dataclasses import dataclass, replace

from burnish.fixers import codemods, oxlint_fix
from burnish.model.assessment import Analysis
from burnish.ports import Analyser, CodeFixer, Source
from burnish.process.tool_setup import ToolSetup


@dataclass(frozen=True)
class Repairable:
    """An analyser whose findings know that one of our rewrites is meant for them."""

    analyser: Analyser
    fixers: tuple[CodeFixer, ...]

    @property
    def name(self) -> str:
        return self.analyser.name

    def missing(self) -> str:
        return self.analyser.missing()

    def wants(self, files: tuple[str, ...]) -> tuple[str, ...]:
        return self.analyser.wants(files)

    async def analyse(self, source: Source, files: tuple[str, ...]) -> Analysis:
        found = await self.analyser.analyse(source, files)
        return replace(
            found,
            findings=tuple(
                replace(finding, fixable=True)
                if not finding.fixable and any(fixer.can(finding) for fixer in self.fixers)
                else finding
                for finding in found.findings
            ),
        )


def repairable(analysers: tuple[Analyser, ...], setup: ToolSetup) -> tuple[Analyser, ...]:
    """ruff's own findings say themselves whether ruff can fix them."""
    fixers: tuple[CodeFixer, ...] = (codemods.make(setup), oxlint_fix.make(setup))
    return tuple(Repairable(analyser, fixers) for analyser in analysers)
