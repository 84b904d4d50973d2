"""JUnit XML: a suite per dimension; what blocks is a failure, what was dismissed is skipped."""

from __future__ import annotations

from collections.abc import Callable
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from burnish.model.assessment import DimensionReport
from burnish.model.report import ReviewReport
from burnish.model.review import Finding
from burnish.render.formats import _facts as facts
from burnish.sanitise import clean, clean_line

COUNTED = {"failures": "failure", "errors": "error", "skipped": "skipped"}


def render(report: ReviewReport) -> str:
    root = Element("testsuites", name="burnish review")
    known = {item.dimension.value: item for item in report.assessment.reports}
    suites = dict.fromkeys([*known, *(finding.dimension for finding in report.shown)])
    for name in suites:
        _suite(root, report, name, known.get(name))
    _counts(root)
    indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(root, encoding="unicode") + "\n"


def _suite(root: Element, report: ReviewReport, name: str, said: DimensionReport | None) -> None:
    seconds = f"{said.duration_s if said else 0:.3f}"
    suite = SubElement(root, "testsuite", name=clean_line(name) or "review", time=seconds)
    found = [finding for finding in report.shown if finding.dimension == name]
    for finding in found:
        _case(suite, report, finding)
    if said and said.failed:
        case = SubElement(suite, "testcase", classname=name, name="was reviewed")
        SubElement(case, "error", message=clean_line(said.failed), type="not-reviewed")
    elif not found:
        SubElement(suite, "testcase", classname=name, name="no findings")
    _counts(suite)


def _case(suite: Element, report: ReviewReport, finding: Finding) -> None:
    named = {"classname": clean_line(finding.file) or "(no file)", "name": f"{_name(finding)}"}
    if finding.file:
        named["file"] = clean_line(finding.file)
    if finding.line:
        named["line"] = str(finding.line)
    case = SubElement(suite, "testcase", named)
    entry = report.entry(finding)
    if entry and entry.state.dismissed:
        SubElement(case, "skipped", message=facts.decision(entry))
    elif report.blocking.blocks(finding, entry):
        failure = SubElement(case, "failure", message=clean_line(finding.title), type=finding.severity.value)
        failure.text = _story(finding)
        return
    SubElement(case, "system-out").text = _story(finding)


def _name(finding: Finding) -> str:
    ending = f" [{clean_line(finding.id)}]" if finding.id else ""
    return f"{finding.severity}: {clean_line(finding.title)} ({facts.rule(finding)}){ending}"


def _story(finding: Finding) -> str:
    lines = [facts.place(finding), *(f"{number} | {text}" for number, text in facts.snippet(finding))]
    lines += facts.detail(finding)
    if finding.suggestion:
        lines.append(f"What to do: {clean_line(finding.suggestion)}")
    lines += facts.path(finding)
    return clean("\n".join((*lines, " · ".join(facts.about(finding)))))


def _counts(element: Element) -> None:
    cases = list(element.iter("testcase"))
    element.set("tests", str(len(cases)))
    for name, tag in COUNTED.items():
        element.set(name, str(sum(1 for case in cases if case.find(tag) is not None)))


def make() -> Callable[[ReviewReport], str]:
    return render
