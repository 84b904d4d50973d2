"""Runs of the real loop with simulated hands, seeded: the same seed gives the same table anywhere."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from random import Random

from burnish.errors import UsageError
from burnish.model.profile import Limit, LimitUnit
from burnish.policies.until_pass import UntilPass
from burnish.ports import Policy
from burnish.registry import load, names
from burnish.simulator.code import a_change
from burnish.simulator.fixers import FIXERS
from burnish.simulator.hands import TASK, SimulatedHands
from burnish.simulator.reviewers import REVIEWERS
from burnish.simulator.tally import Course, Tally, tally
from burnish.store.memory import MemoryRun
from burnish.workflows.review_loop import review_loop

NONE = "none"
POLICIES = (
    NONE,
    "patience=1",
    "patience=2",
    "patience=3",
    "no-progress",
    "no-progress=2",
    "no-progress=3",
    "returning",
    "returning=2",
    "ratchet=high@3",
    "ratchet=high@5",
    "code-age",
    "no-progress=2+patience=2",
    "no-progress=2+patience=3",
    "no-progress=2+returning=2",
    "no-progress=2+ratchet=high@5",
    "no-progress=2+code-age",
)
"""What is compared unless something else is asked for: names as `burnish run --policy` takes them, by `+`."""


@dataclass(frozen=True)
class Setting:
    """`runs` are those of each policy, reviewer and fixer; the gate notices `gate_share` of what blocks."""

    runs: int = 100
    seed: int = 1
    cycles: int = 10
    gate_share: float = 0.3
    policies: tuple[str, ...] = POLICIES
    reviewers: tuple[str, ...] = tuple(REVIEWERS)
    fixers: tuple[str, ...] = tuple(FIXERS)


@dataclass(frozen=True)
class Cell:
    """One place of the table."""

    policy: str
    reviewer: str
    fixer: str


Progress = Callable[[float], None]


def make_policy(name: str, cycles: int) -> Policy:
    """The task profile's own policy with others around it; `none` is it alone."""
    policy: Policy = UntilPass(load("profiles", "task")(), Limit(LimitUnit.REVIEWS, cycles))
    for part in name.split("+") if name != NONE else []:
        word, _, value = part.partition("=")
        if word not in set(names("policies")) - {"until-pass"}:
            known = ", ".join([NONE, *(known for known in names("policies") if known != "until-pass")])
            hint = "several at once are joined by +, for example patience=2+no-progress"
            raise UsageError(f"unknown policy {word!r}; known: {known}", hint=hint)
        policy = load("policies", word)(policy, value)
    return policy


def check(setting: Setting) -> None:
    """Find a wrong name before anything is run."""
    for kind, given, known in (
        ("reviewer", setting.reviewers, REVIEWERS),
        ("fixer", setting.fixers, FIXERS),
    ):
        unknown = [name for name in given if name not in known]
        if unknown:
            raise UsageError(f"unknown {kind} {unknown[0]!r}; known: {', '.join(known)}")
    for name in setting.policies:
        make_policy(name, setting.cycles)


async def simulate(setting: Setting, progress: Progress = lambda share: None) -> dict[Cell, Tally]:
    """Every chosen policy against every chosen reviewer and fixer, each over the same seeded runs."""
    check(setting)
    policies = {name: make_policy(name, setting.cycles) for name in setting.policies}
    plain = make_policy(NONE, setting.cycles)
    found: dict[Cell, Tally] = {}
    pairs = list(_pairs(setting))
    for number, (reviewer, fixer) in enumerate(pairs):
        sums = dict.fromkeys(policies, Tally())
        for run in range(setting.runs):
            # Nothing here waits for anything: without this a cancellation is never heard.
            await asyncio.sleep(0)
            progress((number + run / setting.runs) / len(pairs))
            key = f"{setting.seed}/{reviewer}/{fixer}/{run}"
            unstopped = await _course(setting, reviewer, fixer, key, plain)
            for name, policy in policies.items():
                course = await _course(setting, reviewer, fixer, key, policy)
                sums[name] += tally(course, unstopped)
        found |= {Cell(name, reviewer, fixer): total for name, total in sums.items()}
    return found


def _pairs(setting: Setting) -> Iterator[tuple[str, str]]:
    for reviewer in dict.fromkeys(setting.reviewers):
        yield from ((reviewer, fixer) for fixer in dict.fromkeys(setting.fixers))


async def _course(setting: Setting, reviewer: str, fixer: str, key: str, policy: Policy) -> Course:
    # All chance of a run comes from its own key, so a policy changes nothing but where it ends.
    random = Random(key)  # noqa: S311
    hands = SimulatedHands(
        a_change(random, setting.gate_share),
        REVIEWERS[reviewer](random),
        FIXERS[fixer](random, setting.gate_share),
    )
    ending = await review_loop(TASK, hands, policy, MemoryRun())
    return Course(ending.stop, tuple(hands.seen))


def by_policy(found: Mapping[Cell, Tally]) -> dict[str, Tally]:
    """Summed over reviewers and fixers."""
    sums: dict[str, Tally] = {}
    for cell, total in found.items():
        sums[cell.policy] = sums.get(cell.policy, Tally()) + total
    return sums
