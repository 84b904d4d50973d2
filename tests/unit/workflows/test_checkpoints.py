"""Looks at loops that are under way: all of them when one is due, at once, and none of them a pass."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from burnish.errors import AgentFailed
from burnish.loops.checkpoints import Checkpoint
from burnish.loops.effort import PRESETS, Effort
from burnish.loops.state import fold, opened
from burnish.model.agent import Request
from burnish.model.events import StepFinished
from burnish.model.outcome import Outcome
from burnish.model.step import Role
from burnish.render.plain import lines
from tests.build_loops import LoopDrive, MemoryBoard, is_checkpoint, says_result, works

DONE, COMPLETE = "ITERATION_DONE", "TASK_COMPLETE"


def issues_at_checkpoints(request: Request) -> str:
    if is_checkpoint(request):
        return says_result(passed=False, task="")
    return says_result(passed=True)


def iteration_of(request: Request) -> int:
    return int(request.variables["BURNISH_CYCLE"])


@pytest.mark.conformance("P-03", "P-42")
@pytest.mark.parametrize(
    ("effort", "rounds"), [(Effort.LOW, 0), (Effort.MEDIUM, 1), (Effort.HIGH, 2), (Effort.MAX, 6)]
)
def test_more_effort_brings_more_checkpoints_at_most_one_each_iteration(
    tmp_path: Path, effort: Effort, rounds: int
) -> None:
    board = MemoryBoard("loop-1", interval=PRESETS[effort].checkpoint_interval)
    drive = LoopDrive(
        tmp_path, works(*[DONE] * 6, COMPLETE), review=issues_at_checkpoints, effort=effort, board=board,
        max_iterations=9,
    )  # fmt: skip
    assert drive.run().passed
    assert len(drive.checkpoints) == rounds
    assert len(drive.reviews) == 1


@pytest.mark.conformance("P-43")
def test_when_one_loop_is_due_all_are_looked_at_at_once_also_in_mid_iteration(tmp_path: Path) -> None:
    async def both() -> tuple[LoopDrive, LoopDrive]:
        board = MemoryBoard("loop-1", "loop-2", interval=3)
        looked_at, slow_began = asyncio.Event(), asyncio.Event()

        async def quick(request: Request) -> str:
            if iteration_of(request) == 3:
                await slow_began.wait()
            return str(works(DONE, DONE, DONE, COMPLETE)(request))

        async def slow(request: Request) -> str:
            if iteration_of(request) == 2:
                slow_began.set()
                # Ends only when its reviewer was asked: not at once would be never.
                await looked_at.wait()
            return str(works(DONE, COMPLETE)(request))

        def review_slow(request: Request) -> str:
            looked_at.set()
            return says_result(passed=True, loop="loop-2", task="")

        one = LoopDrive(tmp_path / "1", quick, board=board, effort=Effort.HIGH)
        two = LoopDrive(
            tmp_path / "2", slow, review=review_slow, board=board, loop="loop-2", effort=Effort.HIGH
        )
        await asyncio.wait_for(asyncio.gather(one.drive(), two.drive()), 60)
        return one, two

    one, two = asyncio.run(both())
    (own,), (other,) = one.checkpoints, two.checkpoints
    assert own.tree == one.memory.results["implement//3//1"].tree
    assert other.tree == two.memory.results["implement//1//1"].tree
    seen = two.memory.results["review//1/checkpoint/1"]
    assert (seen.iteration, seen.during) == (1, 2)


def test_a_checkpoint_that_passes_does_not_pass_the_loop(tmp_path: Path) -> None:
    board = MemoryBoard("loop-1", interval=1)
    drive = LoopDrive(
        tmp_path, works(DONE), review=lambda request: says_result(passed=True, task=""), board=board,
        max_iterations=3,
    )  # fmt: skip
    ending = drive.run()
    assert len(drive.checkpoints) == 2
    assert ending.stop.outcome is Outcome.STOPPED
    assert ending.history.reviews == ()
    assert fold(opened(drive.part), drive.memory.recorded).last_review_id is None


def test_what_a_checkpoint_finds_stands_in_the_next_prompt_and_only_there(tmp_path: Path) -> None:
    board = MemoryBoard("loop-1", interval=2)
    drive = LoopDrive(tmp_path, works(DONE, DONE, DONE, COMPLETE), review=issues_at_checkpoints, board=board)
    assert drive.run().passed
    told = ["What a checkpoint review says" in request.prompt for request in drive.iterations]
    assert told == [False, False, True, False]
    assert "- app.py:2: never used [dead-code] Suggested: remove it" in drive.iterations[2].prompt


def test_a_failed_iteration_leaves_what_it_was_told_to_the_next(tmp_path: Path) -> None:
    def builds(request: Request) -> object:
        if iteration_of(request) == 3:
            raise AgentFailed("crashed")
        return works(DONE, DONE, "", COMPLETE)(request)

    board = MemoryBoard("loop-1", interval=2)
    drive = LoopDrive(tmp_path, builds, review=issues_at_checkpoints, board=board)  # type: ignore[arg-type]
    drive.run()
    told = ["never used" in request.prompt for request in drive.iterations]
    assert told == [False, False, True, True]


def test_a_checkpoint_is_reported_without_a_task_and_says_that_it_is_not_complete(tmp_path: Path) -> None:
    board = MemoryBoard("loop-1", "loop-2", interval=1)
    drive = LoopDrive(tmp_path, works(DONE, COMPLETE), review=issues_at_checkpoints, board=board)
    drive.run()
    (checkpoint,) = drive.checkpoints
    assert "CHECKPOINT REVIEW" in checkpoint.prompt
    assert "The task is NOT yet complete" in checkpoint.prompt
    assert '"loopId": "loop-1"' in checkpoint.prompt
    assert '"taskId": "task-1"' not in checkpoint.prompt
    assert "- Loop loop-2 (in_progress): Working on the task of loop-2, iteration 1" in checkpoint.prompt
    (review,) = drive.reviews
    assert '"taskId": "task-1"' in review.prompt


def test_a_round_is_owed_until_there_is_something_to_look_at(tmp_path: Path) -> None:
    async def drive() -> LoopDrive:
        board = MemoryBoard("loop-1", "loop-2", interval=9)
        await board.call()
        loop = LoopDrive(tmp_path, works(DONE, COMPLETE), review=issues_at_checkpoints, board=board)
        await loop.drive()
        return loop

    loop = asyncio.run(drive())
    (checkpoint,) = loop.checkpoints
    assert checkpoint.tree == loop.memory.results["implement//1//1"].tree


def test_a_reviewer_that_fails_at_a_checkpoint_does_not_stop_the_loop(tmp_path: Path) -> None:
    def review(request: Request) -> str:
        if is_checkpoint(request):
            raise AgentFailed("no model")
        return says_result(passed=True)

    board = MemoryBoard("loop-1", interval=1)
    drive = LoopDrive(tmp_path, works(DONE, COMPLETE), review=review, board=board)
    assert drive.run().passed
    found = drive.memory.results["review//1/checkpoint/1"]
    assert isinstance(found, Checkpoint)
    assert found.trouble == "no model"


def test_words_that_do_not_fit_at_a_checkpoint_are_asked_for_once_more(tmp_path: Path) -> None:
    def review(request: Request) -> str:
        if is_checkpoint(request) and request.variables["BURNISH_ASK"] == "1":
            return "looks good"
        return issues_at_checkpoints(request)

    board = MemoryBoard("loop-1", interval=1)
    drive = LoopDrive(tmp_path, works(DONE, COMPLETE), review=review, board=board)
    assert drive.run().passed
    assert len(drive.checkpoints) == 2
    assert "could not be used" in drive.checkpoints[1].prompt
    assert "never used" in drive.iterations[1].prompt


def test_a_killed_iteration_is_taken_up_again_without_asking_for_its_checkpoint_twice(tmp_path: Path) -> None:
    board = MemoryBoard("loop-1", interval=1)
    drive = LoopDrive(tmp_path, works(DONE, COMPLETE), review=issues_at_checkpoints, board=board)
    first = drive.run()
    del board.called_rounds[1:]
    drive.killed_after("review//1/checkpoint/1")
    again = drive.run()
    assert again.passed
    assert len(drive.checkpoints) == 1
    assert "never used" in drive.iterations[-1].prompt
    assert again.history.tree == first.history.tree


def test_a_round_called_before_a_crash_is_answered_for_the_last_finished_tree(tmp_path: Path) -> None:
    drive = LoopDrive(tmp_path, works(DONE, DONE, COMPLETE), review=issues_at_checkpoints)
    drive.board = MemoryBoard("loop-1", interval=9)
    drive.run()
    drive.killed_after("implement//2//1")
    last = drive.memory.results["implement//2//1"]
    drive.board.called_rounds.append(("loop-1",))
    assert drive.run().passed
    (checkpoint,) = drive.checkpoints
    assert checkpoint.tree == last.tree
    assert "never used" in drive.iterations[-1].prompt


def test_a_cancelled_loop_leaves_no_work_behind_and_keeps_what_was_written(tmp_path: Path) -> None:
    async def cut() -> LoopDrive:
        board, busy = MemoryBoard("loop-1", interval=9), asyncio.Event()

        async def hangs(request: Request) -> str:
            if iteration_of(request) == 1:
                return str(works(DONE)(request))
            (request.workspace / "app.py").write_text("half")
            await board.call()
            await asyncio.Event().wait()
            return ""

        async def review(request: Request) -> str:
            busy.set()
            await asyncio.Event().wait()
            return ""

        drive = LoopDrive(tmp_path, hangs, review=review, board=board)
        task = asyncio.create_task(drive.drive())
        await asyncio.wait_for(busy.wait(), 60)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        others = asyncio.all_tasks() - {asyncio.current_task()}
        assert others == set()
        return drive

    drive = asyncio.run(cut())
    (tree,) = drive.workspaces.kept.values()
    assert drive.workspaces.trees[tree]["app.py"] == "half"


def test_checkpoints_are_no_reviews_to_anybody_who_counts_them(tmp_path: Path) -> None:
    board = MemoryBoard("loop-1", interval=1)
    drive = LoopDrive(tmp_path, works(DONE, COMPLETE), review=issues_at_checkpoints, board=board)
    ending = drive.run()
    kinds = [
        event.result_type
        for event in drive.memory.events
        if isinstance(event, StepFinished) and event.step.role is Role.REVIEW
    ]
    assert kinds == ["Checkpoint", "Review"]
    assert len(ending.history.reviews) == 1
    assert board.posts == [("loop-1", 1, ""), ("loop-1", 2, "in review")]


def test_a_tree_that_was_looked_at_is_not_looked_at_again(tmp_path: Path) -> None:
    async def drive() -> LoopDrive:
        board, looked_at = MemoryBoard("loop-1", "loop-2", interval=9), asyncio.Event()

        async def builds(request: Request) -> str:
            if iteration_of(request) == 2:
                await board.call()
                await board.call()
                await looked_at.wait()
            return str(works(DONE, DONE, COMPLETE)(request))

        def review(request: Request) -> str:
            looked_at.set()
            return issues_at_checkpoints(request)

        loop = LoopDrive(tmp_path, builds, review=review, board=board)
        assert (await asyncio.wait_for(loop.drive(), 60)).passed
        return loop

    loop = asyncio.run(drive())
    assert len(loop.checkpoints) == 1
    first, second = (loop.memory.results[f"review//{number}/checkpoint/1"] for number in (1, 2))
    assert (first.same_as, second.same_as, second.review) == (0, 1, None)
    assert (first.iteration, first.during) == (1, 2)
    assert ["never used" in request.prompt for request in loop.iterations] == [False, False, True]


def test_a_checkpoint_is_told_in_a_line_that_does_not_sound_like_a_pass(tmp_path: Path) -> None:
    board = MemoryBoard("loop-1", interval=1)
    drive = LoopDrive(tmp_path, works(DONE, COMPLETE), review=issues_at_checkpoints, board=board)
    drive.run()
    told = [line for event in drive.memory.events for line in lines("r-memory", event)]
    assert "[1] checkpoint after iteration 1: 1 high" in told


def test_rounds_of_an_earlier_attempt_are_not_owed_by_the_next(tmp_path: Path) -> None:
    board = MemoryBoard("loop-1", interval=9)
    board.called_rounds += [("loop-1",), ("loop-1",)]
    drive = LoopDrive(tmp_path, works(DONE, COMPLETE), review=issues_at_checkpoints, board=board)
    drive.part = replace(drive.part, rounds_before=2)
    assert drive.run().passed
    assert drive.checkpoints == []
