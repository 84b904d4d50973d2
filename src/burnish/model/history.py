"""What has happened in a run so far: the only thing a policy sees."""

from __future__ import annotations

from dataclasses import dataclass, replace

from burnish.model.agent import Usage
from burnish.model.change import Change, Failure
from burnish.model.decision import Stop
from burnish.model.gate import GateResult
from burnish.model.outcome import Outcome
from burnish.model.question import asks
from burnish.model.review import Review
from burnish.model.step import Role
from burnish.model.task import Task


@dataclass(frozen=True)
class Skipped:
    """A review that the profile's conditions leave out."""

    why: str


Fact = Change | Review | Failure | GateResult | Skipped


@dataclass(frozen=True)
class History:
    """The facts of a run in order. Everything else here is derived from them.

    `before` was spent on steps that were forgotten since, so that they are done again.
    """

    task: Task
    facts: tuple[Fact, ...] = ()
    before: Usage = Usage()

    def add(self, fact: Fact) -> History:
        return replace(self, facts=(*self.facts, fact))

    @property
    def last(self) -> Fact | None:
        """The fact a decision hangs on; a gate result only speaks through the review after it."""
        return next((fact for fact in reversed(self.facts) if not isinstance(fact, GateResult)), None)

    @property
    def reviews(self) -> tuple[Review, ...]:
        return tuple(fact for fact in self.facts if isinstance(fact, Review))

    @property
    def review(self) -> Review | None:
        return self.reviews[-1] if self.reviews else None

    @property
    def changes(self) -> tuple[Change, ...]:
        return tuple(fact for fact in self.facts if isinstance(fact, Change))

    @property
    def gates(self) -> tuple[GateResult, ...]:
        return tuple(fact for fact in self.facts if isinstance(fact, GateResult))

    @property
    def cycle(self) -> int:
        """The number of the cycle that the next review opens."""
        return len(self.reviews) + 1

    @property
    def fixes(self) -> int:
        """How often a fixer was asked, whether or not it did its part; it may go on after an answer."""
        found, before = 0, None
        for fact in self.facts:
            if isinstance(fact, Change | Failure) and fact.role is Role.FIX:
                found += not (isinstance(before, Change) and asks(before))
            before = fact
        return found

    @property
    def questions(self) -> int:
        """How many questions a person was asked so far."""
        return sum(1 for fact in self.facts if asks(fact))

    @property
    def answered(self) -> bool:
        """Whether the last fact is a question that a person has answered."""
        numbers = {answer.number for answer in self.task.briefing.answers}
        return asks(self.last) and self.questions in numbers

    @property
    def commit(self) -> str:
        return self.changes[-1].commit if self.changes else self.task.start

    @property
    def tree(self) -> str:
        return self.changes[-1].tree if self.changes else self.task.start_tree

    @property
    def empty(self) -> bool:
        """True while there is nothing to review: the tree is the base's."""
        return self.tree == self.task.base_tree

    @property
    def usage(self) -> Usage:
        total = self.before
        for fact in self.facts:
            if isinstance(fact, Change | Review | Failure):
                total += fact.usage
        return total


@dataclass(frozen=True)
class Ending:
    """A loop that is over: the decision and all that led to it."""

    stop: Stop
    history: History

    @property
    def passed(self) -> bool:
        return self.stop.outcome is Outcome.PASSED
