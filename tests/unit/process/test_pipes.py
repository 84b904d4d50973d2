"""Pipes are read and fed without holding up the loop."""

from __future__ import annotations

import asyncio
import fcntl
import os
from pathlib import Path

from burnish.process.pipes import CHUNK_BYTES, Pipes, read_all, write_all


def test_feeding_a_reader_that_went_away_is_no_error() -> None:
    pipes = Pipes()
    pipes.close(pipes.their_stdin)
    asyncio.run(write_all(pipes.stdin, b"x" * 1_000_000))
    pipes.close()


def test_everything_else_gets_its_turn_while_a_full_pipe_is_read() -> None:
    pipes = Pipes()
    size = fcntl.fcntl(pipes.their_stdout, fcntl.F_SETPIPE_SZ, 4 * CHUNK_BYTES)
    assert os.write(pipes.their_stdout, b"x" * size) == size
    pipes.close(*pipes.theirs)
    turns = 0

    async def other() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    async def both() -> int:
        task = asyncio.create_task(other())
        taken: list[int] = []
        await read_all(pipes.stdout, lambda data: taken.append(len(data)))
        task.cancel()
        return sum(taken)

    assert asyncio.run(both()) == size
    assert turns >= 3
    pipes.close()


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def test_pipes_are_closed_once_each() -> None:
    pipes = Pipes()
    before = open_files()
    pipes.close(*pipes.theirs)
    pipes.close(*pipes.theirs)
    pipes.close()
    pipes.close()
    assert open_files() == before - 6
