"""A review from seven dimensions: analyse, report, aggregate, dive where it is critical, until settled.

Read it beside review_loop.py, which calls it once per review: every line here is a remembered step.
"""

from __future__ import annotations

from burnish.model.assessment import Assessment, Dive, Iteration
from burnish.model.subject import Subject
from burnish.ports import Run
from burnish.workflows.aggregate import critical_files, merge, needs_dive, select_dives
from burnish.workflows.giving_way import give_way
from burnish.workflows.panel import Panel


async def review_cycle(subject: Subject, panel: Panel, run: Run, cycle: int = 1) -> Assessment:
    """Everything that was found, and everything nobody could judge."""
    analyses = give_way(await panel.analyse(run, subject, cycle))
    reports = await panel.report(run, subject, analyses, cycle)

    dives: dict[str, Dive] = {}
    iterations: list[Iteration] = []
    while True:
        findings = merge(reports, dives.values())
        files = critical_files(findings)
        chosen = select_dives(findings, files, dives)
        if not (chosen and needs_dive(findings, files) and len(iterations) < panel.max_iterations):
            break
        found = await panel.dive(run, subject, chosen, findings, cycle, len(iterations) + 1)
        dives |= {dive.finding_id: dive for dive in found}
        iterations.append(panel.sum_up(findings, merge(reports, dives.values()), found))

    return Assessment(
        reports=reports,
        findings=findings,
        critical_files=files,
        dives=tuple(dives.values()),
        iterations=tuple(iterations),
        not_assessed=panel.not_assessed(analyses),
        not_reviewed=panel.not_reviewed(subject, analyses),
        analyses=analyses,
        warnings=panel.warnings(analyses, reports, dives.values()),
    )
