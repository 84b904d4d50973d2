"""Hands of a slot whose agent picks its task itself: reviewed is only what is known to be one."""

from __future__ import annotations

from dataclasses import dataclass, replace

from burnish.model.change import Change, Failure
from burnish.model.history import History, Skipped
from burnish.model.review import Review
from burnish.model.slot import Bead, SlotPart
from burnish.ports import Hands, Run
from burnish.slots.picking import picked_id

NOT_PICKED = "no bead was picked"


@dataclass(frozen=True)
class SelfPicked:
    """Around the hands that do the work; `part` has the beads that were open when the slot began."""

    hands: Hands
    part: SlotPart

    async def implement(self, run: Run, history: History) -> Change | Failure:
        return await self.hands.implement(run, history)

    async def gate(self, run: Run, history: History) -> History:
        if self._picked(history) is None:
            return history
        return await self.hands.gate(run, history)

    async def review(self, run: Run, history: History) -> Review | Failure | Skipped:
        bead = self._picked(history)
        if bead is None:
            return Skipped(NOT_PICKED)
        return await self.hands.review(run, self._told(history, bead))

    async def fix(self, run: Run, history: History) -> Change | Failure:
        bead = self._picked(history)
        return await self.hands.fix(run, self._told(history, bead) if bead else history)

    def _picked(self, history: History) -> Bead | None:
        """What the implementer said it picked; a later word does not change it."""
        said = history.changes[0].said if history.changes else ""
        beads = {bead.id: bead for bead in self.part.beads}
        return beads.get(picked_id(said, {*beads, *self.part.taken}))

    def _told(self, history: History, bead: Bead) -> History:
        """The same history about the bead that was picked."""
        briefing = replace(history.task.briefing, slot=replace(self.part, bead=bead))
        task = replace(history.task, prompt=bead.text or bead.title, briefing=briefing)
        return replace(history, task=task)
