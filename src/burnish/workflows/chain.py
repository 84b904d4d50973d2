"""Agents asked in turn until one gives an answer that can be used; what made each of the others unfit."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Generic, TypeVar

from burnish.errors import AgentError, AgentLimited, AgentMissing, AgentTimedOut
from burnish.model.agent import Reply, Usage
from burnish.model.assessment import Analysis, DimensionReport, Dive
from burnish.model.dimension import Dimension
from burnish.model.review import Finding
from burnish.model.step import Step
from burnish.model.subject import Subject
from burnish.model.trouble import Trouble, trouble_of
from burnish.ports import Run
from burnish.sanitise import clean_line
from burnish.workflows.panel import Diver, Viewer

MIN_CONFIDENCE = 0.4
MIN_WORDS = 100
SAID_CHARS = 300
DEGRADED = "degraded: no agent gave a usable answer"
NAME_CHARS = 60
T = TypeVar("T")


class Trigger(StrEnum):
    """Why the next one is asked (C-91, and the ways a program can fail besides)."""

    LIMIT = "rate limit"
    SERVER = "server error"
    CONNECTION = "no connection"
    TIMEOUT = "out of time"
    MALFORMED = "invalid answer"
    UNSURE = "confidence below 0.4"
    SHORT = "analysis shorter than 100 words"
    EDITED = "edited tracked files"
    MISSING = "not installed"
    FAILED = "failed"


_TROUBLES = {
    Trouble.LIMIT: Trigger.LIMIT,
    Trouble.SERVER: Trigger.SERVER,
    Trouble.CONNECTION: Trigger.CONNECTION,
}


class NotUsable(AgentError):
    """An answer came, and it cannot be used. `usage` is what it cost all the same."""

    def __init__(self, trigger: Trigger, why: str, usage: Usage = Usage()) -> None:
        super().__init__(why, usage=usage)
        self.trigger = trigger


def trigger_of(error: AgentError) -> Trigger:
    match error:
        case NotUsable():
            return error.trigger
        case AgentLimited():
            return Trigger.LIMIT
        case AgentMissing():
            return Trigger.MISSING
        case AgentTimedOut():
            return Trigger.TIMEOUT
    trouble = trouble_of(error.message)
    return _TROUBLES[trouble] if trouble else Trigger.FAILED


def check_worth(reply: Reply, confidence: float | None, spent: Usage) -> None:
    """Raises NotUsable for an analysis that is too unsure or too short to stand for one."""
    if confidence is not None and confidence < MIN_CONFIDENCE:
        raise NotUsable(Trigger.UNSURE, f"its confidence is {confidence:.2f}", spent)
    # A CLI that is held to a schema gives the same object as its text: its words count once.
    words = max(word_count(f"{reply.text}\n{reply.report or ''}"), word_count(f"{reply.structured or ''}"))
    if words < MIN_WORDS:
        raise NotUsable(Trigger.SHORT, f"its analysis has {words} words", spent)


def word_count(text: str) -> int:
    """Words of an analysis; the keys of its JSON are the form's words, not the reviewer's."""
    return len(re.findall(r"[^\W\d_][\w'-]*", re.sub(r"""["'][\w -]{1,60}["']\s{0,9}:""", " ", text)))


@dataclass(frozen=True)
class Asked(Generic[T]):
    """What came of a chain: the first usable answer, if any, and why those before were not.

    `reasons` are the same in a few words each.
    """

    answer: T | None
    passed_over: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()
    spent: Usage = Usage()
    violation: str = ""

    @property
    def degraded(self) -> str:
        return "" if self.answer is not None else f"{DEGRADED} ({'; '.join(self.reasons)})"


async def first_usable(
    run: Run, step: Step, links: Iterable[tuple[str, Callable[[], Awaitable[T]]]]
) -> Asked[T]:
    """`links` are names with what asks them. Whoever is passed over is told at once, with the reason."""
    asked: Asked[T] = Asked(None)
    for name, attempt in links:
        try:
            return replace(asked, answer=await attempt(), violation="")
        except AgentError as error:
            asked = _passed_over(asked, name, error)
            why = asked.passed_over[-1]
            await run.note(f"passed_over/{step.key}/{len(asked.passed_over)}", f"{step.part}: {why}")
    return asked


def _passed_over(asked: Asked[T], name: str, error: AgentError) -> Asked[T]:
    trigger = trigger_of(error)
    # An agent that is known well says more of it: a quota and an overloaded service are limits as well.
    kind = error.trouble.words if error.trouble else trigger
    short = name if len(name) <= NAME_CHARS else f"...{name[-NAME_CHARS:]}"
    said = clean_line(error.message.removeprefix(name))[:SAID_CHARS]
    why = f"{clean_line(name)}: {kind} ({said})"
    return replace(
        asked,
        passed_over=(*asked.passed_over, why),
        reasons=(*asked.reasons, f"{clean_line(short)}: {kind}"),
        spent=asked.spent + error.usage,
        violation=asked.violation or (why if trigger is Trigger.EDITED else ""),
    )


@dataclass(frozen=True)
class ViewerChain:
    """Viewers by name, in order; `last` looks when none of them could be used."""

    viewers: tuple[tuple[str, Viewer], ...]
    last: Viewer

    async def view(
        self, run: Run, step: Step, subject: Subject, dimension: Dimension, evidence: tuple[Analysis, ...]
    ) -> DimensionReport:
        def asking(viewer: Viewer) -> Callable[[], Awaitable[DimensionReport]]:
            return lambda: viewer.view(run, step, subject, dimension, evidence)

        asked = await first_usable(run, step, [(name, asking(viewer)) for name, viewer in self.viewers])
        report = asked.answer or await self.last.view(run, step, subject, dimension, evidence)
        return replace(
            report,
            degraded=asked.degraded,
            passed_over=asked.passed_over,
            violation=asked.violation,
            usage=report.usage + asked.spent,
        )


@dataclass(frozen=True)
class DiverChain:
    """The same for a closer look. Without `last`, a finding that no agent could analyse is skipped (C-81)."""

    divers: tuple[tuple[str, Diver], ...]
    last: Diver | None = None

    async def dive(
        self, run: Run, step: Step, subject: Subject, finding: Finding, among: tuple[Finding, ...]
    ) -> Dive:
        def asking(diver: Diver) -> Callable[[], Awaitable[Dive]]:
            return lambda: diver.dive(run, step, subject, finding, among)

        asked = await first_usable(run, step, [(name, asking(diver)) for name, diver in self.divers])
        if asked.answer is None and self.last is None:
            why = f"no agent gave a usable answer: {'; '.join(asked.reasons)}"
            raise AgentError(why, usage=asked.spent)
        dive = asked.answer
        if dive is None:
            assert self.last is not None
            dive = await self.last.dive(run, step, subject, finding, among)
        return replace(
            dive,
            degraded=asked.degraded,
            passed_over=asked.passed_over,
            usage=dive.usage + asked.spent,
        )
