"""One answer in words, and then stop: what a plan or an exploration does."""

from __future__ import annotations

from dataclasses import dataclass

from burnish.model.change import Change
from burnish.model.decision import Decision, Stop
from burnish.model.history import History
from burnish.model.outcome import Outcome
from burnish.model.reason import Reason
from burnish.ports import Policy


@dataclass(frozen=True)
class Reported:
    """Wraps the profile's own policy, which knows what a failed agent leads to."""

    inner: Policy

    def decide(self, history: History) -> Decision:
        if isinstance(history.last, Change):
            return Stop(Outcome.UNREVIEWED, Reason.REPORTED, "the report is written")
        return self.inner.decide(history)
