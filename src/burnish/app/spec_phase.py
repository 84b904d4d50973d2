"""One phase of a spec: attempt by attempt, until it is on the branch, left out, or waits for a person."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from burnish.app.dossier_folder import Folder
from burnish.app.place import Place
from burnish.app.request import Errand, RunRequest
from burnish.app.spec import RunSpec
from burnish.app.spec_facts import (
    BEGIN,
    CHOICE,
    END,
    JOIN,
    KEEP,
    Begun,
    Choice,
    Ended,
    Fate,
    Placed,
    Way,
    step_of,
)  # fmt: skip
from burnish.app.spec_files import SpecFiles
from burnish.app.spec_join import keep_phase, place_phase
from burnish.app.spec_plan import SpecPlan, prompt_of
from burnish.app.start import Hooks, free_id, resume, start
from burnish.config.load import Flag
from burnish.errors import WorkspaceError
from burnish.git.moving import tip
from burnish.model.briefing import Briefing
from burnish.model.events import Recorded
from burnish.model.outcome import Outcome
from burnish.model.review import Verdict
from burnish.model.run_view import RunState, RunView
from burnish.ports import Listener
from burnish.specs.phase import Phase
from burnish.specs.report import PhaseReport, PhaseState
from burnish.store.clock import SystemClock
from burnish.store.database import Database
from burnish.store.durable import DurableRun
from burnish.store.leases import this_process
from burnish.store.queries import find_run, run_events, run_ids

# Makes the listener that shows a phase's run, of which so much has happened already.
Show = Callable[[Phase, Sequence[Recorded]], Listener]
# What holds for every phase, whatever the repository's files say.
FIXED = {"profile": "spec", "contract": "grade", "land.how": "none"}


@dataclass(frozen=True)
class PhaseBench:
    """What all phases share: `run` is the session's own, `spec` what it was asked, `flags` this call's."""

    place: Place
    database: Database
    run: DurableRun
    spec: RunSpec
    show: Show
    hooks: Hooks
    folder: Folder
    flags: Mapping[str, Any] = field(default_factory=dict)
    # Tips of the branch as phases were put there.
    joined: list[str] = field(default_factory=list)
    # One joins at a time: each starts from the tip that the last one left.
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def plan(self) -> SpecPlan:
        assert self.spec.session is not None
        return self.spec.session


@dataclass
class PhaseWork:
    """`choices` are those remembered: a retry by the attempt it follows, leaving out (and back in) by 0."""

    bench: PhaseBench
    phase: Phase
    choices: dict[int, list[Choice]]
    # Attempts that were begun in this process, and those that the last call drove to their end.
    _begun: set[str] = field(default_factory=set, init=False)
    _driven: set[str] = field(default_factory=set, init=False)

    async def drive(self, wanted: Choice | None = None) -> PhaseReport:
        """As far as it goes. `wanted` is what a person said about the phase as it was before this call."""
        self._driven.clear()
        if wanted and (wanted.way is Way.SKIP or self.left_out):
            await self.record(0, wanted)
        if self.left_out:
            return PhaseReport(self.phase, PhaseState.SKIPPED, why=f"left out by {self.choices[0][-1].by}")
        attempt, again, before, flags = 1, False, 0, dict[str, Any]()
        while True:
            report, placed, fresh = await self._attempt(attempt, before, flags)
            before = report.cycles
            if report.state is PhaseState.PASSED:
                return report
            if placed and not again:
                await self._tell_again(attempt, placed)
            elif attempt in self.choices or (wanted and not fresh):
                if attempt not in self.choices:
                    await self.record(attempt, wanted)
                    wanted = None
                flags, placed = dict(self.choices[attempt][-1].flags), None
            else:
                return report
            attempt, again = attempt + 1, placed is not None

    @property
    def left_out(self) -> bool:
        """Whether a person said last that the session goes on without it."""
        said = self.choices.get(0)
        return said is not None and said[-1].way is Way.SKIP

    async def record(self, attempt: int, choice: Choice | None) -> None:
        async def chosen() -> Choice:
            assert choice is not None
            return choice

        said = self.choices.setdefault(attempt, [])
        step = step_of(self.phase.num, attempt, CHOICE, len(said) + 1)
        said.append(await self.bench.run.do(step, chosen))
        text = f"phase {self.phase.num}: {said[-1].way}, as {said[-1].by} chose"
        await self.bench.run.note(f"choice/{step.key}", text)

    async def _tell_again(self, attempt: int, placed: Placed) -> None:
        text = f"phase {self.phase.num} is done again on top of what passed meanwhile: {placed.message}"
        await self.bench.run.note(f"again/{self.phase.num}/{attempt}", text)

    async def _attempt(
        self, attempt: int, before: int, flags: Mapping[str, Any]
    ) -> tuple[PhaseReport, Placed | None, bool]:
        """The report, why the branch did not take what passed, and whether any of it happened just now."""
        bench, num = self.bench, self.phase.num
        begun = await bench.run.do(step_of(num, attempt, BEGIN), self._begin, attempt, before, flags)
        files = SpecFiles(bench.folder, num, bench.run.id)
        files.catch_up(run_events(bench.database, begun.run))
        ended = begun.ended
        if ended is None:
            ended = await bench.run.do(step_of(num, attempt, END), self._child, begun, files)
        fresh = begun.run in self._driven
        report = PhaseReport(
            self.phase,
            PhaseState.FAILED,
            grade=ended.grade,
            cycles=ended.cycles,
            attempts=attempt,
            run=begun.run,
            commit=ended.commit,
            receipt=ended.receipt,
            why=ended.why,
        )
        if ended.passed:
            report, placed = await self._place(report, begun, files)
            return report, placed, fresh
        step, keep = step_of(num, attempt, KEEP), partial(keep_phase, decorate=bench.hooks.decorate)
        kept = await bench.run.do(step, keep, bench.place, self._kept_as, begun, ended.commit)
        return replace(report, branch=kept.branch), None, fresh

    async def _place(
        self, report: PhaseReport, begun: Begun, files: SpecFiles
    ) -> tuple[PhaseReport, Placed | None]:
        """What passed, put on the branch; or why the branch did not take it."""
        bench, branch = self.bench, self.bench.plan.branch
        step = step_of(self.phase.num, report.attempts, JOIN)
        join = partial(place_phase, decorate=bench.hooks.decorate)
        async with bench.turn:
            placed = await bench.run.do(step, join, bench.place, branch, begun, report.commit, bench.spec)
        if placed.fate is not Fate.ON_BRANCH:
            files.fail(SystemClock().now(), begun.run, placed.message)
            return replace(report, why=placed.message), placed
        files.forget_failure()
        bench.joined.append(placed.commit)
        return replace(report, state=PhaseState.PASSED, commit=placed.commit, branch=branch, why=""), None

    async def _begin(self, attempt: int, before: int, flags: Mapping[str, Any]) -> Begun:
        """A run's id and where it starts, before there is a run."""
        bench = self.bench
        first = bench.plan.first.get(self.phase.num) if attempt == 1 else None
        if first and first.ended:
            return first
        run = free_id(bench.place, bench.database)
        self._begun.add(run)
        if first and first.start:
            return replace(first, run=run, flags=bench.flags)
        at = await tip(bench.place.repository, bench.plan.branch)
        if not at and bench.joined:
            raise WorkspaceError(
                f"the branch {bench.plan.branch} is gone, and phases that passed were on it.",
                hint=f"git branch {bench.plan.branch} {bench.joined[-1]}, then go on with --resume",
            )
        at = at or bench.plan.base
        before = first.cycles_before if first else before
        return Begun(run, at, at, cycles_before=before, flags={**bench.flags, **flags})

    async def _child(self, begun: Begun, files: SpecFiles) -> Ended:
        """The attempt's run, begun or taken up again, to its end."""
        bench = self.bench
        shown = bench.show(self.phase, run_events(bench.database, begun.run))

        def listener(recorded: Recorded) -> None:
            files(recorded)
            shown(recorded)

        if begun.run not in run_ids(bench.database):
            self._driven.add(begun.run)
            files.forget_failure()
            await start(self._request(begun), listener, bench.hooks)
        elif find_run(bench.database, begun.run, this_process()).state is not RunState.FINISHED:
            self._driven.add(begun.run)
            files.forget_failure()
            await resume(begun.run, listener, bench.hooks)
        return _ended(begun, find_run(bench.database, begun.run, this_process()))

    def _request(self, begun: Begun) -> RunRequest:
        plan, spec = self.bench.plan, self.bench.spec
        given: dict[str, Any] = {**plan.flags, **begun.flags, **FIXED}
        if begun.run not in self._begun:
            # What this call says is stronger than what an attempt that never started was told.
            given |= self.bench.flags
        if begun.implemented:
            fixer = begun.flags.get("agents.fixer") or begun.flags.get("agents.implementer") or spec.fixer
            given |= {"agents.implementer": "none", "agents.fixer": fixer or "none"}
        if begun.implemented or begun.given:
            given["limits.cycles"] = max(spec.limit.n - begun.reviewed, 1)
        errand = Errand(
            run_id=begun.run,
            start=begun.start,
            label=f"phase {self.phase.num}",
            id=plan.spec.number,
            given=begun.given,
            briefing=Briefing(spec="" if plan.spec.whole else plan.spec.text, spec_path=plan.path),
            phase=str(self.phase.num),
            parent=self.bench.run.id,
            settings_at=plan.base,
            cycles_before=begun.cycles_before,
        )
        flags = {key: Flag(f"the session's {key}", value) for key, value in given.items()}
        return RunRequest(prompt_of(self.phase), flags, base=begun.base, errand=errand)

    @property
    def _kept_as(self) -> str:
        plan, prefix = self.bench.plan, self.bench.spec.branch_prefix
        return f"{prefix}unapproved/{plan.branch.removeprefix(prefix)}-phase-{self.phase.num}"


def _ended(begun: Begun, view: RunView) -> Ended:
    return Ended(
        passed=view.outcome == Outcome.PASSED,
        cycles=begun.cycles_before + view.cycles,
        grade=Verdict(view.verdict) if view.verdict else None,
        commit=view.commit or "",
        receipt=view.receipt or "",
        why=view.message or str(view.reason),
    )
