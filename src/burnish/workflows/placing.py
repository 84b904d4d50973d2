"""An agent's finding put where its words stand: reviewers are often a few lines off."""

from __future__ import annotations

from dataclasses import replace

from burnish.model.review import Finding


def placed(finding: Finding, text: str | None) -> Finding:
    """The finding at the line it quotes that is nearest to the one it names, and quoting it if it did not.

    A line that the file does not have is none.
    """
    if text is None or finding.line is None:
        return finding
    lines = [line.strip() for line in text.splitlines()]
    quoted = next((line.strip() for line in finding.snippet.splitlines() if line.strip()), "")
    at = finding.line
    if quoted and not (at <= len(lines) and lines[at - 1] == quoted):
        same = [number for number, line in enumerate(lines, 1) if line == quoted]
        at = min(same, key=lambda number: abs(number - at), default=at)
    if at > len(lines):
        return replace(finding, line=None)
    return replace(finding, line=at, snippet=finding.snippet or lines[at - 1])
