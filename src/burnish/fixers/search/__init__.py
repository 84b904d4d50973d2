"""Repairs what a failing test reveals: small edits of suspicious lines, tried until the tests pass."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from pathlib import Path

from burnish.fixers._edit import read_text, write_text
from burnish.fixers.search._limits import Limits, limits_in
from burnish.fixers.search._locate import Suspect
from burnish.fixers.search.repair import Repair, repair_folder, suspicious_lines
from burnish.model.review import Finding
from burnish.process.tool_setup import ToolSetup

RULE = "tests:failing"
TOLD = "Test fails: "
LEAST_S = 5.0
SHOWN_LINES = 5


@dataclass
class SearchFixer:
    """Searches take turns: each of them uses all the processors it may."""

    setup: ToolSetup
    limits: Limits
    name: str = "search"
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    _spent_s: float = 0.0

    def can(self, finding: Finding, *, unsafe: bool = False) -> bool:
        return self.limits.enabled and finding.rule == RULE and bool(self.setup.test_command)

    async def fix(self, finding: Finding, workspace: Path) -> str:
        async with self._turn:
            time_s = min(self.limits.max_time_s, self.limits.total_time_s - self._spent_s)
            if time_s < LEAST_S:
                return "the time for searches is used up"
            began = time.monotonic()
            try:
                repair = await repair_folder(
                    workspace,
                    self.setup.test_command,
                    time_s,
                    setup=self.setup,
                    test=test_of(finding),
                )
            finally:
                self._spent_s += time.monotonic() - began
        for name, text in repair.files.items():
            write_text(workspace, read_text(workspace, name), text)
        return evidence(repair)


def make(setup: ToolSetup) -> SearchFixer:
    return SearchFixer(setup, limits_in(setup))


def test_of(finding: Finding) -> str:
    """The name of the test, as its runner prints it; empty where the finding does not tell."""
    first = (finding.detail or finding.title).partition("\n")[0]
    return first.removeprefix(TOLD) if first.startswith(TOLD) else ""


def evidence(repair: Repair) -> str:
    """What was done, on the first line; then what it rests on."""
    lines = [repair.said]
    if repair.found and repair.suspects:
        lines.append("the most suspicious lines:")
        lines += [
            f"  {one.file}:{one.line} ({one.score:.2f}) {one.text}"
            for one in repair.suspects[:SHOWN_LINES]
            if one.score >= repair.suspects[0].score / 2
        ]
    return "\n".join([*lines, *repair.diff.splitlines()])


__all__ = ["Limits", "Repair", "SearchFixer", "Suspect", "make", "repair_folder", "suspicious_lines"]
