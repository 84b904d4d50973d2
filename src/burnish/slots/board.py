"""What the slots of a session are doing at this moment: a fold of events, for whoever shows it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from burnish.model.badge import Badge
from burnish.model.events import (
    Noticed,
    Recorded,
    RunFinished,
    RunInterrupted,
    RunStarted,
    StepFailed,
    StepFinished,
    StepStarted,
)
from burnish.model.step import Role
from burnish.slots.picking import picked_id
from burnish.slots.report import Fate

LINE_CHARS = 200


class LoopPhase(StrEnum):
    """What the session does as a whole."""

    STARTING = "starting"
    STREAMING = "streaming"
    REVIEWING = "reviewing"
    FIXING = "fixing"
    COLLECTING = "collecting"
    RETRY_WAIT = "retry_wait"
    COMPLETED = "completed"
    FAILED = "failed"
    STOPPED = "stopped"


_BY_ROLE = {
    Role.IMPLEMENT: Badge.SPAWN,
    Role.GATE: Badge.GATE,
    Role.REVIEW: Badge.REVIEW,
    Role.FIX: Badge.FIX,
}
_FATES = {Fate.FAILED: Badge.FAILED, Fate.IDLE: Badge.IDLE}


@dataclass(frozen=True)
class Row:
    """One slot. `attempt` is the number of its fix; `since` is when its badge came up."""

    slot: int
    badge: Badge = Badge.QUEUED
    item: str = ""
    title: str = ""
    run: str = ""
    attempt: int = 0
    reviews: int = 0
    limit: int = 0
    last_line: str = ""
    since: str = ""
    tokens: int = 0
    cost: float | None = None
    # What its agent may pick, where it picks itself.
    known: tuple[str, ...] = ()

    @property
    def over(self) -> bool:
        return self.badge.over

    @property
    def label(self) -> str:
        """The badge in words, as the origin has them."""
        match self.badge:
            case Badge.REVIEW:
                return f"reviewing {self.item}".rstrip()
            case Badge.FIX:
                return f"fix attempt {self.attempt} for {self.item}".removesuffix(" for ")
            case Badge.QUEUED:
                return "waits for the slot before it"
            case _:
                return f"{self.item} {self.title}".strip()


@dataclass(frozen=True)
class Board:
    """`session` is the run whose slots these are; a board of no session takes the first that picks."""

    session: str = ""
    iteration: int = 0
    rows: Mapping[int, Row] = field(default_factory=dict)
    wait_until: str = ""
    ended: str = ""

    @property
    def phase(self) -> LoopPhase:
        if self.ended:
            return {"failed": LoopPhase.FAILED, "stopped": LoopPhase.STOPPED}.get(
                self.ended, LoopPhase.COMPLETED
            )
        badges = {row.badge for row in self.rows.values()}
        if self.wait_until:
            return LoopPhase.RETRY_WAIT
        for badge, phase in ((Badge.FIX, LoopPhase.FIXING), (Badge.REVIEW, LoopPhase.REVIEWING)):
            if badge in badges:
                return phase
        if not badges:
            return LoopPhase.STARTING
        return LoopPhase.COLLECTING if all(row.over for row in self.rows.values()) else LoopPhase.STREAMING

    def of_run(self, run: str) -> Row | None:
        return next((row for row in self.rows.values() if row.run == run), None)


def fold(board: Board, recorded: Recorded) -> Board:
    """The board after an event of the session, or of the run of one of its slots."""
    row = board.of_run(recorded.run)
    if row is not None and recorded.run != board.session:
        return _with(board, _row(row, recorded))
    return _session(board, recorded)


def _session(board: Board, recorded: Recorded) -> Board:
    match recorded.event:
        case RunStarted(profile="slots") if not board.session:
            return replace(board, session=recorded.run)
        case StepStarted(step) if recorded.run == board.session and step.part == "pick" and step.phase:
            return _queued(board, step.cycle, int(step.phase), recorded.at)
        case StepFinished(step, "Picked", picked):
            board = replace(board, session=board.session or recorded.run)
            return _picked(_queued(board, step.cycle, int(step.phase), recorded.at), picked, recorded.at)
        case StepStarted(step) if step.part == "merge":
            return _badge(board, int(step.phase), Badge.MERGE, recorded.at)
        case StepFinished(step, "Merged", merged):
            landed = merged.get("fate") == "landed"
            return _badge(board, int(step.phase), Badge.DONE if landed else Badge.QUEUED, recorded.at)
        case StepFinished(step, "SlotEnded", ended):
            return _ended(board, int(step.phase), ended, recorded.at)
        case StepFinished(step, "Kept") if step.phase:
            return _kept(board, int(step.phase), recorded.at)
        case StepFinished(_, "Over", over):
            return replace(board, wait_until=str(over.get("wait_until") or ""))
        case RunFinished(outcome=outcome) if recorded.run == board.session:
            return replace(board, ended=str(outcome), wait_until="")
        case RunInterrupted() if recorded.run == board.session:
            return replace(board, ended="stopped", wait_until="")
        case _:
            return board


def _queued(board: Board, iteration: int, slot: int, at: str) -> Board:
    """A new iteration clears what the last one left."""
    if iteration != board.iteration:
        board = replace(board, iteration=iteration, rows={}, wait_until="", ended="")
    return board if slot in board.rows else _with(board, Row(slot, since=at))


def _picked(board: Board, picked: Mapping[str, Any], at: str) -> Board:
    slot, item = int(picked["slot"]), picked.get("item") or {}
    if not picked.get("run"):
        return _badge(board, slot, Badge.IDLE, at)
    row = Row(
        slot,
        Badge.SPAWN,
        str(item.get("id", "")),
        str(item.get("title", "")),
        str(picked["run"]),
        since=at,
        known=tuple(str(one["id"]) for one in picked.get("known") or ()),
    )
    return _with(board, row)


def _ended(board: Board, slot: int, ended: Mapping[str, Any], at: str) -> Board:
    badge = _FATES.get(Fate(ended["fate"]), Badge.MERGE)
    board = _badge(board, slot, badge, at)
    row = board.rows[slot]
    why = str(ended.get("why") or "") or row.last_line
    return _with(board, replace(row, item=str(ended.get("item") or row.item), last_line=_line(why)))


def _kept(board: Board, slot: int, at: str) -> Board:
    """Work that is put aside: what the branch did not take twice has failed, unreviewed work has not."""
    row = board.rows.get(slot, Row(slot))
    if row.over:
        return board
    return _badge(board, slot, Badge.FAILED if row.badge is Badge.QUEUED else Badge.DONE, at)


def _row(row: Row, recorded: Recorded) -> Row:
    match recorded.event:
        case RunStarted(limit=limit):
            return replace(row, limit=limit)
        case StepStarted(step) if step.role in _BY_ROLE:
            attempt = step.cycle if step.role is Role.FIX else row.attempt
            return replace(row, badge=_BY_ROLE[step.role], attempt=attempt, since=recorded.at)
        case StepFinished(step, kind, result):
            reviews = row.reviews + (kind == "Review")
            said = result.get("said") or result.get("summary") or result.get("title") or ""
            own = step.role is Role.IMPLEMENT and not row.item
            item = picked_id(str(said), row.known) if own else row.item
            return replace(row, item=item, reviews=reviews, last_line=_line(str(said)) or row.last_line)
        case StepFailed(message=message):
            return replace(row, last_line=_line(message))
        case Noticed(key, text):
            waits = key.startswith("waiting/")
            return replace(row, badge=Badge.WAIT if waits else row.badge, last_line=_line(text))
        case RunFinished(outcome="escalated", message=message):
            return replace(row, badge=Badge.WAIT, last_line=_line(message), since=recorded.at)
        case RunFinished(cost=cost, tokens=tokens):
            return replace(row, cost=cost, tokens=tokens)
        case _:
            return row


def _badge(board: Board, slot: int, badge: Badge, at: str) -> Board:
    return _with(board, replace(board.rows.get(slot, Row(slot)), badge=badge, since=at))


def _with(board: Board, row: Row) -> Board:
    return replace(board, rows={**board.rows, row.slot: row})


def _line(text: str) -> str:
    """The last line that says something."""
    found = next((line.strip() for line in reversed(text.splitlines()) if line.strip()), "")
    return found[:LINE_CHARS]
