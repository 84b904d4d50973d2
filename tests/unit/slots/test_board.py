"""The live state of slots is a fold of events: the same events, the same board."""

from __future__ import annotations

from typing import Any

import pytest

from burnish.model.badge import Badge
from burnish.model.events import (
    Event,
    Noticed,
    Recorded,
    RunFinished,
    RunStarted,
    StepFailed,
    StepFinished,
    StepStarted,
)
from burnish.model.step import Role, Step
from burnish.slots.board import Board, LoopPhase, Row, fold

SESSION, CHILD = "r-session", "r-child"


class Story:
    """Events one after the other, as the two runs would record them."""

    def __init__(self) -> None:
        self.board = Board()
        self.seq = 0
        self.tell(SESSION, RunStarted("t", "t", "slots", "json-verdict", "b", "s", 5, "fixes", {}))

    def tell(self, run: str, event: Event) -> Row | None:
        self.seq += 1
        self.board = fold(self.board, Recorded(run, self.seq, f"at-{self.seq}", event))
        return self.board.of_run(CHILD)

    def pick(self, slot: int = 1, iteration: int = 1, **more: Any) -> None:
        step = Step(Role.LAND, iteration, str(slot), "pick")
        self.tell(SESSION, StepStarted(step))
        item = {"id": "bd-7", "title": "Add login"}
        picked = {"slot": slot, "run": CHILD, "item": item, "known": [], **more}
        self.tell(SESSION, StepFinished(step, "Picked", picked))

    def ends(self, fate: str, part: str = "end", slot: int = 1) -> None:
        ended = {"fate": fate, "item": "bd-7", "why": "because"}
        self.tell(SESSION, StepFinished(Step(Role.LAND, 1, str(slot), part), "SlotEnded", ended))

    @property
    def row(self) -> Row:
        found = self.board.of_run(CHILD)
        assert found
        return found


@pytest.fixture
def story() -> Story:
    told = Story()
    told.pick()
    return told


@pytest.mark.conformance("L-31")
def test_a_reviewer_at_work_shows_the_review_badge_with_the_bead(story: Story) -> None:
    story.tell(CHILD, StepStarted(Step(Role.REVIEW, 1)))
    assert (story.row.badge, story.row.label) == (Badge.REVIEW, "reviewing bd-7")
    assert story.board.phase is LoopPhase.REVIEWING


@pytest.mark.conformance("L-32")
def test_a_fixer_at_work_shows_the_fix_badge_with_its_attempt(story: Story) -> None:
    story.tell(CHILD, StepStarted(Step(Role.FIX, 2)))
    assert (story.row.badge, story.row.attempt) == (Badge.FIX, 2)
    assert story.row.label == "fix attempt 2 for bd-7"
    assert story.board.phase is LoopPhase.FIXING


def test_a_slot_is_queued_until_it_has_picked_and_idle_when_there_was_nothing() -> None:
    story = Story()
    assert story.board.phase is LoopPhase.STARTING
    step = Step(Role.LAND, 1, "1", "pick")
    story.tell(SESSION, StepStarted(step))
    assert story.board.rows[1].badge is Badge.QUEUED
    story.tell(SESSION, StepFinished(step, "Picked", {"slot": 1, "run": "", "item": None}))
    assert story.board.rows[1].badge is Badge.IDLE


def test_spawn_gate_merge_and_done_follow_each_other(story: Story) -> None:
    badges = [story.row.badge]
    for event in (StepStarted(Step(Role.GATE)), StepStarted(Step(Role.IMPLEMENT))):
        story.tell(CHILD, event)
        badges.append(story.row.badge)
    story.ends("passed")
    badges.append(story.row.badge)
    story.tell(SESSION, StepFinished(Step(Role.LAND, 1, "1", "merge"), "Merged", {"fate": "landed"}))
    badges.append(story.row.badge)
    assert badges == [Badge.SPAWN, Badge.GATE, Badge.SPAWN, Badge.MERGE, Badge.DONE]
    assert story.board.phase is LoopPhase.COLLECTING


def test_a_failed_slot_says_why_and_a_new_iteration_clears_it(story: Story) -> None:
    story.tell(CHILD, StepFailed(Step(Role.FIX, 1), "exit", "it broke"))
    assert story.row.last_line == "it broke"
    story.ends("failed")
    assert (story.row.badge, story.row.last_line) == (Badge.FAILED, "because")
    story.pick(iteration=2)
    assert (story.row.badge, story.row.last_line) == (Badge.SPAWN, "")


def test_what_an_agent_picks_itself_is_shown_as_soon_as_it_says_so() -> None:
    story = Story()
    story.pick(item=None, known=[{"id": "bd-1"}, {"id": "bd-2"}])
    assert story.row.item == ""
    change = {"said": "Updated issue: bd-2", "title": "x"}
    story.tell(CHILD, StepFinished(Step(Role.IMPLEMENT), "Change", change))
    assert story.row.item == "bd-2"


def test_waiting_for_a_limit_and_for_a_retry_are_seen(story: Story) -> None:
    story.tell(CHILD, Noticed("waiting/claude/12:00", "waiting until 12:00"))
    assert (story.row.badge, story.row.last_line) == (Badge.WAIT, "waiting until 12:00")
    over = {"wait_until": "2026-11-15T18:07:00+00:00"}
    story.tell(SESSION, StepFinished(Step(Role.LAND, 1, "0", "over"), "Over", over))
    assert story.board.phase is LoopPhase.RETRY_WAIT


@pytest.mark.parametrize(
    ("outcome", "phase"),
    [("passed", LoopPhase.COMPLETED), ("failed", LoopPhase.FAILED), ("stopped", LoopPhase.STOPPED)],
)
def test_the_end_of_the_session_is_its_last_phase(story: Story, outcome: str, phase: LoopPhase) -> None:
    ended = RunFinished(outcome, "x", "", None, "", "", 0, 0, "b", None, None, None, None, 0, 0)
    story.tell(SESSION, ended)
    assert story.board.phase is phase
