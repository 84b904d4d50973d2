"""Several pieces of work at once, but no more than a given number; the first accident ends them all."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import TypeVar

from burnish.errors import BurnishError

T = TypeVar("T")


async def side_by_side(limit: int, works: Iterable[Callable[[], Awaitable[T]]]) -> tuple[T, ...]:
    """The results in the order of the works. What one raises is raised, after the others have ended."""
    turn = asyncio.Semaphore(limit)

    async def one(work: Callable[[], Awaitable[T]]) -> T:
        async with turn:
            return await work()

    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(one(work)) for work in works]
    except BaseExceptionGroup as several:
        # One sentence for the user: an error raised on purpose says more than what followed from it.
        told = [error for error in several.exceptions if isinstance(error, BurnishError)]
        raise (told or several.exceptions)[0] from None
    return tuple(task.result() for task in tasks)
