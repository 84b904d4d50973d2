"""Questions that wait for a person, and what people answered."""

from __future__ import annotations

from dataclasses import dataclass

from burnish.model.change import Change
from burnish.model.reason import Reason
from burnish.model.review import Review, Verdict
from burnish.model.signal import ExitWord

# Why a run ends that goes on when a person has answered.
WAITING = (Reason.NEEDS_DISCUSSION, Reason.QUESTION_ASKED)


@dataclass(frozen=True)
class Answer:
    """To the question of this number in its run, from 1. It settles the question and approves nothing."""

    number: int
    question: str
    text: str
    by: str = ""
    at: str = ""


@dataclass(frozen=True)
class Waiting:
    """Something that waits for a person's answer; `name` is what `burnish answer` takes."""

    name: str
    title: str
    question: str


def asks(fact: object) -> bool:
    """Whether nothing but a person's answer can follow: a review to discuss, or a writer's question."""
    match fact:
        case Review(verdict=Verdict.DISCUSS):
            return True
        case Change(signal=signal) if signal is not None:
            return signal.word is ExitWord.TASK_QUESTION
        case _:
            return False
