"""How the run of a slot ended, read from what it recorded."""

from __future__ import annotations

from collections.abc import Sequence

from burnish import codec
from burnish.app.slots_facts import Picked, SlotEnded
from burnish.app.slots_plan import SlotsPlan
from burnish.config.slot_settings import Picks
from burnish.errors import StoreError
from burnish.model.change import Change, Failure
from burnish.model.outcome import Outcome
from burnish.model.review import Review
from burnish.model.run_view import RunView
from burnish.model.step import Role
from burnish.slots.failures import failure_reason
from burnish.slots.picking import picked_id
from burnish.slots.report import Fate
from burnish.slots.retry_delay import retry_delay_s
from burnish.slots.stop_markers import heard
from burnish.store.database import Database
from burnish.store.leases import this_process
from burnish.store.queries import find_run, run_steps


class Asks(Exception):
    """The run of a slot waits for a person: it has not ended, so nothing of its end is remembered."""

    def __init__(self, run: str, question: str) -> None:
        super().__init__(question)
        self.run = run


Said = Change | Failure | Review
_FATES = {Outcome.PASSED: Fate.PASSED, Outcome.UNREVIEWED: Fate.UNREVIEWED}


def slot_ended(database: Database, picked: Picked, plan: SlotsPlan) -> SlotEnded:
    view, facts = find_run(database, picked.run, this_process()), _facts(database, picked.run)
    if view.outcome is None:
        raise StoreError(
            f"run {view.id} was left before its end.", hint="burnish slots --resume goes on with it"
        )
    if view.outcome == Outcome.ESCALATED:
        raise Asks(view.id, view.message or str(view.reason))
    said = next((fact.said for fact in facts if isinstance(fact, Change)), "")
    item = picked.item.id if picked.item else named(picked, said)
    stop, fate = heard(facts), _FATES.get(Outcome(view.outcome), Fate.FAILED)
    why = "" if fate is Fate.PASSED else _why(view, facts)
    if plan.picks is Picks.AGENT and item in picked.taken and item:
        fate, why = Fate.FAILED, f"it picked {item}, which another slot has"
    if stop and not view.commit:
        fate, why = Fate.IDLE, f"its agent says {stop}"
    failed = fate is Fate.FAILED
    return SlotEnded(
        fate=fate,
        item=item,
        commit=view.commit or "",
        why=why,
        reviews=view.cycles,
        fixes=view.fixes,
        stop=stop,
        retry_s=retry_delay_s(_failed_words(view, facts)) if failed else None,
        # What nobody was asked to review may land; what somebody was, and could not, may not.
        lands=fate is Fate.PASSED or (fate is Fate.UNREVIEWED and not plan.review),
    )


def _facts(database: Database, run: str) -> tuple[Said, ...]:
    """What implementers, reviewers and fixers left, in order."""
    wanted = (Role.IMPLEMENT, Role.REVIEW, Role.FIX)
    stored = [step.result for step in run_steps(database, run) if step.role in wanted and step.result]
    return tuple(codec.decode(result, Change | Failure | Review) for result in stored)


def named(picked: Picked, said: str) -> str:
    """What an agent says it picked; those of other slots count, so that taking one of them is seen."""
    return picked_id(said, {*(item.id for item in picked.known), *picked.taken})


def _why(view: RunView, facts: Sequence[Said]) -> str:
    last = facts[-1] if facts else None
    if not isinstance(last, Failure):
        return view.message or str(view.reason)
    kept = f"; what it had written then is kept, burnish show {view.id} says where" if last.salvage else ""
    return f"{failure_reason(last)}{kept}"


def _failed_words(view: RunView, facts: Sequence[Said]) -> str:
    failures = [fact.message for fact in facts if isinstance(fact, Failure)]
    return "\n".join((view.message, *failures))
