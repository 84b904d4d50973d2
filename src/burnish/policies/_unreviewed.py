"""One change and no review: what an implement or improve task of the manual flow does."""

from __future__ import annotations

from dataclasses import dataclass

from burnish.model.change import Change
from burnish.model.decision import Decision, Stop
from burnish.model.history import History, Skipped
from burnish.model.outcome import Outcome
from burnish.model.question import asks
from burnish.model.reason import Reason
from burnish.ports import Policy


@dataclass(frozen=True)
class Unreviewed:
    """Wraps the profile's own policy: nothing changed is not done, and neither is a gate that turned red."""

    inner: Policy

    def decide(self, history: History) -> Decision:
        match history.last:
            case Change() as change if change.empty and not asks(change):
                return Stop(Outcome.STOPPED, Reason.EMPTY_CHANGE, "the agent changed nothing")
            case Skipped() if _turned_red(history):
                message = f"the gate {history.gates[-1].command!r} turned red"
                return Stop(Outcome.FAILED, Reason.GATE_RED, message)
            case Skipped():
                return Stop(Outcome.UNREVIEWED, Reason.REVIEW_SKIPPED, "not reviewed yet")
            case _:
                return self.inner.decide(history)


def _turned_red(history: History) -> bool:
    return len(history.gates) > 1 and history.gates[0].green and not history.gates[-1].green
