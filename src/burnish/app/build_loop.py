"""One loop of a build: attempt by attempt until it passed, then onto the target, or waiting for a person."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from burnish.app.build_board import BuildBoard
from burnish.app.build_facts import BEGIN, END, KEEP, MERGE, LoopBegun, LoopEnded, Resolved, Way, step_of
from burnish.app.build_open import FIXED
from burnish.app.build_plan import BuildPlan
from burnish.app.merge_line import Candidate, Merge, Merged, MergeLine, conflict_prompt
from burnish.app.place import Place
from burnish.app.request import Errand, RunRequest
from burnish.app.spec import RunSpec
from burnish.app.spec_facts import Begun, Kept
from burnish.app.spec_join import keep_phase
from burnish.app.start import Hooks, free_id, resume, start
from burnish.config.load import Flag
from burnish.errors import WorkspaceError
from burnish.loops.part import LoopPart
from burnish.loops.report import LoopReport, LoopState
from burnish.loops.work import PlannedTask
from burnish.model.briefing import Briefing
from burnish.model.events import Recorded
from burnish.model.outcome import Outcome
from burnish.model.run_view import RunState, RunView
from burnish.model.step import Role, Step
from burnish.ports import Listener
from burnish.prompts.book import PromptBook
from burnish.store.database import Database
from burnish.store.durable import DurableRun
from burnish.store.leases import this_process
from burnish.store.queries import find_run, run_events, run_ids, run_steps

# Makes the listener that shows a loop's run, of which so much has happened already.
Show = Callable[[LoopReport, Sequence[Recorded]], Listener]
MOST_CONFLICTS = 2
_STATES = {True: LoopState.STUCK, False: LoopState.FAILED}


@dataclass(frozen=True)
class BuildBench:
    """What all loops share: `run` is the build's own, `spec` what was asked, `choices` what people said."""

    place: Place
    database: Database
    run: DurableRun
    spec: RunSpec
    board: BuildBoard
    line: MergeLine
    show: Show
    hooks: Hooks
    flags: Mapping[str, Any] = field(default_factory=dict)
    choices: Mapping[tuple[str, int], Resolved] = field(default_factory=dict)
    # Whether each loop has to keep within what the effort allows one; the user's own limit goes before it.
    limited: bool = True

    @property
    def plan(self) -> BuildPlan:
        assert self.spec.build is not None
        return self.spec.build


@dataclass
class LoopWork:
    """`report` is how it stands."""

    bench: BuildBench
    report: LoopReport

    @property
    def loop(self) -> str:
        return self.report.loop

    @property
    def task(self) -> PlannedTask:
        return self.report.task

    async def drive(self, ground: str) -> LoopReport:
        """Until it passed or a person is needed; people's answers to earlier attempts are followed."""
        self.bench.board.join(self.loop, self.task.title)
        try:
            wanted = LoopBegun("", ground, ground)
            while True:
                begun, ended = await self._attempt(self.report.attempts + 1, wanted)
                said = self.bench.choices.get((self.loop, self.report.attempts))
                if ended.passed or said is None:
                    break
                if said.way is Way.SKIP:
                    self._now(state=LoopState.SKIPPED, why=f"left out by {said.by}", question="")
                    break
                at = ended.commit or begun.start
                wanted = LoopBegun("", begun.base, at, words=said.words, flags=said.flags)
        finally:
            self.bench.board.leave(self.loop, self.report.state)
        return self.report

    async def merge(self) -> LoopReport:
        """What passed goes onto the target. What does not go together is settled by the loop's own agents."""
        tries = 0
        while True:
            merged = await self._land()
            if merged.fate is Merge.LANDED:
                return self._now(
                    state=LoopState.MERGED, commit=merged.commit, branch=self.bench.plan.onto, why=""
                )
            passed = False
            while not passed:
                said = self.bench.choices.get((self.loop, self.report.attempts))
                if said and said.way is Way.SKIP:
                    return self._now(state=LoopState.SKIPPED, why=f"left out by {said.by}", question="")
                if said is None and (tries == MOST_CONFLICTS or self.report.needs_person):
                    return self._now(state=LoopState.STUCK, why=self.report.why or merged.message)
                tries += said is None
                passed = await self._settle(merged, said)

    async def _land(self) -> Merged:
        bench, target, step = self.bench, self.bench.plan.onto, self._step
        begun = await bench.run.do(step(BEGIN), self._never)
        candidate = Candidate(begun.run, begun.base, self.report.commit, self.task.title)

        async def land() -> Merged:
            merged = await bench.line.land(target, candidate)
            if merged.fate is Merge.GONE:
                # Not remembered: a person can make the branch again.
                raise WorkspaceError(merged.message, hint="then go on with --resume")
            return merged

        return await bench.run.do(step(MERGE), land)

    async def _settle(self, merged: Merged, said: Resolved | None) -> bool:
        """Another attempt, on top of the target as it is now, with both sides shown."""
        attempt, tip = self.report.attempts, merged.commit
        text = f"loop {self.report.number} is brought onto {self.bench.plan.onto} again: {merged.message}"
        await self.bench.run.note(f"again/{self.loop}/{attempt}", text)
        words, flags = (said.words, said.flags) if said else ("", {})
        conflict = conflict_prompt(self.task.title, merged, PromptBook(dict(self.bench.spec.prompts)))
        wanted = LoopBegun("", tip, tip, conflict=conflict, words=words, flags=flags)
        _, ended = await self._attempt(attempt + 1, wanted)
        return ended.passed

    def _step(self, part: str) -> Step:
        return step_of(self.loop, self.report.attempts, part)

    async def _attempt(self, attempt: int, wanted: LoopBegun) -> tuple[LoopBegun, LoopEnded]:
        run = self.bench.run
        begun = await run.do(step_of(self.loop, attempt, BEGIN), self._begin, wanted)
        self.bench.board.again(self.loop, begun.rounds_before)
        self._now(state=LoopState.AT_WORK, attempts=attempt, run=begun.run)
        ended = await run.do(step_of(self.loop, attempt, END), self._child, begun)
        state = LoopState.PASSED if ended.passed else _STATES[ended.stuck]
        self._now(
            state=state, commit=ended.commit, iterations=ended.iterations, revisions=ended.revisions,
            cost_usd=ended.cost_usd, why=ended.why, question=ended.question,
        )  # fmt: skip
        if not ended.passed:
            kept = await run.do(step_of(self.loop, attempt, KEEP), self._keep, begun, ended.commit)
            self._now(branch=kept.branch)
        return begun, ended

    async def _keep(self, begun: LoopBegun, commit: str) -> Kept:
        """For people to look at, and for the next attempt to go on from."""
        plan, prefix = self.bench.plan, self.bench.spec.branch_prefix
        name = f"{prefix}unapproved/{plan.onto}-{self.loop.removeprefix('r-')}-{self.task.id}"
        change = Begun(run=begun.run, base=begun.base)
        return await keep_phase(self.bench.place, name, change, commit, self.bench.hooks.decorate)

    def _now(self, **changes: Any) -> LoopReport:
        self.report = replace(self.report, **changes)
        return self.report

    async def _begin(self, wanted: LoopBegun) -> LoopBegun:
        """A run's id, before there is a run."""
        run = free_id(self.bench.place, self.bench.database)
        rounds = max(self.bench.board.called_rounds, default=0)
        return replace(wanted, run=run, flags={**self.bench.flags, **wanted.flags}, rounds_before=rounds)

    async def _never(self) -> LoopBegun:
        raise AssertionError("what is merged was begun before")

    async def _child(self, begun: LoopBegun) -> LoopEnded:
        """The attempt's run, begun or taken up again, to its end."""
        bench = self.bench
        listener = bench.show(self.report, run_events(bench.database, begun.run))
        hooks = replace(bench.hooks, board=bench.board)
        if begun.run not in run_ids(bench.database):
            await start(self._request(begun), listener, hooks)
        elif find_run(bench.database, begun.run, this_process()).state is not RunState.FINISHED:
            await resume(begun.run, listener, hooks)
        steps = run_steps(bench.database, begun.run)
        iterations = max((step.cycle for step in steps if step.role == Role.IMPLEMENT), default=0)
        return replace(_ended(find_run(bench.database, begun.run, this_process())), iterations=iterations)

    def _request(self, begun: LoopBegun) -> RunRequest:
        plan, preset = self.bench.plan, self.bench.plan.preset
        given: dict[str, Any] = {"limits.fixes": preset.max_revision_attempts}
        given |= {**plan.flags, **begun.flags, **FIXED}
        part = LoopPart(
            loop_id=self.loop,
            task_id=self.task.id,
            title=self.task.title,
            effort=plan.effort,
            depth=preset.depth,
            max_iterations=plan.max_iterations,
            stuck_threshold=preset.stuck_threshold,
            checkpoint_interval=preset.checkpoint_interval,
            rounds_before=begun.rounds_before,
        )
        errand = Errand(
            run_id=begun.run,
            start=begun.start,
            label=f"loop {self.report.number}",
            id=self.task.id,
            briefing=Briefing(spec=plan.text, spec_path=plan.path),
            parent=self.bench.run.id,
            settings_at=plan.base,
            loop=part,
        )
        flags = {key: Flag(f"the build's {key}", value) for key, value in given.items()}
        policies = (f"loop-cost={preset.costs.per_loop}",) if self.bench.limited else ()
        return RunRequest(_prompt(self.task, begun), flags, begun.base, policies, errand=errand)


def _prompt(task: PlannedTask, begun: LoopBegun) -> str:
    parts = [task.title, task.description.strip(), begun.conflict.strip()]
    if begun.words:
        parts.append(f"A person was asked how to go on, and says:\n\n{begun.words}")
    return "\n\n".join(part for part in parts if part)


def _ended(view: RunView) -> LoopEnded:
    passed = view.outcome == Outcome.PASSED
    return LoopEnded(
        passed=passed,
        stuck=view.outcome in (Outcome.EXHAUSTED, Outcome.ESCALATED, Outcome.STOPPED),
        commit=view.commit or "",
        revisions=view.fixes,
        cost_usd=view.cost,
        why="" if passed else view.message or str(view.reason),
        question=view.message if view.outcome == Outcome.ESCALATED else "",
    )
