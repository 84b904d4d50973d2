"""Simulated fixers: what each makes of the code when it is told what a review found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

from burnish.model.review import Finding
from burnish.simulator.code import Code, Defect, a_defect

Fixer = Callable[[Code, tuple[Finding, ...]], Code]

# How often, each time it has the choice.
PARTIAL_FIXES = 0.5
BREAKING_FIXES, BREAKS, UNDOES = 0.9, 0.5, 0.2
IDLE_WORKS = 0.1
TRIES_AGAIN = 0.5


def good(random: Random, gate_share: float) -> Fixer:
    """Fixes every defect it is told of, and tries to please where there is none."""
    return lambda code, findings: _fixed(code, findings, random, 1.0)


def partial(random: Random, gate_share: float) -> Fixer:
    """Fixes half of what it is told of."""
    return lambda code, findings: _fixed(code, findings, random, PARTIAL_FIXES)


def breaking(random: Random, gate_share: float) -> Fixer:
    """Fixes most of it, and often breaks something: something new, or what was fixed before."""
    gone: list[Defect] = []
    made = [0]

    def fix(code: Code, findings: tuple[Finding, ...]) -> Code:
        after = _fixed(code, findings, random, BREAKING_FIXES)
        broken = set[Defect]()
        if random.random() < BREAKS:
            made[0] += 1
            broken.add(a_defect(f"broken-{made[0]}", random, gate_share))
        if gone and random.random() < UNDOES:
            broken.add(random.choice(gone))
        gone.extend(sorted(code.defects - after.defects, key=lambda defect: defect.name))
        return replace(after, defects=after.defects | broken)

    return fix


def idle(random: Random, gate_share: float) -> Fixer:
    """Leaves everything as it is, nearly always."""
    work = good(random, gate_share)
    return lambda code, findings: work(code, findings) if random.random() < IDLE_WORKS else code


FIXERS: dict[str, Callable[[Random, float], Fixer]] = {
    maker.__name__: maker for maker in (good, partial, breaking, idle)
}


def _fixed(code: Code, findings: tuple[Finding, ...], random: Random, share: float) -> Code:
    """The code with each finding dealt with at some chance; a complaint about nothing gets a rewrite."""
    real = {defect.name: defect for defect in code.defects}
    for finding in findings:
        if random.random() >= share:
            continue
        if finding.title in real:
            code = replace(code, defects=code.defects - {real[finding.title]})
        else:
            code = _pleased(code, finding, random)
    return code


def _pleased(code: Code, finding: Finding, random: Random) -> Code:
    topic, _, wanted = finding.title.partition(":")
    before = code.choice(topic)
    if wanted:
        return code.rewritten(topic, wanted)
    if not before or random.random() < TRIES_AGAIN:
        return code.rewritten(topic, str(int(before or 0) + 1))
    return code
