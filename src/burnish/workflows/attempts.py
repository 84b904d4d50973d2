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
from burnish.model.review import Review
from burnish.model.step import Step
from burnish.ports import Run

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


def carrying(result: T | Failure, spent: Usage) -> T | Failure:
    return result if spent.nothing else replace(result, usage=spent + result.usage)
