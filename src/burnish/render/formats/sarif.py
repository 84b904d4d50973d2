"""SARIF 2.1.0: for code scanning, editors and whatever else reads it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any
from urllib.parse import quote, urlsplit

from burnish import __version__, codec
from burnish.model.ledger import LedgerEntry
from burnish.model.report import ReviewReport
from burnish.model.review import Finding, FlowStep, Severity
from burnish.render.formats import _facts as facts
from burnish.sanitise import clean_line

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
ROOT = "%SRCROOT%"
LEVELS = {
    Severity.CRITICAL: "error",
    Severity.HIGH: "error",
    Severity.MEDIUM: "warning",
    Severity.LOW: "note",
}
# Code scanning sorts security findings by such a number, on the scale of CVSS.
SCORES = {Severity.CRITICAL: "9.5", Severity.HIGH: "8.0", Severity.MEDIUM: "5.5", Severity.LOW: "2.0"}
SECURITY = "security"


def render(report: ReviewReport) -> str:
    log = {"$schema": SCHEMA, "version": "2.1.0", "runs": [_run(report)]}
    return codec.dumps(facts.portable(log), indent=2) + "\n"


def _run(report: ReviewReport) -> dict[str, Any]:
    rules: dict[str, list[Finding]] = {}
    for finding in report.shown:
        rules.setdefault(facts.rule(finding), []).append(finding)
    index = {name: number for number, name in enumerate(rules)}
    return {
        "tool": _tool(report, rules),
        "automationDetails": {"id": f"burnish/{report.review_id}"},
        "originalUriBaseIds": {ROOT: {"description": _message("The root of the repository.")}},
        "columnKind": "unicodeCodePoints",
        "invocations": [_invocation(report)],
        "results": [_result(report, finding, index) for finding in report.shown],
        "properties": {
            "run": report.run, "session": report.session, "outcome": report.outcome,
            "receipt": report.receipt, "tree": report.subject.tree, "base": report.subject.base,
            "head": report.subject.head,
            "failOn": report.blocking.fail_on.value, "minConfidence": report.blocking.min_confidence,
            "notShown": report.unchanged,
        },
    }  # fmt: skip


def _tool(report: ReviewReport, rules: dict[str, list[Finding]]) -> dict[str, Any]:
    analyses = report.assessment.analyses
    used = {clean_line(item.tool): clean_line(item.version) for item in analyses if not item.failed}
    driver = {
        "name": "Burnish",
        "version": __version__,
        "semanticVersion": __version__,
        "rules": [_rule(name, found) for name, found in rules.items()],
    }
    known = [(name, {"version": version} if version else {}) for name, version in used.items() if name]
    return {"driver": driver, "extensions": [{"name": name, **more} for name, more in known]}


def _rule(name: str, found: list[Finding]) -> dict[str, Any]:
    """A rule as its findings show it: the worst severity it has here, all the weaknesses it stands for."""
    worst = min((finding.severity for finding in found), key=lambda severity: severity.rank)
    first = found[0]
    weaknesses = dict.fromkeys(number for f in found for number in re.findall(r"\d+", f.cwe)[:1])
    tags = [*dict.fromkeys(clean_line(f.dimension) for f in found if f.dimension)]
    tags += [f"external/cwe/cwe-{number.zfill(3)}" for number in weaknesses]
    properties: dict[str, Any] = {"tags": tags, "problem.severity": LEVELS[worst]}
    if any(finding.dimension == SECURITY for finding in found):
        properties["security-severity"] = SCORES[worst]
    made: dict[str, Any] = {
        "id": name,
        "shortDescription": _message(first.title),
        "fullDescription": _message(first.impact or first.title),
        "defaultConfiguration": {"level": LEVELS[worst]},
        "properties": properties,
    }
    if first.suggestion:
        made["help"] = _message(first.suggestion)
    address = next((link for f in found for link in f.references if _is_address(link)), "")
    return {**made, "helpUri": address} if address else made


def _is_address(text: str) -> bool:
    """A whole web address in plain ASCII; a reference can also be prose."""
    if not re.fullmatch(r"https?://[A-Za-z0-9._~:/?#@!$&'()*+,;=%-]+", text):
        return False
    try:
        return bool(urlsplit(text).hostname)
    except ValueError:
        return False


def _result(report: ReviewReport, finding: Finding, index: dict[str, int]) -> dict[str, Any]:
    entry = report.entry(finding)
    name = facts.rule(finding)
    result: dict[str, Any] = {
        "ruleId": name,
        "ruleIndex": index[name],
        "level": LEVELS[finding.severity],
        "message": _message(_words(finding)),
        "locations": [_location(finding)] if finding.file else [],
        "partialFingerprints": {"burnish/v1": finding.fingerprint},
        "suppressions": _suppressions(entry),
        "properties": _properties(report, finding, entry),
    }
    if finding.is_new is not None:
        result["baselineState"] = "new" if finding.is_new else "unchanged"
    if finding.flow:
        result["codeFlows"] = [{"threadFlows": [{"locations": _steps(finding.flow)}]}]
    return result


def _steps(flow: tuple[FlowStep, ...]) -> list[dict[str, Any]]:
    """Every step, whole: a viewer folds by `importance`. Where it comes in and where it hurts matter most."""
    told = []
    for number, step in enumerate(flow, 1):
        place = _place(step.file, step.line, step.text)
        region = place["physicalLocation"].get("region")
        if region and step.snippet:
            region["snippet"] = {"text": step.snippet}
        end = number in (1, len(flow))
        kinds = ["danger", "taint"] if number == len(flow) else ["acquire", "taint"] if end else ["taint"]
        importance = "essential" if end else "important"
        told.append({"location": place, "executionOrder": number, "kinds": kinds, "importance": importance})
    return told


def _words(finding: Finding) -> str:
    told = [clean_line(finding.title), *facts.detail(finding)]
    return "\n".join([*told, f"What to do: {finding.suggestion}"] if finding.suggestion else told)


def _properties(report: ReviewReport, finding: Finding, entry: LedgerEntry | None) -> dict[str, Any]:
    known = {
        "id": finding.id, "severity": finding.severity.value, "dimension": finding.dimension,
        "category": finding.category, "confidence": facts.confidence(finding), "tools": list(finding.tools),
        "cwe": finding.cwe, "owasp": finding.owasp, "blocks": report.blocking.blocks(finding, entry),
        "doubtful": not report.blocking.is_sure(finding), "state": entry.state.value if entry else "open",
    }  # fmt: skip
    return {key: value for key, value in known.items() if value not in ("", None, [])}


def _suppressions(entry: LedgerEntry | None) -> list[dict[str, Any]]:
    """Empty says that nothing is suppressed; without the list a reader would have to guess."""
    if entry is None or not entry.state.dismissed:
        return []
    said: dict[str, Any] = {"kind": "external", "status": "accepted", "justification": facts.decision(entry)}
    if entry.history:
        said["properties"] = {"state": entry.state.value, "by": entry.last.by, "at": entry.last.at}
    return [said]


def _location(finding: Finding) -> dict[str, Any]:
    found = _place(finding.file, finding.line or 0)
    region = found["physicalLocation"].get("region")
    if region:
        region["endLine"] = max(finding.end_line or 0, region["startLine"])
        if finding.snippet:
            region["snippet"] = {"text": finding.snippet}
    return found


def _place(file: str, line: int, text: str = "") -> dict[str, Any]:
    physical: dict[str, Any] = {"artifactLocation": {"uri": uri(file), "uriBaseId": ROOT}}
    if line > 0:
        physical["region"] = {"startLine": line}
    return {"physicalLocation": physical, **({"message": _message(text)} if text.strip() else {})}


def uri(path: str) -> str:
    """A path as a relative reference. Bytes that are no UTF-8 stay what they are; a colon in the first part
    would be read as a scheme, so it is encoded like everything else that is not a letter, digit or sign."""
    try:
        data = path.encode("utf8", "surrogateescape")
    except UnicodeEncodeError:
        data = path.encode("utf8", "backslashreplace")
    # Two slashes at the beginning would name another host.
    return quote(re.sub(rb"^/+", b"/", data), safe="/")


def _invocation(report: ReviewReport) -> dict[str, Any]:
    """Successful when every dimension was looked at; what went wrong on the way are notifications."""
    assessment = report.assessment
    failed = [
        f"{item.dimension} was not reviewed: {item.failed}" for item in assessment.reports if item.failed
    ]
    degraded = [f"{item.dimension}: {item.degraded}" for item in assessment.reports if item.degraded]
    gaps = [f"Not assessed: {item}" for item in assessment.not_assessed]
    gaps += [f"{facts.GAVE_WAY}: {item}" for item in facts.gave_way(report)]
    notices = [
        *_notices("error", failed),
        *_notices("warning", [*degraded, *_about_agents(report), *assessment.warnings]),
        *_notices("note", gaps),
    ]
    notices += [
        {**notice, "locations": [_place(item.path, 0)]}
        for item in assessment.not_reviewed
        for notice in _notices("note", [f"Not reviewed: {item.why}"])
    ]
    return {"executionSuccessful": not failed, "toolExecutionNotifications": notices}


def _about_agents(report: ReviewReport) -> Iterable[str]:
    for item in report.assessment.reports:
        yield from (f"{item.dimension}: passed over: {why}" for why in item.passed_over)
        if item.violation:
            yield f"{item.dimension}: {item.violation}"


def _notices(level: str, texts: Iterable[str]) -> list[dict[str, Any]]:
    return [{"level": level, "message": _message(text)} for text in texts]


def _message(text: str) -> dict[str, str]:
    """Words only: `[x](y)` would be a link, and may not be empty."""
    lines = (clean_line(line) for line in text.splitlines())
    return {"text": "\n".join(line for line in lines if line).replace("](", "] (") or "(no text)"}


def make() -> Callable[[ReviewReport], str]:
    return render
