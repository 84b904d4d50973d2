"""Where an ended run's result goes: a branch, the user's files, or nowhere but our own store."""

from __future__ import annotations

from dataclasses import dataclass

from burnish.errors import NotApplied, NotTaken
from burnish.model.history import Ending
from burnish.model.landing import Land, Landing
from burnish.ports import Lander

NOTHING = "nothing new was made, so nothing was landed"
APPLIED = "applied to your files; the result shows as uncommitted changes"
KEPT = "kept in our own store only; `burnish show` names the place"
STILL_OPEN = "every fix on it was checked; the review did not pass: see what is still open"
NOT_PASSED = "not approved, so it is kept apart from what passed"


@dataclass(frozen=True)
class Delivery:
    """What did not pass is brought too, under a name that says so; it never touches the user's files."""

    lander: Lander
    how: Land
    run_id: str
    prefix: str = "burnish/"
    # Where every commit was checked by itself, what is still open does not make the rest unapproved.
    each_checked: bool = False

    async def deliver(self, ending: Ending) -> Landing:
        history = ending.history
        if history.commit == history.task.start:
            return Landing(Land.NONE, history.commit, note=NOTHING)
        if self.how is Land.NONE:
            return Landing(Land.NONE, history.commit, note=KEPT)
        if not ending.passed and not self.each_checked:
            return await self._branch(history.commit, f"{self.prefix}unapproved/{self.run_id}", NOT_PASSED)
        if self.how is Land.APPLY:
            return await self._apply(ending)
        note = "" if ending.passed else STILL_OPEN
        return await self._branch(history.commit, f"{self.prefix}{self.run_id}", note)

    async def _apply(self, ending: Ending) -> Landing:
        history = ending.history
        try:
            await self.lander.apply(history.task.start_tree, history.tree)
        except NotApplied as error:
            note = f"not applied: {error.message}"
            return await self._branch(history.commit, f"{self.prefix}{self.run_id}", note)
        return Landing(Land.APPLY, history.commit, note=APPLIED)

    async def _branch(self, commit: str, name: str, note: str) -> Landing:
        try:
            branch = await self.lander.branch(commit, name)
        except NotTaken as error:
            return Landing(Land.NONE, commit, note=f"not landed: {error.message}")
        return Landing(Land.BRANCH, commit, branch=branch, note=note)
