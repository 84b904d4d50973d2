"""One self-contained HTML file: charts, filters, light and dark, no network, nothing of others is markup."""

from __future__ import annotations

import hashlib
from base64 import b64encode
from collections.abc import Callable, Sequence
from functools import cache
from importlib.resources import files
from typing import Any
from urllib.parse import urlsplit

from jinja2 import Environment, StrictUndefined, Template
from markupsafe import Markup

from burnish import __version__
from burnish.model.assessment import Dive
from burnish.model.flow import ShownStep, flow_title, shown_steps
from burnish.model.report import ReviewReport
from burnish.model.review import Finding, Severity
from burnish.render.formats import _charts as charts
from burnish.render.formats import _facts as facts
from burnish.sanitise import clean, clean_line

# More than this makes a page that no browser likes; the charts count all of them.
MOST_FINDINGS = 2000
LISTED = 50


def render(report: ReviewReport) -> str:
    undecided = [finding for finding in report.shown if not report.is_dismissed(finding)]
    counted = [finding for finding in undecided if report.blocking.is_sure(finding)]
    dimensions = [item.dimension for item in report.assessment.reports]
    shown, left = facts.capped(_ordered(report), MOST_FINDINGS)
    page = _template().render(
        report=report,
        sums=facts.closing(report),
        severities=[severity.value for severity in Severity],
        by_dimension=charts.by_dimension(counted, dimensions),
        hot_spots=charts.hot_spots(counted),
        findings=[_finding(report, finding) for finding in shown],
        left=left,
        dimensions=sorted({clean_line(finding.dimension) for finding in shown if finding.dimension}),
        below=facts.below(report),
        failed=[item.dimension.value for item in report.assessment.reports if item.failed],
        dives=[_dive(report, dive) for dive in report.assessment.dives],
        fixes=[_fix(report, number) for number in range(len(report.fixes))],
        gaps=_gaps(report),
        line=clean_line,
        version=__version__,
        **_inline(),
    )
    return page + "\n"


def _ordered(report: ReviewReport) -> list[Finding]:
    """Open ones first, then doubtful ones, dismissed ones last; the worst first in each."""
    apart = [finding for finding, _ in facts.dismissed(report)]
    return [*facts.sure(report), *report.doubtful, *apart]


def _finding(report: ReviewReport, finding: Finding) -> dict[str, Any]:
    entry = report.entry(finding)
    state = "open" if report.blocking.is_sure(finding) else "doubtful"
    return {
        "severity": finding.severity.value,
        "dimension": clean_line(finding.dimension),
        "state": "dismissed" if entry and entry.state.dismissed else state,
        "decision": facts.decision(entry) if entry and entry.state.dismissed else "",
        "blocks": report.blocking.blocks(finding, entry),
        "deleted": finding.file in report.subject.deleted,
        "place": facts.place(finding),
        "title": clean_line(finding.title),
        "names": facts.names(finding, entry),
        "snippet": facts.snippet(finding),
        "detail": facts.detail(finding),
        "impact": clean_line(finding.impact),
        "suggestion": clean_line(finding.suggestion),
        "flow": [_step(shown) for shown in shown_steps(finding.flow)],
        "flow_title": flow_title(finding.flow),
        "about": facts.about(finding),
        "references": [(clean_line(text), _is_link(text)) for text in finding.references],
    }


def _step(shown: ShownStep) -> dict[str, Any]:
    step = shown.step
    return {
        "number": shown.number,
        "left_out": shown.left_out,
        "place": clean_line(f"{step.file}:{step.line}") if step else "",
        "code": clean_line(step.snippet) if step else "",
        "text": clean_line(step.text) if step else "",
    }


def _is_link(text: str) -> bool:
    try:
        address = urlsplit(text)
        return address.scheme in ("http", "https") and bool(address.hostname)
    except ValueError:
        return False


def _dive(report: ReviewReport, dive: Dive) -> dict[str, Any]:
    titles = [finding.title for finding in report.assessment.findings if finding.id == dive.finding_id]
    effort, risk = dive.effort and f"effort {dive.effort}", dive.risk and f"risk {dive.risk}"
    return {
        "title": clean_line(titles[0]) if titles else "Finding",
        "id": clean_line(dive.finding_id),
        "by": clean_line(f"{dive.agent} {dive.model}"),
        "failed": clean_line(dive.failed),
        "cause": clean_line(dive.root_cause),
        "plan": [clean_line(step.action) for step in dive.steps],
        "about": clean_line(", ".join(part for part in (dive.priority, effort, risk) if part)),
        "affected": [clean_line(item) for item in dive.affected[:LISTED]],
        "similar": [clean_line(item) for item in dive.similar[:LISTED]],
    }


def _fix(report: ReviewReport, number: int) -> dict[str, Any]:
    fix = report.fixes[number]
    return {
        "result": fix.result.value,
        "good": fix.fixed,
        "title": facts.fix_title(report, fix),
        "commit": clean_line(fix.commit[:12]),
        "by": clean_line(fix.fixer),
        "why": clean_line(fix.verified_by) if fix.fixed else facts.short(fix.error, 400),
        "evidence": clean(fix.said) if fix.fixed and fix.fixer == facts.SEARCH else "",
    }


def _gaps(report: ReviewReport) -> list[tuple[str, Sequence[str], int]]:
    return [(title, *facts.capped(items, LISTED)) for title, items in facts.gaps(report)]


@cache
def _inline() -> dict[str, str]:
    """Our style and script, and the hashes by which the page allows these two and nothing else."""
    made: dict[str, str] = {}
    for name, ending in (("style", "css"), ("script", "js")):
        source = _source(f"review.{ending}")
        made[name] = Markup(source)  # noqa: S704 - a file of this package
        made[f"{name}_hash"] = b64encode(hashlib.sha256(source.encode("utf8")).digest()).decode("ascii")
    return made


@cache
def _template() -> Template:
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    return environment.from_string(_source("review.html"))


def _source(name: str) -> str:
    return files("burnish.render.formats").joinpath("templates", name).read_text("utf8").strip("\n")


def make() -> Callable[[ReviewReport], str]:
    return render
