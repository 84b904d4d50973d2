"""The ground truth of a simulated change: which defects are in it, known to nobody but the simulator."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random

from burnish.model.review import Finding, Severity

CHANGED, OLDER = "change.py", "older.py"
BLOCKING = Severity.HIGH
_SEVERITIES = {Severity.CRITICAL: 1, Severity.HIGH: 4, Severity.MEDIUM: 3, Severity.LOW: 2}


@dataclass(frozen=True)
class Defect:
    """One real thing wrong. `tested`: the gate turns red for it."""

    name: str
    severity: Severity
    tested: bool = False

    @property
    def blocking(self) -> bool:
        return self.severity.at_least(BLOCKING)

    @property
    def fails_gate(self) -> bool:
        return self.tested and self.blocking


@dataclass(frozen=True)
class Code:
    """A state of the change: the defects in it, and what was rewritten to please a reviewer, by topic."""

    defects: frozenset[Defect]
    taste: tuple[tuple[str, str], ...] = ()

    @property
    def tree(self) -> str:
        """Equal states have equal trees, as in git."""
        names = ",".join(defect.name for defect in self.sorted_defects)
        return f"{names}/{','.join(f'{topic}:{choice}' for topic, choice in self.taste)}"

    @property
    def sorted_defects(self) -> list[Defect]:
        """In an order that does not depend on the process: chance is drawn along it."""
        return sorted(self.defects, key=lambda defect: defect.name)

    @property
    def blocking(self) -> int:
        return sum(defect.blocking for defect in self.defects)

    def choice(self, topic: str) -> str:
        return dict(self.taste).get(topic, "")

    def rewritten(self, topic: str, choice: str) -> Code:
        return replace(self, taste=tuple(sorted({**dict(self.taste), topic: choice}.items())))


def a_defect(name: str, random: Random, gate_share: float) -> Defect:
    severity = random.choices(list(_SEVERITIES), list(_SEVERITIES.values()))[0]
    return Defect(name, severity, random.random() < gate_share)


def a_change(random: Random, gate_share: float, most_defects: int = 6) -> Code:
    """What an implementer left: one defect at least, so that there is something to review."""
    count = random.randint(1, most_defects)
    return Code(frozenset(a_defect(f"defect-{number}", random, gate_share) for number in range(count)))


def complaint(topic: str, severity: Severity = Severity.MEDIUM, *, older: bool = False) -> Finding:
    """A finding with nothing behind it; about code older than the change if so wanted."""
    return Finding(topic, severity, OLDER if older else CHANGED, 1, identity=topic)


def report(defect: Defect) -> Finding:
    return Finding(defect.name, defect.severity, CHANGED, 1, identity=defect.name)
