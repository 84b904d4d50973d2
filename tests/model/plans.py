"""What the agents of a run will do, as a program for them and as a prophecy of how the run must end."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

Tree = dict[str, bytes]

LIMIT = 2  # reviews
GATE = "test ! -e red.txt"
RED = "red.txt"
TRACKED = "app.py"


class Ailment(StrEnum):
    """What is wrong with one of the agents."""

    NONE = "none"
    FAILS = "fails"
    HANGS = "hangs"
    IDLE = "idle"


class Place(StrEnum):
    """An agent call at which a run can be held."""

    IMPLEMENT = "implement 1"
    REVIEW = "review 1"
    FIX = "fix 1"


class Touch(StrEnum):
    EDIT = "edit"
    ADD = "add"


@dataclass(frozen=True)
class Plan:
    """A review approves from `approves` on, the gate is green from `green` on; `ill` is an agent call gone wrong."""

    land: str = "branch"
    approves: int = 1
    green: int = 1
    touch: Touch = Touch.EDIT
    ailment: Ailment = Ailment.NONE
    ill: Place = Place.IMPLEMENT


@dataclass(frozen=True)
class Prophecy:
    """How an undisturbed run ends. `writes` counts the commits it makes."""

    outcome: str
    reason: str
    exit_code: int
    reviews: int
    writes: int
    tree: Tree


def foresee(plan: Plan, tag: str, start: Tree, calls: dict[str, int]) -> Prophecy:
    """The loop once more, in the fewest words: the reference that the product is compared with.

    `calls` says for a writing step which call of its agent is the one on record, where it is not the first.
    """
    tree, writes = dict(start), 0

    def write(role: str, cycle: int) -> Tree:
        return written(plan, f"{tag} {role} {cycle} call {calls.get(f'{role} {cycle}', 1)}\n", tree)

    def end(outcome: str, reason: str, code: int, reviews: int = 0) -> Prophecy:
        return Prophecy(outcome, reason, code, reviews, writes, tree)

    def gone_wrong(place: Place, who: str, reviews: int) -> Prophecy | None:
        if place is not plan.ill or plan.ailment in (Ailment.NONE, Ailment.IDLE):
            return None
        if plan.ailment is Ailment.HANGS:
            return end("escalated", f"{who}_timeout", 5, reviews)
        return end("failed", f"{who}_failed", 1, reviews)

    if wrong := gone_wrong(Place.IMPLEMENT, "implementer", 0):
        return wrong
    if plan.ailment is Ailment.IDLE:
        return end("stopped", "empty_change", 4)
    tree, writes = write("implement", 1), 1
    for cycle in range(1, LIMIT + 1):
        if cycle == 1 and (wrong := gone_wrong(Place.REVIEW, "reviewer", 0)):
            return wrong
        if cycle >= plan.approves and RED not in tree:
            return end("passed", "review_passed", 0, cycle)
        if cycle == LIMIT:
            break
        if cycle == 1 and (wrong := gone_wrong(Place.FIX, "fixer", cycle)):
            return wrong
        tree, writes = write("fix", cycle), writes + 1
    return end("exhausted", "cycles_exhausted", 0, LIMIT)


def target(plan: Plan, tag: str) -> str:
    """The file that a run's writers write."""
    return TRACKED if plan.touch is Touch.EDIT else f"out-{tag}.txt"


def written(plan: Plan, line: str, tree: Tree) -> Tree:
    """What a writer makes of a tree."""
    tag, role, number, *_ = line.split()
    path, cycle = target(plan, tag), int(number)
    after = {**tree, path: tree.get(path, b"") + line.encode()}
    reviewed_next = cycle if role == "implement" else cycle + 1
    if reviewed_next < plan.green:
        return {**after, RED: b"red\n"}
    return {name: data for name, data in after.items() if name != RED}


def draft_of(tag: str) -> tuple[str, bytes]:
    """What a writer that is held has written by then."""
    return f"half-{tag}.txt", b"half done\n"


@dataclass(frozen=True)
class Crew:
    """The agents of one run: a shell program that plays all of them, and files to hold it by."""

    folder: Path
    plan: Plan
    tag: str

    @property
    def script(self) -> Path:
        return self.folder / f"{self.tag}.sh"

    @property
    def hold(self) -> Path:
        return self.folder / f"{self.tag}.hold"

    @property
    def at_work(self) -> Path:
        return self.folder / f"{self.tag}.at-work"

    def flags(self) -> dict[str, Any]:
        self.folder.mkdir(parents=True, exist_ok=True)
        self.script.write_text(self._script())
        command = shlex.join(["/bin/sh", str(self.script)])
        flags = {
            "agents.implementer": command,
            "agents.reviewer": command,
            "gate.command": GATE,
            "limits.cycles": LIMIT,
            "land.how": self.plan.land,
            "sandbox.mode": "off",  # this is about the journal and git; the guard starts much faster
        }
        if self.plan.ailment is Ailment.HANGS:
            flags[f"timeouts.{self.plan.ill.split()[0]}_s"] = 0.2
        return flags

    def _script(self) -> str:
        plan, half = self.plan, draft_of(self.tag)
        path, count = target(plan, self.tag), shlex.quote(str(self.folder / f"{self.tag}.count-"))
        wrong = {Ailment.FAILS: "exit 1", Ailment.HANGS: "sleep 60"}.get(plan.ailment, ":")
        ask = f'if [ "$BURNISH_CYCLE" -ge {plan.approves} ]; then echo "**Verdict: APPROVED**"'
        return f"""cat >/dev/null
me="$BURNISH_ROLE $BURNISH_CYCLE"
if [ "$me" = "$(cat {shlex.quote(str(self.hold))} 2>/dev/null)" ]; then
    [ "$BURNISH_ROLE" = review ] || printf 'half done\\n' > {half[0]}
    touch {shlex.quote(str(self.at_work))}
    while [ -e {shlex.quote(str(self.hold))} ]; do sleep 0.02; done
    rm -f {half[0]}
fi
if [ "$me" = "{plan.ill}" ]; then {wrong}; fi
if [ "$BURNISH_ROLE" = review ]; then
    {ask}; else printf '%s\\n\\n%s\\n' "- not yet" "**Verdict: CHANGES_REQUESTED**"; fi
    exit 0
fi
[ {plan.ailment} = idle ] && exit 0
count={count}$BURNISH_ROLE-$BURNISH_CYCLE
echo . >> $count
echo "{self.tag} $me call $(($(wc -l < $count)))" >> {path}
next=$BURNISH_CYCLE
[ "$BURNISH_ROLE" = fix ] && next=$((next + 1))
if [ $next -lt {plan.green} ]; then echo red > {RED}; else rm -f {RED}; fi
echo done
"""
