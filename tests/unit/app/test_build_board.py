"""The board of a build: an attempt counts its own iterations, whatever an earlier one was reviewed at."""

from __future__ import annotations

import asyncio

from burnish.app.build_board import BuildBoard
from burnish.store.memory import MemoryRun


def test_another_attempt_is_due_after_as_many_iterations_as_the_first_was() -> None:
    async def scenario() -> BuildBoard:
        board = BuildBoard(MemoryRun("r-build"), interval=3)
        board.join("loop-1", "Add a check")
        for iteration in (1, 2, 3):
            await board.post("loop-1", iteration, "")
        board.again("loop-1", rounds_before=1)
        for iteration in (1, 2, 3):
            await board.post("loop-1", iteration, "")
        return board

    board = asyncio.run(scenario())
    assert [one.loops for one in board.called_rounds.values()] == [{"loop-1": 3}, {"loop-1": 3}]


def test_an_attempt_taken_up_again_is_not_due_at_once() -> None:
    async def scenario() -> BuildBoard:
        board = BuildBoard(MemoryRun("r-build"), interval=3)
        board.join("loop-1", "Add a check")
        for iteration in (1, 2, 3):
            await board.post("loop-1", iteration, "")
        # As after a restart: it posts again what it did.
        board.again("loop-1", rounds_before=0)
        for iteration in (1, 2, 3, 4, 5):
            await board.post("loop-1", iteration, "")
        return board

    assert len(asyncio.run(scenario()).called_rounds) == 1
