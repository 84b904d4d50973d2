"""What analysers know of a change, for the prompts of those who review and fix it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator

from burnish.model.flow import flow_lines
from burnish.model.history import History
from burnish.model.review import Finding
from burnish.ports import Workspaces
from burnish.sanitise import clean_line

MOST_SUSPECTS = 5
MOST_FINDINGS = 10
DIFF_CAP = 200_000
# What was found in a tree that the change brought, given the text of the change.
Evidence = Callable[[str, str], Awaitable[tuple[Finding, ...]]]


async def no_evidence(tree: str, diff: str) -> tuple[Finding, ...]:
    return ()


async def evidence_of(evidence: Evidence, workspaces: Workspaces, history: History) -> list[str]:
    """The worst first; empty where nothing was found, which says nothing."""
    if evidence is no_evidence:
        return []
    diff = await workspaces.diff(history.task.base_tree, history.tree, DIFF_CAP)
    found = sorted(await evidence(history.tree, diff.text), key=lambda one: one.severity.rank)
    lines = [line for finding in found[:MOST_FINDINGS] for line in evidence_lines(finding)]
    more = len(found) - MOST_FINDINGS
    return [*lines, f"... and {more} more"] if more > 0 else lines


def evidence_lines(finding: Finding) -> Iterator[str]:
    """What a tool found on one line, and below it the path or the lines that its word stands on."""
    rule = f" ({finding.rule})" if finding.rule else ""
    yield clean_line(f"{finding.file}:{finding.line or 0}: {finding.severity}: {finding.title}{rule}")
    yield from (f"    {line}" for line in flow_lines(finding.flow, clean_line))
    for one in finding.suspects[:MOST_SUSPECTS]:
        yield f"    suspicious: {clean_line(f'{one.file}:{one.line}  {one.text}')}"
