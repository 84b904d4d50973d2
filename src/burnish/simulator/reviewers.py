"""Simulated reviewers: from one that sees everything to one that does not look."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from burnish.model.review import Finding, Severity
from burnish.simulator.code import Code, complaint, report

Findings = tuple[Finding, ...]
Reviewer = Callable[[Code], Findings]
"""What it says about a state of the code; saying nothing is a PASS."""

# How often, each time it has the choice.
NOISY_SEES, NOISY_REPEATS, NOISY_OLDER = 0.85, 0.3, 0.3
NOISE = (0, 0, 1, 1, 2)
NOISE_SEVERITIES = (Severity.HIGH, Severity.MEDIUM, Severity.MEDIUM, Severity.LOW, Severity.LOW)
LAZY_SEES = 0.5
LIES = 0.5
GIVES_IN = 0.15
PET_SEVERITIES = (Severity.HIGH, Severity.MEDIUM, Severity.LOW)


def honest(random: Random) -> Reviewer:
    """Sees every defect and nothing else."""
    return _all


def noisy(random: Random) -> Reviewer:
    """Overlooks some defects, and complains about things that are none, most of them new each time."""
    said: list[Finding] = []

    def look(code: Code) -> Findings:
        found = [finding for finding in _all(code) if random.random() < NOISY_SEES]
        for _ in range(random.choice(NOISE)):
            if said and random.random() < NOISY_REPEATS:
                found.append(random.choice(said))
                continue
            severity, older = random.choice(NOISE_SEVERITIES), random.random() < NOISY_OLDER
            said.append(complaint(f"nit-{len(said)}", severity, older=older))
            found.append(said[-1])
        return tuple(dict.fromkeys(found))

    return look


def stubborn(random: Random) -> Reviewer:
    """Sees every defect, and has a complaint or two of its own that no fix satisfies."""
    count = random.randint(1, 2)
    pets = [complaint(f"pet-{number}", random.choice(PET_SEVERITIES)) for number in range(count)]

    def look(code: Code) -> Findings:
        found = (*_all(code), *pets)
        if random.random() < GIVES_IN:
            pets[:] = pets[1:]
        return found

    return look


def oscillating(random: Random) -> Reviewer:
    """Sees every defect, and wants one thing this way, then that way, and then this way again."""
    content = [False]

    def look(code: Code) -> Findings:
        content[0] = content[0] or random.random() < GIVES_IN
        other = "that" if code.choice("way") == "this" else "this"
        return _all(code) if content[0] else (*_all(code), complaint(f"way:{other}"))

    return look


def lazy(random: Random) -> Reviewer:
    """Says nothing wrong, and overlooks half of what is."""
    return lambda code: tuple(finding for finding in _all(code) if random.random() < LAZY_SEES)


def lying(random: Random) -> Reviewer:
    """Often says that all is well without having looked."""
    return lambda code: () if random.random() < LIES else _all(code)


REVIEWERS: dict[str, Callable[[Random], Reviewer]] = {
    maker.__name__: maker for maker in (honest, noisy, stubborn, oscillating, lazy, lying)
}


def _all(code: Code) -> Findings:
    return tuple(report(defect) for defect in code.sorted_defects)
