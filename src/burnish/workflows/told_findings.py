"""A finding's names on one line each, as a prompt can hold them: they may come from a file somebody wrote."""

from __future__ import annotations

from dataclasses import replace

from burnish.model.fixing import Batch
from burnish.model.review import Finding
from burnish.sanitise import clean_line


def told_finding(finding: Finding) -> Finding:
    """Longer texts are fenced by the template; these stand in its own lines."""
    return replace(
        finding,
        file=clean_line(finding.file),
        rule=clean_line(finding.rule),
        dimension=clean_line(finding.dimension),
    )


def told_batch(batch: Batch) -> Batch:
    return replace(
        batch,
        file=clean_line(batch.file),
        dimension=clean_line(batch.dimension),
        findings=tuple(told_finding(finding) for finding in batch.findings),
    )
