"""One run as a row shows it: what it does, since when, its cycle, what it used; a pure fold of its events."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from burnish.loops.state import CHECKPOINT
from burnish.model.badge import Badge
from burnish.model.events import (
    Noticed,
    Recorded,
    RunFinished,
    RunInterrupted,
    RunReopened,
    RunResumed,
    RunStarted,
    StepFailed,
    StepFinished,
    StepStarted,
)
from burnish.model.outcome import Outcome
from burnish.model.step import Role, Step

LINE_CHARS = 200
_BY_ROLE = {
    Role.IMPLEMENT: Badge.SPAWN,
    Role.GATE: Badge.GATE,
    Role.REVIEW: Badge.REVIEW,
    Role.FIX: Badge.FIX,
}
_ENDS: dict[str, Badge] = {
    Outcome.PASSED: Badge.DONE,
    Outcome.UNREVIEWED: Badge.DONE,
    Outcome.ESCALATED: Badge.WAIT,
    Outcome.EXHAUSTED: Badge.STUCK,
    Outcome.STOPPED: Badge.STUCK,
    Outcome.FAILED: Badge.FAILED,
    Outcome.CANCELLED: Badge.FAILED,
}
# Notices of an agent that waits for the end of a limit: `waiting/AGENT/UNTIL`.
WAITING = "waiting/"


@dataclass(frozen=True)
class Gauge:
    """`number` counts fixes and the iterations of one task, `cycle` of `cycles` its reviews.

    `began` is when it was last taken up. `cost` is None while nobody knows; `estimated`: by a price table.
    """

    title: str = ""
    badge: Badge = Badge.SPAWN
    number: int = 0
    cycle: int = 0
    cycles: int = 0
    began: str = ""
    ended: str = ""
    wait_until: str = ""
    tokens: int = 0
    cost: float | None = None
    estimated: bool = False
    line: str = ""
    phase: str = ""

    @property
    def at_work(self) -> bool:
        return bool(self.began) and not self.ended


def after(gauge: Gauge, recorded: Recorded) -> Gauge:
    """The gauge when one more event of its run was recorded."""
    match recorded.event:
        case RunStarted() as started:
            cycles = started.limit + (started.limit_unit == "fixes")
            return replace(gauge, title=started.title, cycles=cycles, began=recorded.at, ended="")
        case RunResumed() | RunReopened():
            return replace(gauge, badge=Badge.SPAWN, began=recorded.at, ended="", wait_until="")
        case StepStarted(step):
            return _started(gauge, step)
        case StepFinished(_, _, result):
            return _used(replace(gauge, wait_until="", line=said(result) or gauge.line), result)
        case StepFailed(message=message):
            return replace(gauge, wait_until="", line=last_line(message))
        case Noticed(key, text) if key.startswith(WAITING):
            return replace(gauge, wait_until=key.rpartition("/")[2], line=last_line(text))
        case RunInterrupted(why):
            stopped = replace(gauge, badge=Badge.WAIT, number=0, wait_until="", line=last_line(why))
            return replace(stopped, ended=recorded.at)
        case RunFinished() as finished:
            return _finished(gauge, finished, recorded.at)
        case _:
            return gauge


def _started(gauge: Gauge, step: Step) -> Gauge:
    badge = _BY_ROLE.get(step.role)
    if badge is None or step.part == CHECKPOINT:
        # A checkpoint looks on while the loop goes on.
        return gauge
    gauge = replace(gauge, badge=badge, phase=step.phase, wait_until="", number=0, line="")
    match step.role:
        case Role.IMPLEMENT:
            # Only a task that takes several iterations is told which one it is in.
            return replace(gauge, number=step.cycle if step.cycle > 1 else 0, cycle=max(gauge.cycle, 1))
        case Role.FIX:
            return replace(gauge, number=max(step.cycle, 1), cycle=max(step.cycle, 0) + 1)
        case Role.REVIEW:
            return replace(gauge, cycle=max(step.cycle, 1))
        case _:
            return gauge


def _used(gauge: Gauge, result: Any) -> Gauge:
    usage = result.get("usage") if isinstance(result, Mapping) else None
    if not isinstance(usage, Mapping):
        return gauge
    tokens = gauge.tokens + int(usage.get("tokens_in") or 0) + int(usage.get("tokens_out") or 0)
    cost = usage.get("cost_usd")
    known = gauge.cost if cost is None else (gauge.cost or 0.0) + float(cost)
    return replace(
        gauge, tokens=tokens, cost=known, estimated=gauge.estimated or bool(usage.get("estimated"))
    )


def _finished(gauge: Gauge, finished: RunFinished, at: str) -> Gauge:
    badge = _ENDS.get(finished.outcome, Badge.FAILED)
    cost = gauge.cost if finished.cost is None else finished.cost
    line = gauge.line if badge is Badge.DONE else last_line(finished.message) or gauge.line
    return replace(
        gauge,
        badge=badge,
        number=0,
        ended=at,
        wait_until="",
        tokens=max(gauge.tokens, finished.tokens),
        cost=cost,
        line=line,
    )


def said(result: Any) -> str:
    """The last line of what a step's agent said."""
    if not isinstance(result, Mapping):
        return ""
    found = result.get("said") or result.get("summary") or result.get("title") or ""
    return last_line(str(found))


def last_line(text: str) -> str:
    """The last line that says something."""
    found = next((line.strip() for line in reversed(text.splitlines()) if line.strip()), "")
    return found[:LINE_CHARS]
