"""Tasks of the queue at work: claimed one by one, so many at once, each driven to its end by its run."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from burnish.app.after_task import afterwards
from burnish.app.launch import request_for
from burnish.app.notice import Notice, about_task, about_work
from burnish.app.notify import Notifier
from burnish.app.queue_place import QueuePlace
from burnish.app.signals import stopped_by_signals
from burnish.app.start import Hooks, resume, start
from burnish.app.tally import Tally
from burnish.app.task_files import TaskFiles
from burnish.config.load import Flag
from burnish.errors import BurnishError, DayBudgetUsed
from burnish.model.events import Recorded
from burnish.model.queue import QueueTask, TaskState, TaskView
from burnish.ports import Listener
from burnish.store.queries import run_events, run_ids, wants_cancel
from burnish.store.queue import Claim

POLL_S = 1.0

Show = Callable[[QueueTask], Listener]
Say = Callable[[str], None]


@dataclass(frozen=True)
class Wanted:
    """`numbers` None is the whole queue; `most` is how many tasks to take; `watch` waits for new ones."""

    numbers: frozenset[int] | None = None
    most: int | None = None
    jobs: int = 1
    watch: bool = False
    stop_after: int = 3


@dataclass(frozen=True)
class Pool:
    """`show` makes the listener that shows a task's events, `say` tells what is no event of a run."""

    here: QueuePlace
    show: Show
    say: Say
    hooks: Hooks = field(default_factory=lambda: Hooks(own_signals=False))
    notifier: Notifier | None = None
    # Settings for tasks that say nothing about them.
    flags: Mapping[str, Flag] = field(default_factory=dict)

    async def work(self, wanted: Wanted) -> Tally:
        """Until nothing is ready any more. A signal stops every run, resumably, and is told by the tally."""
        tally, main = Tally(wanted.stop_after), asyncio.current_task()
        assert main is not None

        def stop() -> None:
            tally.signalled = True
            main.cancel()

        with stopped_by_signals(stop):
            try:
                await self._until_done(wanted, tally)
            except asyncio.CancelledError:
                if not tally.signalled:
                    raise
        if tally.ended:
            await self._notify(about_work(tally.ended, tally.stopped, self._repository, self._now))
        return tally

    async def _until_done(self, wanted: Wanted, tally: Tally) -> None:
        running: dict[asyncio.Task[None], Claim] = {}
        try:
            while True:
                room = len(running) < wanted.jobs and not tally.full(wanted.most, len(running))
                claim = await self._claim(wanted, tally) if room else None
                if claim is not None:
                    running[asyncio.ensure_future(self._drive(claim, tally))] = claim
                elif running:
                    await self._wait(running, tally)
                elif wanted.watch and not tally.stopped:
                    await asyncio.sleep(POLL_S)
                else:
                    return
        finally:
            for task in running:
                task.cancel()
            await asyncio.gather(*running, return_exceptions=True)
            for claim in running.values():
                tally.add(self.here.queue.find(claim.task.number))

    async def _wait(self, running: dict[asyncio.Task[None], Claim], tally: Tally) -> None:
        """Until one is over, or for a moment: somebody may have cancelled one, or added another."""
        done, _ = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED, timeout=POLL_S)
        for task in done:
            claim = running.pop(task)
            if not task.cancelled() and (error := task.exception()) is not None:
                raise error
            view = self.here.queue.find(claim.task.number)
            tally.add(view)
            await self._notify(about_task(view, self._repository, self._now))
        if not done:
            unwanted = wants_cancel(self.here.database, [claim.run_id for claim in running.values()])
            for task, claim in running.items():
                if claim.run_id in unwanted:
                    task.cancel()

    async def _claim(self, wanted: Wanted, tally: Tally) -> Claim | None:
        known = run_ids(self.here.database)
        place = self.here.place

        def taken(name: str) -> bool:
            return name in known or place.run_folder(name).exists()

        while (ended := await asyncio.to_thread(self.here.queue.unsettled)) is not None:
            await self._settle(ended)
        # What was cut short here once (a spent budget, a full disk) would be so again.
        tried = frozenset(view.number for view in tally.ended if view.state is not TaskState.COMPLETED)
        return await asyncio.to_thread(self.here.queue.claim, wanted.numbers, taken, tried)

    async def _drive(self, claim: Claim, tally: Tally) -> None:
        """One task to its end. Whatever goes wrong is in the task's state, from which `retry` works."""
        error = output = branch = ""
        try:
            await self._run(claim)
            branch, output = await self._left(claim)
        except DayBudgetUsed as used:
            tally.stopped = tally.stopped or used.message
        except BurnishError as trouble:
            # A run that began keeps its own record of what happened.
            begun = claim.run_id in run_ids(self.here.database)
            error = "" if begun else trouble.message
            hint = f" ({trouble.hint})" if trouble.hint else ""
            self.say(f"task #{claim.task.number}: {trouble.message}{hint}")
        finally:
            self.here.queue.give_up(claim, error=error, branch=branch, output=output)

    async def _notify(self, notice: Notice | None) -> None:
        if notice is not None and self.notifier is not None:
            for trouble in await self.notifier.tell(notice):
                self.say(trouble)

    @property
    def _repository(self) -> str:
        return str(self.here.place.repository.root)

    @property
    def _now(self) -> str:
        return self.here.queue.clock.now()

    async def _run(self, claim: Claim) -> None:
        files = TaskFiles(self.here.place, claim.task)
        shown = self.show(claim.task)

        def listener(recorded: Recorded) -> None:
            files(recorded)
            shown(recorded)

        if claim.run_id in run_ids(self.here.database):
            files.catch_up(run_events(self.here.database, claim.run_id))
            await resume(claim.run_id, listener, self.hooks)
        else:
            await start(await request_for(self.here, claim, self.flags), listener, self.hooks)
        if files.trouble:
            self.say(f"task #{claim.task.number}: {files.trouble}")

    async def _settle(self, claim: Claim) -> None:
        """What a process that died when its run had just ended would have done next."""
        files = TaskFiles(self.here.place, claim.task)
        files.catch_up(run_events(self.here.database, claim.run_id))
        branch, output = await self._left(claim)
        self.here.queue.give_up(claim, branch=branch, output=output)
        view = self.here.queue.find(claim.task.number)
        await self._notify(about_task(view, self._repository, self._now))

    async def _left(self, claim: Claim) -> tuple[str, str]:
        """The branch with its code, or its words (a plan, a review); the task that follows it is added."""
        view: TaskView = self.here.queue.find(claim.task.number)
        await afterwards(self.here, view, self.say)
        if claim.task.task_type.writes:
            return view.branch, ""
        for entry in reversed(run_events(self.here.database, claim.run_id)):
            result = getattr(entry.event, "result", None)
            if isinstance(result, dict) and (said := result.get("said") or result.get("text")):
                return "", str(said)
        return "", ""
