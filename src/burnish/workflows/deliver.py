"""Where an ended run's result goes: a branch, the user's files, or nowhere but our own store."""

from __future__ import annotations

from dataclasses import dataclass, replace

from burnish.errors import NotApplied, NotTaken, WorkspaceError
from burnish.model.history import Ending
from burnish.model.landing import Land, Landing
from burnish.model.outcome import Outcome
from burnish.ports import Lander

NOTHING = "nothing new was made, so nothing was landed"
APPLIED = "applied to your files; the result shows as uncommitted changes"
KEPT = "kept in our own store only; `burnish show` names the place"
STILL_OPEN = "every fix on it was checked; the review did not pass: see what is still open"
UNREVIEWED = "nobody has reviewed it yet"
UNAPPROVED = "unapproved/"
NOT_PASSED = "not approved, so it is kept apart from what passed"
# What a note begins with when the result did not go where it was to go.
NOT_LANDED = "not landed: "
NOT_APPLIED = "not applied: "


@dataclass(frozen=True)
class Delivery:
    """What did not pass is brought too, under a name that says so; it never touches the user's files."""

    lander: Lander
    how: Land
    run_id: str
    prefix: str = "burnish/"
    # The name a task's branch shall have, and the branch that an improvement goes on with.
    wanted: str = ""
    move: str = ""
    # Where every commit was checked by itself, what is still open does not make the rest unapproved.
    each_checked: bool = False

    async def deliver(self, ending: Ending) -> Landing:
        history = ending.history
        if history.commit == history.task.start:
            return Landing(Land.NONE, history.commit, note=NOTHING)
        if self.how is Land.NONE:
            return Landing(Land.NONE, history.commit, note=KEPT)
        unreviewed = ending.stop.outcome is Outcome.UNREVIEWED and bool(self.wanted)
        if self.move and not (ending.passed and UNAPPROVED in self.move):
            return await self._move(ending)
        if not ending.passed and not self.each_checked and not unreviewed:
            return await self._branch(history.commit, self._unapproved, NOT_PASSED)
        if self.how is Land.APPLY:
            return await self._apply(ending)
        note = "" if ending.passed else UNREVIEWED if unreviewed else STILL_OPEN
        return await self._branch(history.commit, self._name, note)

    @property
    def _name(self) -> str:
        return self.wanted or f"{self.prefix}{self.run_id}"

    @property
    def _unapproved(self) -> str:
        return f"{self.prefix}{UNAPPROVED}{self._name.removeprefix(self.prefix)}"

    async def _move(self, ending: Ending) -> Landing:
        """Onto the branch that was improved; where that cannot be, beside it, and said."""
        history = ending.history
        note = "" if ending.passed else NOT_PASSED if history.reviews else UNREVIEWED
        try:
            await self.lander.move(self.move, history.commit, history.task.start)
        except NotTaken as error:
            return self._kept(history.commit, error)
        except WorkspaceError as error:
            name = self._name if ending.passed or not history.reviews else self._unapproved
            note = f"{NOT_LANDED}{self.move} stays where it is: {error.message}"
            return await self._instead(history.commit, name, note)
        return Landing(Land.BRANCH, history.commit, branch=self.move, note=note)

    async def _apply(self, ending: Ending) -> Landing:
        history = ending.history
        try:
            await self.lander.apply(history.task.start_tree, history.tree)
        except NotApplied as error:
            return await self._instead(history.commit, self._name, f"{NOT_APPLIED}{error.message}")
        return Landing(Land.APPLY, history.commit, note=APPLIED)

    async def _branch(self, commit: str, name: str, note: str) -> Landing:
        try:
            branch = await self.lander.branch(commit, name)
        except NotTaken as error:
            return self._kept(commit, error)
        return Landing(Land.BRANCH, commit, branch=branch, note=note)

    async def _instead(self, commit: str, name: str, why: str) -> Landing:
        """A branch in place of what was asked for."""
        landing = await self._branch(commit, name, why)
        if not landing.as_asked:
            return landing
        note = f"{why.rstrip('.')}; the result is on branch {landing.branch}"
        return replace(landing, note=note, as_asked=False)

    def _kept(self, commit: str, error: NotTaken) -> Landing:
        where = f"the result is kept in our own store, `burnish show {self.run_id}` names the place"
        note = f"{NOT_LANDED}{error.message.rstrip('.')}; {where}"
        return Landing(Land.NONE, commit, note=note, as_asked=False)
