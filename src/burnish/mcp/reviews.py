"""Reviews that go on while the host agent does something else: each in a thread with a loop of its own."""

from __future__ import annotations

import asyncio
import contextvars
import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field

from burnish.app.request import ReviewRequest
from burnish.app.review import Reviewed, review
from burnish.errors import BurnishError, UsageError
from burnish.model.events import Recorded

MOST_AT_ONCE = 4
MOST_KEPT = 100
STOP_S = 20.0


@dataclass
class Job:
    """`run` is known once the run is recorded; `done` holds the end, or what went wrong."""

    request: ReviewRequest
    run: Future[str] = field(default_factory=Future)
    done: Future[Reviewed] = field(default_factory=Future)
    _stop: Callable[[], object] = lambda: None

    def work(self) -> None:
        """In a thread of its own: a review has moments in which nothing else could be answered."""
        try:
            self.done.set_result(asyncio.run(self._review()))
        except (BurnishError, OSError, asyncio.CancelledError) as error:
            self.done.set_exception(error)
        finally:
            if not self.done.done():
                self.done.set_exception(UsageError("the review broke off.", hint="see the server's stderr"))
            if not self.run.done():
                self.run.set_exception(self.done.exception() or UsageError("the review never began."))

    async def _review(self) -> Reviewed:
        task, loop = asyncio.current_task(), asyncio.get_running_loop()
        assert task is not None
        self._stop = lambda: loop.call_soon_threadsafe(task.cancel)
        return await review(self.request, self._heard)

    def _heard(self, recorded: Recorded) -> None:
        if not self.run.done():
            self.run.set_result(recorded.run)

    def stop(self) -> None:
        # Its loop may be closed already.
        with suppress(RuntimeError):
            self._stop()


class Reviews:
    """Those of one server. When it ends they are interrupted, and `burnish resume` goes on with them."""

    def __init__(self) -> None:
        self._jobs: dict[str, Job] = {}
        self._at_work: dict[threading.Thread, Job] = {}

    async def start(self, request: ReviewRequest) -> str:
        """The id of the run. Raises BurnishError where there is nothing to review, or too much at once."""
        self._at_work = {thread: job for thread, job in self._at_work.items() if thread.is_alive()}
        if len(self._at_work) >= MOST_AT_ONCE:
            raise UsageError(
                f"{MOST_AT_ONCE} reviews are at work already.", hint="review_status tells when one has ended"
            )
        job, context = Job(request), contextvars.copy_context()
        thread = threading.Thread(target=context.run, args=(job.work,), name="review")
        self._at_work[thread] = job
        thread.start()
        run = await asyncio.wrap_future(job.run)
        self._jobs[run] = job
        for old in list(self._jobs)[:-MOST_KEPT]:
            del self._jobs[old]
        return run

    async def ended(self, run: str) -> Reviewed | None:
        """What a finished run came to, where it was one of ours: its end is recorded before its report is."""
        job = self._jobs.get(run)
        if job is None:
            return None
        await asyncio.wait({asyncio.wrap_future(job.done)}, timeout=STOP_S)
        return job.done.result() if job.done.done() and job.done.exception() is None else None

    def trouble(self, run: str) -> str:
        job = self._jobs.get(run)
        error = job.done.exception() if job is not None and job.done.done() else None
        return str(error) if error is not None else ""

    async def close(self) -> None:
        for job in self._at_work.values():
            job.stop()
        for thread in self._at_work:
            await asyncio.to_thread(thread.join, STOP_S)
