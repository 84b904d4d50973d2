"""What came of a session of a spec: a line for each phase, and where everything lies."""

from __future__ import annotations

from typing import Any

from burnish.codec import plain
from burnish.render.plain import count
from burnish.sanitise import clean, clean_line
from burnish.specs.report import PhaseReport, PhaseState, SpecReport

KIND = "spec_summary"
VERSION = 1


def summary(report: SpecReport) -> list[str]:
    """Phases, grades, cycles, commits and receipts; then the branch and the session's folder."""
    found = ["", clean_line(f"spec {report.number}: {report.title} ({report.run})")]
    for phase in report.phases:
        found += _phase(phase)
    if any(phase.state is PhaseState.PASSED for phase in report.phases):
        found.append(f"branch:  {report.branch}")
    found.append(f"session: .burnish/{report.folder}")
    return found


def ending(report: SpecReport) -> list[str]:
    """The sentence, and how to go on."""
    said = [clean_line(report.message)]
    if report.hints:
        said += ["go on with:", *(f"  {clean(hint)}" for hint in report.hints)]
    return said


def data(report: SpecReport) -> dict[str, Any]:
    """The same as plain data; of a phase its number and name are enough."""
    found: dict[str, Any] = plain(report)
    for phase in found["phases"]:
        phase["phase"], phase["name"] = phase["phase"]["num"], phase["phase"]["name"]
    return {"kind": KIND, "v": VERSION, **found}


def _phase(report: PhaseReport) -> list[str]:
    phase = report.phase
    grade = f" {report.grade.upper()}" if report.grade else ""
    after = f" after {count(report.cycles, 'cycle')}" if report.cycles else ""
    tries = f" in {count(report.attempts, 'attempt')}" if report.attempts > 1 else ""
    where = f", {report.commit[:12]}" if report.commit else ""
    if report.branch and report.state is not PhaseState.PASSED:
        where += f" on {report.branch}"
    rows = [clean_line(f"phase {phase.num} {phase.name}: {report.state}{grade}{after}{tries}{where}")]
    if report.why:
        rows.append(f"    {clean_line(report.why)}")
    if report.receipt:
        rows.append(f"    receipt: {clean_line(report.receipt)}")
    return rows
