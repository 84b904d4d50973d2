"""The lines of code that a path leads over, put into its steps."""

from __future__ import annotations

from dataclasses import replace

from burnish.analysers._fingerprint import TextOf
from burnish.model.review import Finding

LINE_CHARS = 160


def with_lines(findings: tuple[Finding, ...], text_of: TextOf) -> tuple[Finding, ...]:
    """Each step with its line, where the tool brought none. A step outside of the tree stays without one."""
    known: dict[str, list[str]] = {}

    def line(file: str, number: int) -> str:
        if file not in known:
            known[file] = (text_of(file) or "").split("\n")
        lines = known[file]
        return lines[number - 1].strip()[:LINE_CHARS] if 0 < number <= len(lines) else ""

    return tuple(
        replace(
            finding,
            flow=tuple(
                step if step.snippet else replace(step, snippet=line(step.file, step.line))
                for step in finding.flow
            ),
        )
        if finding.flow
        else finding
        for finding in findings
    )
