"""One slot of an iteration: its task picked, its run driven to the end, what passed put onto the branch."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from burnish.app.merge_line import Candidate, Merge, Merged, MergeLine, conflict_prompt
from burnish.app.place import Place
from burnish.app.slots_ends import slot_ended
from burnish.app.slots_facts import (
    BRANCH,
    CLOSE,
    END,
    KEEP,
    MERGE,
    PICK,
    Closed,
    Opened,
    Picked,
    SlotEnded,
    step_of,
)
from burnish.app.slots_files import SlotFiles
from burnish.app.slots_plan import SlotsPlan
from burnish.app.slots_request import slot_request
from burnish.app.slots_source import WorkSource
from burnish.app.spec import RunSpec
from burnish.app.spec_facts import Begun
from burnish.app.spec_join import keep_phase
from burnish.app.start import Hooks, free_id, resume, start, workspaces_of
from burnish.config.slot_settings import Picks
from burnish.errors import WorkspaceError
from burnish.git.lander import GitLander
from burnish.git.moving import tip
from burnish.model.events import Recorded
from burnish.model.run_view import RunState
from burnish.model.step import Role, Step
from burnish.ports import Lander, Listener
from burnish.slots.picking import pickable
from burnish.slots.report import Fate, SlotReport
from burnish.slots.work_item import WorkItem
from burnish.store.clock import SystemClock
from burnish.store.database import Database
from burnish.store.durable import DurableRun
from burnish.store.leases import this_process
from burnish.store.queries import find_run, run_events, run_ids

# Work that passed and does not go together with what landed meanwhile is done once more on top of that.
MOST_ATTEMPTS = 2
# Makes the listener that shows a slot's run, of which so much has happened already.
Show = Callable[[Picked, Sequence[Recorded]], Listener]


@dataclass
class SlotBench:
    """What all slots share: `run` is the session's own, `held` what slots have at this moment."""

    place: Place
    database: Database
    run: DurableRun
    spec: RunSpec
    plan: SlotsPlan
    source: WorkSource
    line: MergeLine
    show: Show
    hooks: Hooks
    held: set[str] = field(default_factory=set)
    done: set[str] = field(default_factory=set)
    # The session's own branch, once there is one, and the last commit that landed there.
    branch: str = ""
    landed: str = ""

    async def ground(self) -> str:
        """The commit that work starts from now."""
        name = self.plan.onto or self.branch
        if not name:
            return self.plan.base
        at = await tip(self.place.repository, name)
        if not at:
            raise self.gone(name)
        return at

    async def target(self) -> str:
        """The branch that everything comes together on; the session's own is made when first needed."""
        if self.plan.onto:
            return self.plan.onto
        opened = await self.run.do(Step(Role.LAND, part=BRANCH), self._open)
        self.branch = opened.branch
        return opened.branch

    def gone(self, name: str) -> WorkspaceError:
        at = self.landed or self.plan.base
        return WorkspaceError(
            f"the branch {name} is gone, and what passes has to go there.",
            hint=f"git branch {name} {at[:12]}, then burnish slots --resume",
        )

    async def _open(self) -> Opened:
        base = self.plan.base
        async with await workspaces_of(self.place, self.run.id, base) as workspaces:
            git = GitLander(self.place.repository, workspaces.store, base)
            lander: Lander = self.hooks.decorate("lander", git)
            return Opened(await lander.branch(base, self.plan.branch))


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
        finally:
            self.launched.set()

    async def _drive(self, picked: Picked) -> SlotReport:
        for attempt in range(1, MOST_ATTEMPTS + 1):
            ended = await self.bench.run.do(self._step(END, attempt), self._child, picked)
            if ended.item:
                self.bench.held.add(ended.item)
            self.launched.set()
            report = self._report(picked, ended)
            if not self._lands(ended):
                return await self._keep(picked, ended, report)
            merged = await self._merge(picked, ended, report.title)
            if merged.fate is Merge.LANDED:
                return await self._settle(picked, report, merged)
            if attempt < MOST_ATTEMPTS:
                text = f"slot {self.slot} does {report.item or picked.run} again on top: {merged.message}"
                await self.bench.run.note(f"again/{self.iteration}/{self.slot}", text)
                again = partial(self._pick_again, picked, conflict_prompt(report.title, merged))
                picked = await self.bench.run.do(self._step(PICK, attempt + 1), again)
        return await self._keep(picked, ended, replace(report, fate=Fate.FAILED, why=merged.message))

    def _lands(self, ended: SlotEnded) -> bool:
        unreviewed = ended.fate is Fate.UNREVIEWED and not self.bench.plan.review
        return ended.fate is Fate.PASSED or unreviewed

    async def _pick(self) -> Picked:
        bench = self.bench
        items = await bench.source.items()
        free = pickable(items, bench.held, bench.done)
        at = SystemClock().now()
        if bench.plan.picks is Picks.AGENT:
            run = free_id(bench.place, bench.database) if free else ""
            ground = await bench.ground() if free else ""
            return Picked(self.slot, run, ground, at, known=free, taken=tuple(sorted(bench.held)))
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

    async def _merge(self, picked: Picked, ended: SlotEnded, title: str) -> Merged:
        target = await self.bench.target()
        candidate = Candidate(picked.run, picked.base, ended.commit, title)
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
