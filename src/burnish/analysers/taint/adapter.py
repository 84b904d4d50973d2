"""The pass as an analyser: what is asked of its process, and what its answer means."""

from __future__ import annotations

import asyncio
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from burnish import codec
from burnish.analysers._program import Call, ToolFailed, run_tool
from burnish.analysers._setup import AnalyserSetup
from burnish.analysers.taint.reading import read_answer
from burnish.analysers.taint.scoring import TOOL
from burnish.model.assessment import Analysis
from burnish.ports import Source


@dataclass(frozen=True)
class Taint:
    """`told` are the user's settings and what they added to its knowledge; empty for the defaults."""

    setup: AnalyserSetup
    told: dict[str, Any]
    name: str = TOOL

    def missing(self) -> str:
        return ""

    def wants(self, files: tuple[str, ...]) -> tuple[str, ...]:
        """Nothing where it is switched off: that was a choice, and is told among what was not assessed."""
        if not self.told.get("enabled", True):
            return ()
        return tuple(path for path in files if path.endswith((".py", ".pyw")) and path.isprintable())

    async def analyse(self, source: Source, files: tuple[str, ...]) -> Analysis:
        wanted = self.wants(files)
        if not wanted:
            return Analysis(self.name)
        argv = (sys.executable, "-I", "-m", "burnish.analysers.taint")
        asked = codec.dumps({"files": list(wanted), **self._asked()}).encode()
        call = Call(self.name, argv, frozenset({0}), self.setup, cwd=Path(source.root), stdin=asked)
        try:
            finished = await run_tool(call)
            answer = await asyncio.to_thread(_read, finished.stdout.text, frozenset(wanted))
        except ToolFailed as failed:
            return Analysis(self.name, failed=str(failed))
        return replace(answer, files=len(wanted), duration_s=finished.duration_s)

    def _asked(self) -> dict[str, Any]:
        """The settings in the words of the child."""
        limits = {"steps": "max_steps", "seconds": "max_time_s"}
        asked: dict[str, Any] = {
            "budget": {name: self.told[key] for name, key in limits.items() if key in self.told}
        }
        if "kinds" in self.told:
            # Guessable numbers are no input of anybody's: they are looked for whatever is followed.
            asked["kinds"] = [*self.told["kinds"], "weak"]
        if "callers" in self.told:
            asked["callers"] = self.told["callers"]
        if self.told.get("knowledge"):
            asked["knowledge"] = [self.told["knowledge"]]
        return asked


def made(setup: AnalyserSetup) -> Taint:
    return Taint(setup, codec.loads(setup.options.get(TOOL, "{}")))


def _read(text: str, wanted: frozenset[str]) -> Analysis:
    try:
        return read_answer([codec.loads(line) for line in text.splitlines()], wanted)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ToolFailed(f"its answer is not whole: {error}") from None
