"""What a reviewer said, in our types."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from enum import StrEnum

from burnish.model.agent import Usage
from burnish.model.receipt import GivenFile


class Verdict(StrEnum):
    PASS = "pass"
    WARN = "warn"
    FAIL = "fail"
    DISCUSS = "discuss"


class Severity(StrEnum):
    CRITICAL = "critical"
    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"

    @property
    def rank(self) -> int:
        """0 is the worst, so that sorting puts what matters first."""
        return _RANKS[self]

    def at_least(self, other: Severity) -> bool:
        return self.rank <= other.rank


# Looked up, not counted: sorting a hundred thousand findings asks for it each time.
_RANKS = {severity: rank for rank, severity in enumerate(Severity)}


@dataclass(frozen=True)
class FlowStep:
    """One place on the way of untrusted input to where it hurts: `text` says what happens there."""

    file: str
    line: int
    text: str = ""
    snippet: str = ""


@dataclass(frozen=True)
class SuspectLine:
    """A line that failing tests ran and passing ones ran less: 1 is the most suspicious `score`."""

    file: str
    line: int
    score: float
    text: str = ""


@dataclass(frozen=True)
class Finding:
    """One thing wrong.

    `rule` is `tool:code` and `tools` are all that agree on it; `identity` is the fingerprint where the line's
    own words decide it, and `also` are those of findings joined into this one; `is_new` tells whether the
    change brought it, None where nothing was compared.
    """

    title: str
    severity: Severity = Severity.HIGH
    file: str = ""
    line: int | None = None
    detail: str = ""
    suggestion: str = ""
    category: str = ""
    dimension: str = ""
    confidence: float | None = None
    id: str = ""
    rule: str = ""
    tools: tuple[str, ...] = ()
    end_line: int | None = None
    snippet: str = ""
    impact: str = ""
    cwe: str = ""
    owasp: str = ""
    references: tuple[str, ...] = ()
    flow: tuple[FlowStep, ...] = ()
    identity: str = ""
    also: tuple[str, ...] = ()
    same_rules: tuple[str, ...] = ()
    is_new: bool | None = None
    fixable: bool = False
    suspects: tuple[SuspectLine, ...] = ()

    @property
    def fingerprints(self) -> tuple[str, ...]:
        """Its own first, then those it was known by when another tool spoke."""
        return (self.fingerprint, *self.also)

    @property
    def fingerprint(self) -> str:
        """Stays the same when lines move: the place is the file, the thing is the title in plain words."""
        if self.identity:
            return self.identity
        plain = re.sub(r"[\s`*_]+", " ", self.title).strip().casefold()
        plain = re.sub(r"\d+", "0", plain)
        return hashlib.sha256(f"{self.file}\n{self.category}\n{plain}".encode("utf8", "replace")).hexdigest()[
            :16
        ]


@dataclass(frozen=True)
class Review:
    """A reviewer's answer, bound to the tree it was given.

    `native` is the contract's own word for the verdict, `unclear` says why text without a clear verdict was
    read as this one, and `overruled` says why a PASS does not count (red gate, reviewer wrote, ...).
    `lesser` counts open findings that do not block, beside the `findings` that do. `passed_over` are those
    who were asked before `agent`, each with why it gave no answer.
    """

    verdict: Verdict
    native: str
    summary: str = ""
    findings: tuple[Finding, ...] = ()
    unclear: str = ""
    text: str = ""
    tree: str = ""
    overruled: str = ""
    partial: bool = False
    agent: str = ""
    isolation: str = ""
    left_behind: tuple[str, ...] = ()
    given: tuple[GivenFile, ...] = ()
    agent_version: str = ""
    model: str = ""
    usage: Usage = Usage()
    lesser: int = 0
    passed_over: tuple[str, ...] = ()
    # What the reviewer took the task to be for, and whether that is met; where its contract asks for it.
    intent: str = ""
    intent_satisfied: bool | None = None
    # A denial can be read in an answer that is unclear: asking again may refine it, never turn it.
    denied: bool = False

    @property
    def passed(self) -> bool:
        return self.verdict is Verdict.PASS and not self.overruled and not self.unclear and bool(self.tree)
