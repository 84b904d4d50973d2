"""taint: follows untrusted input through Python code to where it hurts, in a process of its own."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from burnish import codec
from burnish.analysers._program import Call, ToolFailed, run_tool
from burnish.analysers._setup import AnalyserSetup
from burnish.analysers._table import Hit, classify
from burnish.model.assessment import Analysis
from burnish.model.review import Finding, FlowStep
from burnish.model.subject import NotReviewed
from burnish.ports import Source


@dataclass(frozen=True)
class Taint:
    setup: AnalyserSetup
    name: str = "taint"

    def missing(self) -> str:
        return ""

    def wants(self, files: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(path for path in files if path.endswith((".py", ".pyw")) and path.isprintable())

    async def analyse(self, source: Source, files: tuple[str, ...]) -> Analysis:
        wanted = self.wants(files)
        if not wanted:
            return Analysis(self.name)
        argv = (sys.executable, "-I", "-m", "burnish.analysers.taint")
        asked = codec.dumps({"files": list(wanted)}).encode()
        call = Call(self.name, argv, frozenset({0}), self.setup, cwd=Path(source.root), stdin=asked)
        try:
            finished = await run_tool(call)
            lines = [codec.loads(line) for line in finished.stdout.text.splitlines()]
        except ToolFailed as failed:
            return Analysis(self.name, failed=str(failed))
        except ValueError as error:
            return Analysis(self.name, failed=f"its answer is not whole: {error}")
        if not lines or lines[-1].get("kind") != "end":
            return Analysis(self.name, failed="it ended before it had answered")
        return Analysis(
            self.name,
            findings=tuple(_finding(line) for line in lines if line["kind"] == "finding"),
            not_reviewed=tuple(
                NotReviewed(line["file"], line["why"]) for line in lines if line["kind"] == "not_reviewed"
            ),
            files=len(wanted),
            duration_s=finished.duration_s,
        )


def make(setup: AnalyserSetup) -> Taint:
    return Taint(setup)


def _finding(line: dict[str, Any]) -> Finding:
    flow = tuple(FlowStep(step["file"], step["line"], _said(step)) for step in line["flow"])
    said = f"{line['from']} reaches {line['what']}" if line["from"] else line["what"]
    hit = Hit(line["class"], line["file"], line["line"], said, end_line=line["end_line"])
    return replace(classify("taint", hit), flow=flow)


def _said(step: dict[str, Any]) -> str:
    return f"{step['text']}  ({step['note']})" if step["note"] else str(step["text"])
