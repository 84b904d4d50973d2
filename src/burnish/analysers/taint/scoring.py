"""How bad a flow is and how sure: from its class, its length, what it passed and where it began. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from burnish.analysers._table import IN_TESTS_CONFIDENCE, Hit, classify
from burnish.model.review import Severity

TOOL = "taint"
# A way this short leaves little to be wrong about; each step beyond it costs a little.
SHORT = 4
LONG_WAY = 0.97
LEAST_FOR_LENGTH = 0.8
# A call that nobody knows may have made the value harmless.
UNKNOWN_CALL = 0.85
WEAK_GUARD = 0.9
# A request known by its name only, and whoever starts a program may mostly do what it does anyway.
NO_FRAMEWORK = 0.9
LOCAL = 0.8
SURER = 0.05
MOST, LEAST = 0.95, 0.15


class SourceKind(StrEnum):
    """Who can decide the value at the beginning of a flow. NONE: the place is wrong by itself."""

    REQUEST = "request"
    NETWORK = "network"
    FILES = "files"
    ARGV = "argv"
    ENVIRONMENT = "environment"
    NONE = "none"


# What these decide is mostly the right of whoever starts the program: a name of a file, an address, a word.
OWN_RIGHT = frozenset({"path", "ssrf", "log", "redirect", "trust_boundary", "xxe"})
_LOCAL = frozenset({SourceKind.ARGV, SourceKind.ENVIRONMENT})


@dataclass(frozen=True)
class Evidence:
    """What the pass knows of one flow. `steps` counts places from source to sink, both included.

    `unknown_calls` are callees on the way whose code or model nobody has; `weak_guards` are checks that look
    at the value and do not make it safe; `framework` is empty where a source is known by its name only.
    """

    class_: str
    steps: int = 1
    unknown_calls: int = 0
    weak_guards: int = 0
    source: SourceKind = SourceKind.REQUEST
    framework: str = ""
    in_test: bool = False


def score(evidence: Evidence) -> tuple[Severity, float]:
    """Severity and confidence of the finding that this is."""
    severity, confidence = _of_class(evidence.class_)
    severity = _lower(severity, _steps_down(evidence))
    confidence = _confidence(evidence, confidence)
    if evidence.in_test:
        return Severity.LOW, min(confidence, IN_TESTS_CONFIDENCE)
    return severity, confidence


def _steps_down(evidence: Evidence) -> int:
    """How many severities less than its class."""
    down = 1 if evidence.weak_guards else 0
    if evidence.source is SourceKind.FILES:
        return down + 1
    if evidence.source in _LOCAL:
        return down + (3 if evidence.class_ in OWN_RIGHT else 2)
    return down


def _confidence(evidence: Evidence, base: float) -> float:
    found = base
    found *= max(LEAST_FOR_LENGTH, LONG_WAY ** max(0, evidence.steps - SHORT))
    found *= UNKNOWN_CALL ** max(0, evidence.unknown_calls)
    found *= WEAK_GUARD if evidence.weak_guards else 1.0
    if evidence.source in _LOCAL:
        found *= LOCAL * (LOCAL if evidence.class_ in OWN_RIGHT else 1.0)
    elif evidence.source is SourceKind.REQUEST:
        direct = evidence.framework and evidence.steps <= SHORT and not evidence.unknown_calls
        found = found + SURER if direct and not evidence.weak_guards else found
        found *= 1.0 if evidence.framework else NO_FRAMEWORK
    return round(min(MOST, max(LEAST, found)), 3)


def _lower(severity: Severity, steps: int) -> Severity:
    order = list(Severity)
    return order[min(len(order) - 1, severity.rank + steps)]


@cache
def _of_class(class_: str) -> tuple[Severity, float]:
    """What the reviewed table says of the class."""
    known = classify(TOOL, Hit(class_, "", None, ""))
    assert known.confidence is not None
    return known.severity, known.confidence
