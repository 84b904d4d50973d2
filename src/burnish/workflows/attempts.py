"""Asking again: a step that failed, or whose words did not fit, gets a new step of its own."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import TypeVar

from burnish.model.agent import Usage
from burnish.model.agent_events import AgentTrouble
from burnish.model.change import Change, Failure, FailureKind
from burnish.model.history import History
from burnish.model.profile import Profile
from burnish.model.review import Finding, Review, Verdict
from burnish.model.step import Step
from burnish.ports import Run
from burnish.sanitise import clean_line

T = TypeVar("T", Change, Review)


async def attempt(
    run: Run,
    step: Step,
    profile: Profile,
    work: Callable[[History, Step, str], Awaitable[T | Failure]],
    history: History,
) -> tuple[T | Failure, Step]:
    """Do a step, and again as often as the profile allows. `work` is told how the last try failed.

    What comes back carries what all tries spent: the history has one fact for them.
    """
    why, spent = "", Usage()
    while True:
        done = await run.do(step, work, history, step, why)
        result = carrying(done, spent)
        # Words that do not fit are not a failed try: the reviewer is asked once more, with what was wrong.
        if not isinstance(result, Failure) or result.kind is FailureKind.VIOLATION:
            return result, step
        if result.trouble == AgentTrouble.BUDGET or step.ask > profile.rule(step.role, result.kind).retries:
            return result, step
        step, why, spent = replace(step, ask=step.ask + 1), result.message, result.usage


TURNED = "the reviewer denied it first; asking again never turns a denial into a pass"


def refined(first: Review | Failure, second: Review | Failure) -> Review | Failure:
    """What a second answer is worth behind a first one that could not be used.

    It may refine a denial that can be read in the first one, never turn it into a pass.
    """
    if not first.denied or not isinstance(second, Review) or second.verdict is not Verdict.PASS:
        return second
    if isinstance(first, Review):
        return replace(first, overruled=TURNED, unclear="", usage=second.usage)
    finding = Finding(clean_line(first.message), detail=first.answer or first.message)
    return replace(
        second,
        verdict=Verdict.FAIL,
        native="FAIL",
        summary=finding.title,
        findings=(finding,),
        text=first.answer,
        overruled=TURNED,
    )


def carrying(result: T | Failure, spent: Usage) -> T | Failure:
    return result if spent.nothing else replace(result, usage=spent + result.usage)
