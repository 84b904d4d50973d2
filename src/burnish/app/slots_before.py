"""What earlier sessions have landed although the tracker does not say so: it is not done a second time."""

from __future__ import annotations

from dataclasses import dataclass

from burnish import codec
from burnish.app.merge_line import Merge, Merged
from burnish.app.place import Place
from burnish.app.slots_facts import MERGE, PICK, Picked
from burnish.slots.work_item import WorkItem
from burnish.store.database import Database
from burnish.store.queries import run_steps

MOST_SESSIONS = 20


@dataclass(frozen=True)
class LandedBefore:
    """`item` as it was picked then: once it reads differently it is new work."""

    item: WorkItem
    commit: str
    session: str


async def landed_before(place: Place, database: Database, sessions: list[str]) -> tuple[LandedBefore, ...]:
    """Of the sessions given, the newest first, what a branch still has."""
    found = [one for session in sessions[:MOST_SESSIONS] for one in _of(database, session)]
    newest = {one.item.id: one for one in reversed(found)}
    return tuple([one for one in newest.values() if await _on_a_branch(place, one.commit)])


def _of(database: Database, session: str) -> list[LandedBefore]:
    items: dict[tuple[int, str], WorkItem] = {}
    commits: dict[tuple[int, str], str] = {}
    for step in run_steps(database, session):
        if step.result is None:
            continue
        if step.part == PICK:
            picked = codec.decode(step.result, Picked)
            if picked.item:
                items[step.cycle, step.phase] = picked.item
        elif step.part == MERGE:
            merged = codec.decode(step.result, Merged)
            if merged.fate is Merge.LANDED:
                commits[step.cycle, step.phase] = merged.commit
    return [LandedBefore(items[key], commit, session) for key, commit in commits.items() if key in items]


async def _on_a_branch(place: Place, commit: str) -> bool:
    """A branch that was thrown away takes its work with it."""
    repository = place.repository
    answer = await repository.git.ask(
        "for-each-ref", "--count=1", "--contains", commit, "refs/heads", at=repository.place
    )
    return answer.code == 0 and bool(answer.out.strip())
