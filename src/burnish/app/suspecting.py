"""Failing tests with the lines that are probably to blame, for agents who review or repair them."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, replace

from burnish.analysers._around import Around
from burnish.fixers.search import RULE, suspicious_lines, test_of
from burnish.model.assessment import Analysis
from burnish.model.review import Finding, SuspectLine
from burnish.ports import Analyser, Source
from burnish.process.tool_setup import ToolSetup

# Each is a run of the tests, watched line by line: for the first few, and only so long.
MOST_TESTS = 3
MOST_LINES = 10
TIME_S = 60.0
TESTS = "tests"


@dataclass(frozen=True)
class Suspecting:
    """How the tests are asked, so that what they find in `tree` names suspicious lines."""

    setup: ToolSetup
    tree: str

    async def __call__(self, tests: Analyser, source: Source, files: tuple[str, ...]) -> Analysis:
        found = await tests.analyse(source, files)
        if source.tree != self.tree:
            return found
        until = time.monotonic() + TIME_S
        findings = list(found.findings)
        for at in [at for at, one in enumerate(findings) if one.rule == RULE][:MOST_TESTS]:
            left_s = until - time.monotonic()
            if left_s > 0:
                findings[at] = await self._suspected(findings[at], source, left_s)
        return replace(found, findings=tuple(findings))

    async def _suspected(self, finding: Finding, source: Source, time_s: float) -> Finding:
        """As it was, where no line can be told."""
        asked = suspicious_lines(
            source.root, self.setup.test_command, time_s, setup=self.setup, test=test_of(finding)
        )
        try:
            lines = await asyncio.wait_for(asked, time_s)
        except (TimeoutError, OSError):
            return finding
        suspects = (SuspectLine(one.file, one.line, one.score, one.text) for one in lines[:MOST_LINES])
        return replace(finding, suspects=tuple(suspects))


def suspecting(analysers: tuple[Analyser, ...], setup: ToolSetup, tree: str) -> tuple[Analyser, ...]:
    how = Suspecting(setup, tree)
    return tuple(Around(one, how) if one.name == TESTS else one for one in analysers)
