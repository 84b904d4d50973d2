"""From a picked task to the run that does it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from burnish.app.dossier_folder import OWN
from burnish.app.request import Errand, RunRequest
from burnish.app.slots_facts import Picked
from burnish.app.slots_open import FIXED
from burnish.app.slots_plan import SlotsPlan
from burnish.config.load import Flag
from burnish.model.briefing import Briefing
from burnish.model.slot import Bead, SlotPart
from burnish.model.step import Role
from burnish.slots.log_names import EVENTS, log_stem, stamp
from burnish.slots.work_item import WorkItem

PICK_ONE = "Pick one open task from the tracker and do it"


def slot_request(plan: SlotsPlan, iteration: int, picked: Picked, session: str) -> RunRequest:
    given: dict[str, Any] = {**plan.flags, **FIXED}
    flags = {key: Flag(f"the session's {key}", value) for key, value in given.items()}
    errand = Errand(
        run_id=picked.run,
        start=picked.base,
        label=f"slot {picked.slot}",
        id=picked.item.id if picked.item else "",
        briefing=Briefing(slot=_part(plan, iteration, picked)),
        parent=session,
        settings_at=plan.base,
    )
    asked = picked.item.prompt if picked.item else PICK_ONE
    prompt = "\n\n".join(part for part in (asked, picked.conflict.strip()) if part)
    return RunRequest(prompt, flags, base=picked.base, errand=errand)


def _part(plan: SlotsPlan, iteration: int, picked: Picked) -> SlotPart:
    log = log_stem(iteration, stamp(picked.at), picked.slot, Role.IMPLEMENT, 0, picked.attempt)
    return SlotPart(
        iteration=iteration,
        slot=picked.slot,
        parallel=plan.parallel,
        bead=_bead(picked.item) if picked.item else None,
        beads=tuple(replace(_bead(item), text=item.prompt) for item in picked.known),
        taken=picked.taken,
        developer=plan.developer,
        reviewer=plan.reviewer,
        log=f"{OWN}/logs/{log}{EVENTS}",
    )


def _bead(item: WorkItem) -> Bead:
    return Bead(item.id, item.title, str(item.status), item.priority)
