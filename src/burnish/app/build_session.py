"""A build: enumerated, planned, then group by group, until all is on the target or a person is needed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack, closing
from dataclasses import dataclass, replace
from functools import partial

from burnish import codec
from burnish.app.build_board import BuildBoard
from burnish.app.build_costs import Costs, TooExpensive
from burnish.app.build_facts import CHOICE, GROUND, ROUND, Ground, Resolved, Round
from burnish.app.build_loop import BuildBench, LoopWork, Show
from burnish.app.build_open import BuildRequest, OpenedBuild, open_build
from burnish.app.build_outline import Outlining, Undecided
from burnish.app.build_plan import loop_id
from burnish.app.build_questions import Questions
from burnish.app.execute import CANCELLED
from burnish.app.landed_on import landed_on, told
from burnish.app.leftovers import clear_away
from burnish.app.merge_line import MergeLine
from burnish.app.place import Place, find_place
from burnish.app.signals import stopped_by_signals
from burnish.app.start import Hooks, workspaces_of
from burnish.errors import WorkspaceError
from burnish.git.moving import tip
from burnish.loops.report import BuildReport, LoopReport, LoopState, blocked
from burnish.loops.work import Outline, PlanGroup
from burnish.model.decision import Stop
from burnish.model.events import Recorded
from burnish.model.exit_codes import ExitCode
from burnish.model.landing import Landing
from burnish.model.outcome import Outcome
from burnish.model.reason import Reason
from burnish.model.step import Role, Step
from burnish.ports import Listener
from burnish.store.database import Database, open_database
from burnish.store.queries import run_events, run_steps
from burnish.store.schema import StepState
from burnish.workflows.side_by_side import side_by_side

# Given all loops there will be, and what was recorded of the build so far.
Planned = Callable[[Sequence[LoopReport], Sequence[Recorded]], None]


def _unseen(loops: Sequence[LoopReport], past: Sequence[Recorded]) -> None:
    """Nobody wants to know."""


@dataclass(frozen=True)
class Front:
    """How a build speaks with people."""

    listener: Listener
    show: Show
    planned: Planned = _unseen


async def run_build(request: BuildRequest, front: Front, hooks: Hooks | None = None) -> BuildReport:
    """Begin a build or go on with one. A signal stops every loop resumably."""
    main = asyncio.current_task()
    assert main is not None
    with stopped_by_signals(main.cancel):
        place = await find_place()
        await place.repository.resolve("HEAD")
        with closing(open_database(place.database)) as database:
            watched = replace(hooks or Hooks(), own_signals=False)
            opened = await open_build(place, database, request, front.listener, watched)
            async with opened.run, AsyncExitStack() as stack:
                assert opened.spec.build is not None
                base = opened.spec.build.base
                workspaces = await stack.enter_async_context(await workspaces_of(place, opened.run.id, base))
                await clear_away(workspaces, opened.run)
                bench = _bench(place, database, opened, front, watched)
                bench = replace(bench, flags=dict(request.flags), limited=request.max_cost is None)
                costs = Costs(database, opened.run.id, bench.plan, request.max_cost)
                outlining = Outlining(Questions(place, opened.spec, opened.run, workspaces, watched))
                session = _Build(bench, outlining, costs, dry_run=request.dry_run, planned=front.planned)
                try:
                    return await session.drive()
                except WorkspaceError as error:
                    # What is about the user's branch and checkout: theirs to mend, and then it goes on.
                    raise _to_be_resumed(error, bench.plan.path) from error
                except asyncio.CancelledError:
                    if await opened.run.cancel_requested():
                        await opened.run.end(CANCELLED, ExitCode.INTERRUPTED)
                    raise


def _to_be_resumed(error: WorkspaceError, path: str) -> WorkspaceError:
    go_on = f"burnish build {path} --resume"
    hint = error.hint.removesuffix(".").replace("then go on with --resume", "").rstrip(", ")
    return WorkspaceError(
        error.message, hint=f"{hint}; then go on with: {go_on}" if hint else f"go on with: {go_on}"
    )


def _bench(place: Place, database: Database, opened: OpenedBuild, front: Front, hooks: Hooks) -> BuildBench:
    choices, rounds = remembered(database, opened.run.id)
    assert opened.spec.build is not None
    interval = opened.spec.build.preset.checkpoint_interval
    board = BuildBoard(opened.run, interval, rounds)
    line = MergeLine(place, opened.spec, decorate=hooks.decorate)
    return BuildBench(
        place, database, opened.run, opened.spec, board, line, front.show, hooks, choices=choices
    )


def remembered(database: Database, run_id: str) -> tuple[dict[tuple[str, int], Resolved], dict[int, Round]]:
    """What people said, by loop and the attempt it follows; and the checkpoint rounds called so far."""
    choices: dict[tuple[str, int], Resolved] = {}
    rounds: dict[int, Round] = {}
    for step in run_steps(database, run_id):
        if step.state is not StepState.FINISHED or step.result is None:
            continue
        if step.part == CHOICE:
            choices[step.phase, step.cycle] = codec.decode(step.result, Resolved)
        elif step.part == ROUND:
            rounds[step.cycle] = codec.decode(step.result, Round)
    return choices, rounds


class _Build:
    def __init__(
        self, bench: BuildBench, outlining: Outlining, costs: Costs, *, dry_run: bool, planned: Planned
    ) -> None:
        self._bench = bench
        self._costs = costs
        self._outlining = outlining
        self._dry_run = dry_run
        self._planned = planned
        self._works: dict[str, LoopWork] = {}

    async def drive(self) -> BuildReport:
        try:
            return await self._drive()
        except TooExpensive as error:
            go_on = f"burnish build {self._bench.plan.path} --resume --max-cost MORE"
            return await self._wait(str(error), (go_on,), code=ExitCode.STOPPED)

    async def _drive(self) -> BuildReport:
        self._costs.check()
        try:
            outline = await self._outlining.settle()
        except Undecided as undecided:
            return await self._wait(str(undecided), (f"burnish build {self._bench.plan.path} --resume",))
        self._lay_out(outline)
        if self._dry_run:
            go_on = (f"burnish build {self._bench.plan.path} --resume",)
            return await self._wait("nothing was built (--dry-run)", go_on, code=ExitCode.OK)
        self._costs.check_phase([self._bench.run.id], "enumerating and planning")
        for group in sorted(outline.groups, key=lambda one: one.index):
            self._costs.check()
            before = frozenset(self._costs.runs)
            await self._group(group)
            self._costs.check_phase(
                [run for run in self._costs.runs if run not in before], f"group {group.index}"
            )
            stuck = [
                self._works[name].report for name in group.task_ids if self._works[name].report.needs_person
            ]
            if stuck:
                self._block()
                return await self._wait(*blocked(stuck))
        return await self._end()

    def _lay_out(self, outline: Outline) -> None:
        number = 0
        for group in sorted(outline.groups, key=lambda one: one.index):
            for name in group.task_ids:
                number += 1
                loop = loop_id(self._bench.run.id, number)
                report = LoopReport(number, loop, outline.task(name), group.index)
                self._works[name] = LoopWork(self._bench, report)
        loops, bench = [work.report for work in self._works.values()], self._bench
        self._planned(loops, run_events(bench.database, bench.run.id))

    async def _group(self, group: PlanGroup) -> None:
        """All loops at once; when each has passed or was left out, one after the other onto the target."""
        bench = self._bench
        step = Step(Role.LAND, group.index, part=GROUND)
        ground = await bench.run.do(step, self._ground)
        works = [self._works[name] for name in group.task_ids if not self._left_out(self._works[name])]
        drives = [partial(work.drive, ground.commit) for work in works]
        await side_by_side(bench.plan.max_loops, drives)
        if any(work.report.needs_person for work in works):
            return
        for work in works:
            if work.report.state is LoopState.PASSED:
                await work.merge()

    def _left_out(self, work: LoopWork) -> bool:
        """A task that needs one that was left out is left out as well."""
        for name in work.task.dependencies:
            if self._works[name].report.state is LoopState.SKIPPED:
                why = f"it needs {name}, which was left out"
                work.report = replace(work.report, state=LoopState.SKIPPED, why=why)
        return work.report.state is LoopState.SKIPPED

    async def _ground(self) -> Ground:
        plan = self._bench.plan
        at = await tip(self._bench.place.repository, plan.onto)
        if not at:
            raise WorkspaceError(
                f"the branch {plan.onto} is gone, and the build was to go onto it.",
                hint=f"git branch {plan.onto} {plan.base[:12]}, then go on with --resume",
            )
        return Ground(at)

    def _block(self) -> None:
        for work in self._works.values():
            if work.report.state is LoopState.WAITING:
                work.report = replace(work.report, state=LoopState.BLOCKED, why="an earlier group is blocked")

    async def _wait(
        self, message: str, hints: tuple[str, ...], *, code: ExitCode = ExitCode.NEEDS_PERSON
    ) -> BuildReport:
        await self._bench.run.interrupt(message)
        return self._report(None, code, message, hints)

    async def _end(self) -> BuildReport:
        run, loops = self._bench.run, [work.report for work in self._works.values()]
        skipped = [one for one in loops if one.state is LoopState.SKIPPED]
        landing = await run.do(Step(Role.LAND), self._landed)
        if skipped:
            names = ", ".join(str(one.number) for one in skipped)
            message, outcome, reason = (
                f"loop {names} left out, all others merged",
                Outcome.STOPPED,
                Reason.PHASE_SKIPPED,
            )
            code = ExitCode.STOPPED
        else:
            message = f"{len(loops)} of {len(loops)} loops passed and are on {self._bench.plan.onto}"
            outcome, reason, code = Outcome.PASSED, Reason.REVIEW_PASSED, ExitCode.OK
            if not landing.as_asked:
                message = f"{len(loops)} of {len(loops)} loops passed"
        message, code = told(message, code, landing)
        await run.end(Stop(outcome, reason, message), code)
        return self._report(outcome, code, message, ())

    async def _landed(self) -> Landing:
        loops = [work.report for work in self._works.values()]
        merged = [one.commit for one in loops if one.state is LoopState.MERGED]
        return await landed_on(self._bench.place, self._bench.plan.onto, merged)

    def _report(
        self, outcome: Outcome | None, code: ExitCode, message: str, hints: tuple[str, ...]
    ) -> BuildReport:
        plan = self._bench.plan
        loops = tuple(sorted((work.report for work in self._works.values()), key=lambda one: one.number))
        known = [one.cost_usd for one in loops if one.cost_usd is not None]
        return BuildReport(
            self._bench.run.id, plan.path, plan.title, plan.effort, plan.onto, loops,
            outcome, code, message, hints, sum(known) if known else None,
        )  # fmt: skip
