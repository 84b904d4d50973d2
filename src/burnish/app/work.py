"""Tasks of the queue at work: claimed one by one, so many at once, each driven to its end by its run."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable
from dataclasses import dataclass, field

from burnish.app.launch import request_for
from burnish.app.queue_place import QueuePlace
from burnish.app.start import Hooks, resume, start
from burnish.app.task_files import TaskFiles
from burnish.errors import BurnishError, RunBusy
from burnish.model.exit_codes import ExitCode
from burnish.model.queue import QueueTask, TaskState, TaskView
from burnish.ports import Listener
from burnish.store.queries import run_events, run_ids
from burnish.store.queue import Claim

POLL_S = 2.0
# Ends that say something about the machine or the agents, not about the task.
INFRASTRUCTURE = frozenset(
    {"implementer_failed", "reviewer_failed", "fixer_failed", "gate_unusable", "not_started"}
)

Show = Callable[[QueueTask], Listener]


@dataclass(frozen=True)
class Wanted:
    """`numbers` None is the whole queue; `most` is how many tasks to take; `watch` waits for new ones."""

    numbers: frozenset[int] | None = None
    most: int | None = None
    jobs: int = 1
    watch: bool = False
    stop_after: int = 3


@dataclass
class Tally:
    """What came of it so far."""

    ended: list[TaskView] = field(default_factory=list)
    failures_in_a_row: int = 0
    stopped: str = ""

    def add(self, view: TaskView, stop_after: int) -> None:
        self.ended.append(view)
        broken = view.state is TaskState.FAILED and view.reason in INFRASTRUCTURE
        self.failures_in_a_row = self.failures_in_a_row + 1 if broken else 0
        if self.failures_in_a_row >= stop_after:
            self.stopped = (
                f"{self.failures_in_a_row} tasks in a row failed for want of something outside of them "
                f"(the last: #{view.number}, {view.message or view.reason}); nothing more is started"
            )


@dataclass(frozen=True)
class Pool:
    """`show` makes the listener that shows a task's events; `hooks` is for whoever watches side effects."""

    here: QueuePlace
    show: Show
    hooks: Hooks = field(default_factory=lambda: Hooks(own_signals=False))

    async def work(self, wanted: Wanted) -> Tally:
        """Until nothing is ready any more. A signal stops every run resumably and comes back at once."""
        tally = Tally()
        main = asyncio.current_task()
        assert main is not None
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            loop.add_signal_handler(number, main.cancel)
        try:
            await self._until_done(wanted, tally)
        finally:
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                loop.remove_signal_handler(number)
        return tally

    async def _until_done(self, wanted: Wanted, tally: Tally) -> None:
        running: set[asyncio.Task[TaskView]] = set()
        taken = 0
        try:
            while True:
                room = len(running) < wanted.jobs and (wanted.most is None or taken < wanted.most)
                claim = await self._claim(wanted) if room and not tally.stopped else None
                if claim is not None:
                    taken += 1
                    running.add(asyncio.ensure_future(self._drive(claim)))
                elif running:
                    done, running = await asyncio.wait(
                        running, return_when=asyncio.FIRST_COMPLETED, timeout=POLL_S if room else None
                    )
                    for task in done:
                        tally.add(task.result(), wanted.stop_after)
                elif wanted.watch and not tally.stopped:
                    await asyncio.sleep(POLL_S)
                else:
                    return
        finally:
            for task in running:
                task.cancel()
            await asyncio.gather(*running, return_exceptions=True)

    async def _claim(self, wanted: Wanted) -> Claim | None:
        known = run_ids(self.here.database)
        place = self.here.place

        def taken(name: str) -> bool:
            return name in known or place.run_folder(name).exists()

        return await asyncio.to_thread(self.here.queue.claim, wanted.numbers, taken)

    async def _drive(self, claim: Claim) -> TaskView:
        """One task to its end. Whatever goes wrong is in the task's state, from which `retry` works."""
        error = output = branch = ""
        try:
            await self._run(claim)
            view = self.here.queue.find(claim.task.number)
            branch, output = view.branch, self._words(claim)
        except RunBusy as busy:
            error = ""  # somebody else took the run over: it is theirs
            self._tell(claim, busy.message)
        except BurnishError as trouble:
            begun = claim.run_id in run_ids(self.here.database)
            error = "" if begun else trouble.message
            self._tell(claim, trouble.message)
        finally:
            await asyncio.to_thread(
                lambda: self.here.queue.give_up(claim, error=error, branch=branch, output=output)
            )
        return self.here.queue.find(claim.task.number)

    async def _run(self, claim: Claim) -> None:
        files = TaskFiles(self.here.place, claim.task)
        shown = self.show(claim.task)

        def listener(recorded: object) -> None:
            files(recorded)  # type: ignore[arg-type]
            shown(recorded)  # type: ignore[arg-type]

        if claim.run_id in run_ids(self.here.database):
            files.catch_up(run_events(self.here.database, claim.run_id))
            await resume(claim.run_id, listener, self.hooks)
        else:
            await start(await request_for(self.here, claim), listener, self.hooks)

    def _words(self, claim: Claim) -> str:
        """What a plan or an exploration came to; other tasks leave code."""
        if claim.task.task_type.writes:
            return ""
        for entry in reversed(run_events(self.here.database, claim.run_id)):
            result = getattr(entry.event, "result", None)
            if isinstance(result, dict) and (said := result.get("said") or result.get("text")):
                return str(said)
        return ""

    def _tell(self, claim: Claim, message: str) -> None:
        self.hooks.on_point(f"trouble:{claim.task.number}:{message}")


def exit_code_of(tally: Tally) -> ExitCode:
    """The worst of what happened: failed, then needs a person, then stopped; complete is fine (G-41)."""
    states = {view.state for view in tally.ended}
    if TaskState.FAILED in states:
        person = all(view.outcome == "escalated" for view in tally.ended if view.state is TaskState.FAILED)
        return ExitCode.NEEDS_PERSON if person else ExitCode.FAILED
    if any(view.final_verdict == "NEEDS_DISCUSSION" for view in tally.ended):
        return ExitCode.NEEDS_PERSON
    if TaskState.INTERRUPTED in states or TaskState.CANCELLED in states:
        return ExitCode.INTERRUPTED
    return ExitCode.OK
