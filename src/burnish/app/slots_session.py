"""A session of slots: iteration by iteration, so many slots at once, until nothing is left or one failed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from burnish import codec
from burnish.agents._limited import Places
from burnish.app.dossier_folder import Folder
from burnish.app.execute import CANCELLED
from burnish.app.merge_line import MergeLine
from burnish.app.place import find_place
from burnish.app.signals import stopped_by_signals
from burnish.app.slots_bench import Show, SlotBench
from burnish.app.slots_end import ask_people, conclude
from burnish.app.slots_facts import OVER, Over, step_of
from burnish.app.slots_open import OpenedSlots, SlotsRequest, open_slots
from burnish.app.slots_slot import SlotWork
from burnish.app.slots_source import source_of
from burnish.app.start import Hooks
from burnish.errors import BurnishError
from burnish.model.events import Recorded
from burnish.model.exit_codes import ExitCode
from burnish.ports import Listener
from burnish.slots.report import Next, SlotReport, SlotsReport, after
from burnish.store.clock import SystemClock
from burnish.store.database import Database, open_database
from burnish.store.queries import run_events, run_steps

STATE_FILE = "iteration.json"


def _unseen(past: Sequence[Recorded]) -> None:
    """Nobody wants to know."""


@dataclass(frozen=True)
class Front:
    """How a session speaks with people: its own events, and those of each slot's run.

    `past` is given all that was recorded of the session so far, when it is opened.
    """

    listener: Listener
    show: Show
    past: Callable[[Sequence[Recorded]], None] = _unseen


async def run_slots(request: SlotsRequest, front: Front, hooks: Hooks | None = None) -> SlotsReport:
    """Begin a session or go on with one. A signal stops every slot resumably."""
    main = asyncio.current_task()
    assert main is not None
    with stopped_by_signals(main.cancel):
        place = await find_place()
        await place.repository.resolve("HEAD")
        with closing(open_database(place.database)) as database:
            settings = (await place.settings(place.repository.head)).settings
            watched = replace(
                hooks or Hooks(), own_signals=False, places=Places(settings.work.agents_at_once)
            )
            opened = await open_slots(place, database, request, front.listener, watched)
            async with opened.run:
                front.past(run_events(database, opened.run.id))
                line = MergeLine(place, opened.spec, decorate=watched.decorate)
                source = source_of(place, database, opened.plan)
                bench = SlotBench(
                    place, database, opened.run, opened.spec, opened.plan, source, line, front.show, watched,
                    _filled(database, opened.run.id),
                )  # fmt: skip
                return await _unless_cancelled(_Session(bench), opened)


async def _unless_cancelled(session: _Session, opened: OpenedSlots) -> SlotsReport:
    try:
        return await session.drive()
    except asyncio.CancelledError:
        if await opened.run.cancel_requested():
            await opened.run.end(CANCELLED, ExitCode.INTERRUPTED)
        raise


class _Session:
    def __init__(self, bench: SlotBench) -> None:
        self._bench = bench
        self._reports: list[SlotReport] = []
        self._folder = Folder(bench.place.repository.root, "")

    async def drive(self) -> SlotsReport:
        """Every iteration that is over is remembered, so going on is going through all of them again."""
        iteration, most, left, step = 0, self._bench.plan.iterations, None, Next.GO_ON
        while True:
            if most is not None and iteration >= most:
                last = Next.FAILED if step is Next.WAIT else step
                return await conclude(self._bench, self._reports, iteration, last, left)
            iteration += 1
            self._write_state(iteration)
            slots = await self._fill(iteration)
            self._reports += slots
            if after(slots, None)[0] is Next.ASKS:
                return await ask_people(self._bench, self._reports, iteration)
            over = await self._bench.run.do(step_of(iteration, 0, OVER), self._over, slots)
            left, (step, _) = over.left, after(slots, over.left)
            if step not in (Next.GO_ON, Next.WAIT):
                return await conclude(self._bench, self._reports, iteration, step, left)
            await self._pause(iteration, over)

    async def _fill(self, iteration: int) -> list[SlotReport]:
        """The slots of an iteration, each started when the one before it has picked, or is over."""
        driven: list[asyncio.Task[SlotReport]] = []
        try:
            async with asyncio.TaskGroup() as group:
                slots = self._bench.filled.get(iteration, self._bench.plan.parallel)
                for number in range(1, slots + 1):
                    work = SlotWork(self._bench, iteration, number)
                    picked = await work.pick()
                    if not picked.run:
                        break
                    driven.append(group.create_task(work.drive(picked)))
                    await work.launched.wait()
        except BaseExceptionGroup as several:
            # One sentence for the user: an error raised on purpose says more than what followed from it.
            told = [error for error in several.exceptions if isinstance(error, BurnishError)]
            raise (told or several.exceptions)[0] from None
        return [task.result() for task in driven]

    async def _over(self, slots: list[SlotReport]) -> Over:
        """What is left is asked once: whoever goes on later decides by the same."""
        bench = self._bench
        left = await bench.left()
        step, wait_s = after(slots, left)
        until = _later(SystemClock().now(), wait_s) if step is Next.WAIT else ""
        failed = sum(1 for slot in slots if slot.fate == "failed")
        return Over(len(slots), failed, left, next((slot.stop for slot in slots if slot.stop), ""), until)

    async def _pause(self, iteration: int, over: Over) -> None:
        """The rest of a delay that agents named; after a restart no more than is left of it."""
        if over.wait_until:
            text = f"iteration {iteration} failed; the next one begins at {over.wait_until[:19]}Z"
            await self._bench.run.note(f"wait/{iteration}", text)
            await _until(over.wait_until, SystemClock().now)
        elif self._bench.plan.pause_ms:
            await asyncio.sleep(self._bench.plan.pause_ms / 1000)

    def _write_state(self, iteration: int) -> None:
        state = {"current_iteration": iteration, "max_iterations": self._bench.plan.iterations}
        self._folder.write(STATE_FILE, codec.dumps(state, indent=2) + "\n")


def _filled(database: Database, session: str) -> dict[int, int]:
    """How many slots did something in each iteration that is over."""
    over = [step for step in run_steps(database, session) if step.part == OVER and step.result]
    return {step.cycle: codec.decode(str(step.result), Over).filled for step in over}


def _later(now: str, seconds: float) -> str:
    return (datetime.fromisoformat(now) + timedelta(seconds=seconds)).isoformat()


async def _until(moment: str, now: Callable[[], str]) -> None:
    left_s = (datetime.fromisoformat(moment) - datetime.fromisoformat(now())).total_seconds()
    if left_s > 0:
        await asyncio.sleep(left_s)
