"""Runs in this process: at most so many at once, each of them can be cancelled, waiting or working."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from burnish.errors import RunBusy
from burnish.model.exit_codes import ExitCode


class LocalDispatch:
    """ports.Dispatch over tasks of one event loop."""

    def __init__(self, at_once: int = 1) -> None:
        if at_once < 1:
            raise ValueError(f"at least one run at once, not {at_once}")
        self._slots = asyncio.Semaphore(at_once)
        self._tasks: dict[str, asyncio.Task[int]] = {}

    async def submit(self, run_id: str, work: Callable[[], Awaitable[int]]) -> int:
        """Do the work when there is room, and give its exit code; 130 when the run was cancelled."""
        if run_id in self._tasks:
            raise RunBusy(f"run {run_id} is already at work in this process", hint="wait for it")
        task = self._tasks[run_id] = asyncio.ensure_future(self._bounded(work))
        try:
            return await task
        except asyncio.CancelledError:
            caller = asyncio.current_task()
            if caller is not None and caller.cancelling():
                raise
            return ExitCode.INTERRUPTED
        finally:
            del self._tasks[run_id]

    async def cancel(self, run_id: str) -> None:
        """Come back when the run has cleaned up after itself; a run that is not here needs nothing."""
        task = self._tasks.get(run_id)
        if task is not None:
            task.cancel()
            await asyncio.wait({task})

    async def _bounded(self, work: Callable[[], Awaitable[int]]) -> int:
        async with self._slots:
            return await work()
