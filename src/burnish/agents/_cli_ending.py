"""One call of a CLI to its end, with what it has used so far counted meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from burnish.agents._cli_events import Heard
from burnish.model.agent import Usage
from burnish.process.child import Finished
from burnish.process.containment import uninterrupted

# How often what it has used is looked up, for a CLI that does not print it in time.
LOOK_S = 0.25


async def counted(
    running: asyncio.Future[Finished], meanwhile: Callable[[], Usage] | None, heard: Heard
) -> Finished:
    """The call to its end, or to where somebody who is told what it has used so far finds that too much."""
    try:
        while meanwhile is not None and not running.done():
            await asyncio.wait({running}, timeout=LOOK_S)
            heard.also_used(await asyncio.to_thread(meanwhile))
        return await running
    finally:
        if not running.done():
            running.cancel()
            await uninterrupted(ended(running))


async def ended(task: asyncio.Future[Finished]) -> None:
    await asyncio.gather(task, return_exceptions=True)


def willing(finished: Finished) -> bool:
    """It went by itself in peace, or hung after its answer until its time was over."""
    return finished.status == 0 or finished.timed_out or finished.stalled
