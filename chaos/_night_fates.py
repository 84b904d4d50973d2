"""What shall happen to each task of a night, by chance, and where it must stand in the morning by that."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

from chaos._night_agent import LIMITED

CYCLES = 3
Acts = dict[str, list[str]]


@dataclass(frozen=True)
class End:
    """How a task must stand: `commits` are those on its branch, `blocked` is one that waits for ever."""

    state: str
    reason: str
    verdict: str | None
    cycles: int
    commits: int


@dataclass(frozen=True)
class Fate:
    """`acts` are what agents do, by step; what is not there they do as it should be. `healed` is the end
    after what was broken is mended and the task is tried again."""

    name: str
    acts: Acts
    end: End
    healed: End | None = None
    after: str = ""
    timed: bool = False

    @property
    def title(self) -> str:
        return f"Task NIGHT-{self.name} of the night"


def fates(chance: random.Random, number: int) -> list[Fate]:
    """Every kind of end comes, the likely ones often; a few tasks wait for one before them."""
    found: list[Fate] = []
    for at in range(1, number + 1):
        name = f"{at:04}"
        made = KINDS[(at - 1) % len(KINDS)](name, chance)
        found.append(_limited(made, chance))
    return sorted(_waiting(found, chance), key=lambda fate: (fate.timed, fate.name))


def _cycles(chance: random.Random, name: str, cycles: int) -> tuple[Acts, int]:
    """Reviews that want more before the last of these cycles; fixers that may do nothing; the commits so far."""
    acts: Acts = {}
    commits = 1
    for cycle in range(1, cycles):
        kind = chance.choice(["change", "change", "garbage", "late"])
        acts[f"review/{cycle}/1"] = ["change" if kind == "change" else "garbage"]
        if kind != "change":
            acts[f"review/{cycle}/2"] = ["garbage" if kind == "garbage" else "change"]
        if chance.random() < 0.1:
            acts[f"fix/{cycle}/1"] = ["idle-fix"]
        else:
            commits += 1
    if chance.random() < 0.1:
        acts["implement/1/1"] = ["mute"]
    return acts, commits


def _approved(name: str, chance: random.Random) -> Fate:
    cycles = chance.randint(1, CYCLES)
    acts, commits = _cycles(chance, name, cycles)
    late = chance.random() < 0.15
    acts |= {f"review/{cycles}/1": ["garbage"], f"review/{cycles}/2": ["approve"]} if late else {}
    if not late and chance.random() < 0.1:
        acts[f"review/{cycles}/1"] = ["mute"]
    return Fate(name, acts, End("completed", "review_passed", "APPROVED", cycles, commits))


def _exhausted(name: str, chance: random.Random) -> Fate:
    acts, commits = _cycles(chance, name, CYCLES + 1)
    commits -= "fix/3/1" not in acts
    return Fate(name, acts, End("completed", "cycles_exhausted", "MAX_CYCLES_REACHED", CYCLES, commits))


def _discussed(name: str, chance: random.Random) -> Fate:
    cycles = chance.randint(1, CYCLES)
    acts, commits = _cycles(chance, name, cycles)
    acts[f"review/{cycles}/1"] = ["discuss"]
    return Fate(name, acts, End("completed", "needs_discussion", "NEEDS_DISCUSSION", cycles, commits))


def _implementer(name: str, chance: random.Random) -> Fate:
    how = chance.choice(["fail", "stall", "idle"])
    reason = {"fail": "implementer_failed", "stall": "implementer_timeout", "idle": "empty_change"}[how]
    healed = End("completed", "review_passed", "APPROVED", 1, 1)
    return Fate(
        name, {"implement/1/1": [how]}, End("failed", reason, None, 0, 0), healed, timed=how == "stall"
    )


def _reviewer(name: str, chance: random.Random) -> Fate:
    cycles, how = chance.randint(1, CYCLES), chance.choice(["fail", "fail", "stall"])
    acts, commits = _cycles(chance, name, cycles)
    acts[f"review/{cycles}/1"] = [how]
    reason = {"fail": "reviewer_failed", "stall": "reviewer_timeout"}[how]
    verdict = "CHANGES_REQUESTED" if cycles > 1 else None
    healed = End("completed", "review_passed", "APPROVED", cycles, commits)
    return Fate(name, acts, End("failed", reason, verdict, cycles - 1, commits), healed, timed=how == "stall")


def _fixer(name: str, chance: random.Random) -> Fate:
    cycles, how = chance.randint(1, CYCLES - 1), chance.choice(["fail", "fail", "stall"])
    acts, commits = _cycles(chance, name, cycles + 1)
    commits -= acts.get(f"fix/{cycles}/1") != ["idle-fix"]
    acts[f"fix/{cycles}/1"] = [how]
    reason = {"fail": "fixer_failed", "stall": "fixer_timeout"}[how]
    healed = End("completed", "review_passed", "APPROVED", cycles + 1, commits + 1)
    return Fate(
        name,
        acts,
        End("failed", reason, "CHANGES_REQUESTED", cycles, commits),
        healed,
        timed=how == "stall",
    )


# In a row, so that also a few tasks have one of each; approvals are what most nights are made of.
KINDS = (_approved, _fixer, _exhausted, _implementer, _approved, _reviewer, _discussed, _approved, _approved)


def _limited(fate: Fate, chance: random.Random) -> Fate:
    """A limit or two before an answer, in every fifth task; the answer is the same afterwards."""
    if chance.random() > 0.2:
        return fate
    steps = sorted({*fate.acts, "implement/1/1"})
    chosen = chance.choice([step for step in steps if reached(step, fate)])
    usual = fate.acts.get(chosen) or ["edit"]
    before = [LIMITED] * chance.randint(1, 2)
    return replace(fate, acts={**fate.acts, chosen: [*before, *usual]})


def reached(step: str, fate: Fate) -> bool:
    """An exhausted task has a plan for a fix it never comes to."""
    return not (step == "fix/3/1" and fate.end.cycles == CYCLES)


def _waiting(found: list[Fate], chance: random.Random) -> list[Fate]:
    """One in twelve waits for another: on top of it where that is approved, else for ever."""
    made = list(found)
    for at in range(6, len(made), 12):
        other = made[chance.randrange(at)]
        if other.timed or other.after or made[at].timed:
            continue
        blocked = End("pending", "", None, 0, 0)
        fits = other.end.verdict == "APPROVED"
        made[at] = replace(
            made[at],
            after=other.name,
            end=made[at].end if fits else blocked,
            healed=made[at].healed if fits else (made[at].healed or made[at].end if other.healed else None),
        )
    return made
