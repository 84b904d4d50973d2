"""One slot of an iteration: its task picked, its run driven to the end, what passed put onto the branch."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from functools import partial

from burnish.app.merge_line import Candidate, Merge, Merged, conflict_prompt
from burnish.app.slots_bench import SlotBench
from burnish.app.slots_ends import Asks, named, slot_ended
from burnish.app.slots_facts import (
    CLOSE,
    END,
    KEEP,
    MERGE,
    PICK,
    Closed,
    Picked,
    SlotEnded,
    step_of,
)
from burnish.app.slots_files import SlotFiles
from burnish.app.slots_request import slot_request
from burnish.app.spec_facts import Begun
from burnish.app.spec_join import keep_phase
from burnish.app.start import free_id, resume, start
from burnish.config.slot_settings import Picks
from burnish.model.events import Recorded, StepFinished
from burnish.model.run_view import RunState
from burnish.model.step import Role, Step
from burnish.slots.report import Fate, SlotReport
from burnish.slots.work_item import WorkItem
from burnish.store.clock import SystemClock
from burnish.store.leases import this_process
from burnish.store.queries import find_run, run_events, run_ids

# Work that passed and does not go together with what landed meanwhile is done once more on top of that.
MOST_ATTEMPTS = 2
# How many beads an agent that picks itself is told of, the most urgent first.
MOST_KNOWN = 200


@dataclass
class SlotWork:
    """`launched` is set as soon as the next slot may begin: this one has picked, or is over."""

    bench: SlotBench
    iteration: int
    slot: int
    launched: asyncio.Event = field(default_factory=asyncio.Event, init=False)

    async def pick(self) -> Picked:
        """What it does, remembered before anything is started; no `run` when there is nothing to do."""
        picked = await self.bench.run.do(self._step(PICK), self._pick)
        if picked.item:
            self.bench.held.add(picked.item.id)
        if self.bench.plan.picks is Picks.BURNISH:
            self.launched.set()
        return picked

    async def drive(self, picked: Picked) -> SlotReport:
        try:
            return await self._drive(picked)
        except Asks as asks:
            item = picked.item or WorkItem("", "")
            return SlotReport(
                self.iteration, self.slot, Fate.ASKS, item.id, item.title, asks.run, why=str(asks)
            )
        finally:
            self.launched.set()

    async def _drive(self, picked: Picked) -> SlotReport:
        for attempt in range(1, MOST_ATTEMPTS + 1):
            ended = await self.bench.run.do(self._step(END, attempt), self._child, picked)
            if ended.item:
                self.bench.held.add(ended.item)
            self.launched.set()
            report = self._report(picked, ended)
            if not ended.lands:
                return await self._keep(picked, ended, report)
            merged = await self._merge(picked, ended, report.title)
            if merged.fate is Merge.LANDED:
                return await self._settle(picked, report, merged)
            if attempt < MOST_ATTEMPTS:
                text = f"slot {self.slot} does {report.item or picked.run} again on top: {merged.message}"
                await self.bench.run.note(f"again/{self.iteration}/{self.slot}", text)
                known = replace(picked, item=_item(picked, report.item))
                again = partial(self._pick_again, known, conflict_prompt(report.title, merged))
                picked = await self.bench.run.do(self._step(PICK, attempt + 1), again)
        return await self._keep(picked, ended, replace(report, fate=Fate.FAILED, why=merged.message))

    async def _pick(self) -> Picked:
        bench = self.bench
        free, at = await bench.pickable(), SystemClock().now()
        if bench.plan.picks is Picks.AGENT:
            run = free_id(bench.place, bench.database) if free else ""
            ground = await bench.ground() if free else ""
            taken = tuple(sorted(bench.held))
            return Picked(self.slot, run, ground, at, known=free[:MOST_KNOWN], taken=taken)
        for item in free:
            run_id = await bench.source.claim(item)
            if run_id is not None:
                run_id = run_id or free_id(bench.place, bench.database)
                return Picked(self.slot, run_id, await bench.ground(), at, item)
        return Picked(self.slot)

    async def _pick_again(self, picked: Picked, conflict: str) -> Picked:
        bench = self.bench
        run_id, at = free_id(bench.place, bench.database), SystemClock().now()
        item, known, taken = picked.item, picked.known, picked.taken
        ground = await bench.ground()
        return Picked(self.slot, run_id, ground, at, item, known, taken, picked.attempt + 1, conflict)

    async def _child(self, picked: Picked) -> SlotEnded:
        """The run of the slot, begun or taken up again, to its end."""
        bench, past = self.bench, run_events(self.bench.database, picked.run)
        files = SlotFiles(bench.place.repository.root, self.iteration, picked)
        files.catch_up(past)
        shown = bench.show(picked, past)

        def listener(recorded: Recorded) -> None:
            files(recorded)
            shown(recorded)
            self._heard(picked, recorded)

        if picked.item and picked.attempt == 1:
            await bench.source.claim(picked.item)
        if picked.run not in run_ids(bench.database):
            request = slot_request(bench.plan, self.iteration, picked, bench.run.id)
            await start(request, listener, bench.hooks)
        elif find_run(bench.database, picked.run, this_process()).state is not RunState.FINISHED:
            await resume(picked.run, listener, bench.hooks)
        if files.trouble:
            await bench.run.note(f"files/{files.trouble}", f"logs are incomplete: {files.trouble}")
        return slot_ended(bench.database, picked, bench.plan)

    def _heard(self, picked: Picked, recorded: Recorded) -> None:
        """What an agent picked itself is known when it has worked; from then on it is this slot's."""
        match recorded.event:
            case StepFinished(Step(Role.IMPLEMENT), "Change", change) if picked.item is None:
                if name := named(picked, str(change["said"])):
                    self.bench.held.add(name)
                self.launched.set()
            case _:
                pass

    async def _merge(self, picked: Picked, ended: SlotEnded, title: str) -> Merged:
        target = await self.bench.target()
        # What an agent picked itself is known only now, and its commit does not name it.
        retitled = picked.item is None and bool(title)
        candidate = Candidate(picked.run, picked.base, ended.commit, title, retitled)
        merged = await self.bench.run.do(self._step(MERGE, picked.attempt), self._land, target, candidate)
        if merged.fate is Merge.LANDED:
            self.bench.landed = merged.commit
        return merged

    async def _land(self, target: str, candidate: Candidate) -> Merged:
        merged = await self.bench.line.land(target, candidate)
        if merged.fate is Merge.GONE:
            # Not remembered: when the branch is there again, this goes on.
            raise self.bench.gone(target)
        return merged

    async def _settle(self, picked: Picked, report: SlotReport, merged: Merged) -> SlotReport:
        branch = await self.bench.target()
        item = _item(picked, report.item)
        if item:
            self.bench.done.add(item.id)
            self.bench.held.discard(item.id)
            closed = await self.bench.run.do(self._step(CLOSE), self._close, item, branch)
            if closed.trouble:
                await self.bench.run.note(f"close/{item.id}", f"not told to the tracker: {closed.trouble}")
        return replace(report, landed=merged.commit, branch=branch)

    async def _close(self, item: WorkItem, branch: str) -> Closed:
        return Closed(await self.bench.source.settle(item, branch))

    async def _keep(self, picked: Picked, ended: SlotEnded, report: SlotReport) -> SlotReport:
        """Work that does not land, under a name that says so; its task can be picked again."""
        bench, prefix = self.bench, self.bench.spec.branch_prefix
        name = f"{prefix}unapproved/slots-{bench.run.id}-iter-{self.iteration:03d}-agent-{self.slot:02d}"
        keep = partial(keep_phase, decorate=bench.hooks.decorate)
        begun = Begun(picked.run, picked.base, picked.base)
        kept = await bench.run.do(self._step(KEEP), keep, bench.place, name, begun, ended.commit)
        # What another slot has stays with it, whatever this one took it for.
        if ended.item not in picked.taken:
            bench.held.discard(ended.item)
        if picked.item:
            await bench.source.settle(picked.item, kept.branch)
        return replace(report, branch=kept.branch)

    def _report(self, picked: Picked, ended: SlotEnded) -> SlotReport:
        item = _item(picked, ended.item)
        return SlotReport(
            self.iteration,
            self.slot,
            ended.fate,
            ended.item,
            item.title if item else "",
            picked.run,
            why=ended.why,
            reviews=ended.reviews,
            fixes=ended.fixes,
            stop=ended.stop,
            retry_s=ended.retry_s,
        )

    def _step(self, part: str, attempt: int = 1) -> Step:
        return step_of(self.iteration, self.slot, part, attempt)


def _item(picked: Picked, name: str) -> WorkItem | None:
    return picked.item or next((item for item in picked.known if item.id == name), None)
