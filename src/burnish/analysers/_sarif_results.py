"""One result of a SARIF 2.1.0 file as a hit: rule, severity, text, place; whatever shape the rest has."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from burnish.analysers._sarif_paths import path_of
from burnish.analysers._table import Hit
from burnish.model.review import FlowStep, Severity

# As GitHub reads `security-severity`, a score of the CVSS kind.
SCORES = ((9.0, Severity.CRITICAL), (7.0, Severity.HIGH), (4.0, Severity.MEDIUM), (0.0, Severity.LOW))
LEVELS = {
    "error": Severity.HIGH,
    "warning": Severity.MEDIUM,
    "note": Severity.LOW,
    "none": Severity.LOW,
}
PRECISION = {"very-high": 0.9, "high": 0.75, "medium": 0.55, "low": 0.35}
NO_DEFECT = frozenset({"pass", "notApplicable", "informational"})
MAX_FLOW = 100
_CWE = re.compile(r"(?i)\bcwe[-/_]?0*(\d{1,5})\b")
_UNFIT = re.compile(r"[^A-Za-z0-9_./@#-]+")


@dataclass(frozen=True)
class Told:
    """A result, read. `known` says that the tool itself calls it older than the change."""

    hit: Hit
    security: bool
    flow: tuple[FlowStep, ...]
    known: bool


def told(result: Mapping[str, Any], run: Mapping[str, Any], roots: tuple[str, ...]) -> Told | None:
    """None for what is no defect (passed, suppressed, gone); raises Outside for a place elsewhere."""
    baseline = result.get("baselineState")
    if str(result.get("kind", "fail")) in NO_DEFECT or baseline == "absent" or suppressed(result):
        return None
    rule = _rule(result, run)
    place = _as_dict(_as_dict(_first(result.get("locations"))).get("physicalLocation"))
    region = _as_dict(place.get("region"))
    about = _as_dict(rule.get("properties"))
    tags = " ".join(tag for tag in _as_list(about.get("tags")) if isinstance(tag, str))
    score = _score(_as_dict(result.get("properties"))) or _score(about)
    cwe = _CWE.search(f"{tags} {about.get('cwe', '')}")
    hit = Hit(
        rule=_rule_id(result, rule),
        file=path_of(place.get("artifactLocation"), run, roots),
        line=_line(region.get("startLine")),
        end_line=_line(region.get("endLine")),
        message=_message(result, rule),
        suggestion=_text(rule.get("help")),
        severity=score or _level(result, rule),
        confidence=PRECISION.get(str(about.get("precision", ""))),
        cwe=f"CWE-{cwe[1]}" if cwe else "",
        references=_reference(rule),
        snippet=_text(region.get("snippet")).strip("\r\n"),
    )
    security = score is not None or bool(cwe) or "security" in tags.split()
    return Told(hit, security, _flow(result, run, roots), baseline in ("unchanged", "updated"))


def suppressed(result: Mapping[str, Any]) -> bool:
    """Whether somebody decided that it does not count; a suppression under review decides nothing yet."""
    entries = [_as_dict(entry) for entry in _as_list(result.get("suppressions"))]
    return any(entry.get("status", "accepted") == "accepted" for entry in entries)


def tool_name(run: Mapping[str, Any]) -> str:
    """The tool's name as we write rules: `CodeQL` is codeql."""
    driver = _as_dict(_as_dict(run.get("tool")).get("driver"))
    name = driver.get("name")
    plain = re.sub(r"[^a-z0-9]+", "-", name.lower()[:60]).strip("-") if isinstance(name, str) else ""
    return plain or "sarif"


def _rule(result: Mapping[str, Any], run: Mapping[str, Any]) -> Mapping[str, Any]:
    """What the tool says about the rule: in the driver or in an extension, by index or by id."""
    tool = _as_dict(run.get("tool"))
    named = _as_dict(result.get("rule"))
    component = _as_dict(tool.get("driver"))
    extension: Any = _as_dict(named.get("toolComponent")).get("index")
    extensions = _as_list(tool.get("extensions"))
    if _is_index(extension, extensions):
        component = _as_dict(extensions[extension])
    rules = _as_list(component.get("rules"))
    index: Any = named.get("index", result.get("ruleIndex"))
    if _is_index(index, rules):
        return _as_dict(rules[index])
    wanted = result.get("ruleId", named.get("id"))
    return next((_as_dict(rule) for rule in rules if _as_dict(rule).get("id") == wanted), {})


def _rule_id(result: Mapping[str, Any], rule: Mapping[str, Any]) -> str:
    for found in (result.get("ruleId"), _as_dict(result.get("rule")).get("id"), rule.get("id")):
        if isinstance(found, str) and found.strip():
            return _UNFIT.sub("-", found.strip())[:120]
    return "result"


def _message(result: Mapping[str, Any], rule: Mapping[str, Any]) -> str:
    message = _as_dict(result.get("message"))
    found = _text(message)
    if not found and isinstance(message.get("id"), str):
        found = _text(_as_dict(rule.get("messageStrings")).get(message["id"]))
        for at, argument in enumerate(_as_list(message.get("arguments"))[:10]):
            found = found.replace(f"{{{at}}}", str(argument)[:200])
    return found or _text(rule.get("shortDescription")) or _text(rule.get("fullDescription"))


def _level(result: Mapping[str, Any], rule: Mapping[str, Any]) -> Severity:
    default = _as_dict(rule.get("defaultConfiguration")).get("level")
    for level in (result.get("level"), default):
        if isinstance(level, str) and level in LEVELS:
            return LEVELS[level]
    return Severity.MEDIUM


def _score(properties: Mapping[str, Any]) -> Severity | None:
    try:
        score = float(str(properties.get("security-severity", "")))
    except ValueError:
        return None
    if not math.isfinite(score) or not 0 < score <= 10:
        return None
    return next(severity for least, severity in SCORES if score >= least)


def _flow(result: Mapping[str, Any], run: Mapping[str, Any], roots: tuple[str, ...]) -> tuple[FlowStep, ...]:
    """The first way that untrusted data takes, as far as it stays in the repository."""
    threads = _as_list(_as_dict(_first(result.get("codeFlows"))).get("threadFlows"))
    steps: list[FlowStep] = []
    for entry in _as_list(_as_dict(_first(threads)).get("locations"))[:MAX_FLOW]:
        location = _as_dict(_as_dict(entry).get("location"))
        place = _as_dict(location.get("physicalLocation"))
        line = _line(_as_dict(place.get("region")).get("startLine"))
        if line is not None:
            path = path_of(place.get("artifactLocation"), run, roots)
            steps.append(FlowStep(path, line, _text(location.get("message"))[:200]))
    return tuple(steps)


def _reference(rule: Mapping[str, Any]) -> tuple[str, ...]:
    uri = rule.get("helpUri")
    return (uri[:500],) if isinstance(uri, str) and uri.startswith(("https://", "http://")) else ()


def _text(value: Any) -> str:
    """The text of a message, in whichever of its forms."""
    found = _as_dict(value).get("text") or _as_dict(value).get("markdown")
    return found[:4000] if isinstance(found, str) else ""


def _line(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 < value < 10**8 else None


def _is_index(value: Any, entries: list[Any]) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < len(entries)


def _first(value: Any) -> Any:
    return value[0] if isinstance(value, list) and value else None


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _as_dict(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}
