"""A session of a spec: its phases wave by wave, until all passed or a person is needed."""

from __future__ import annotations

import asyncio
import shlex
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial

from burnish.app.dossier_folder import Folder
from burnish.app.execute import CANCELLED
from burnish.app.landed_on import landed_on, told
from burnish.app.place import find_place
from burnish.app.queue_place import whoami
from burnish.app.signals import stopped_by_signals
from burnish.app.spec_facts import Choice, Way
from burnish.app.spec_open import Opened, SpecRequest, open_session
from burnish.app.spec_phase import PhaseBench, PhaseWork, Show
from burnish.app.start import Hooks
from burnish.model.decision import Stop
from burnish.model.exit_codes import ExitCode, exit_code
from burnish.model.landing import Landing
from burnish.model.outcome import Outcome
from burnish.model.reason import Reason
from burnish.model.step import Role, Step
from burnish.ports import Listener
from burnish.render.plain import count
from burnish.specs.report import PhaseReport, PhaseState, SpecReport
from burnish.specs.waves import blocked_by, waves
from burnish.store.clock import SystemClock
from burnish.store.database import open_database
from burnish.workflows.side_by_side import side_by_side

Ask = Callable[[PhaseReport], Awaitable[Choice | None]]


@dataclass(frozen=True)
class Front:
    """How a session speaks with people: `ask` is None where nobody can answer."""

    listener: Listener
    show: Show
    ask: Ask | None = None


async def run_spec(request: SpecRequest, front: Front, hooks: Hooks | None = None) -> SpecReport:
    """Begin a session or go on with one. A signal stops every run resumably."""
    main = asyncio.current_task()
    assert main is not None
    with stopped_by_signals(main.cancel):
        place = await find_place()
        await place.repository.resolve("HEAD")
        with closing(open_database(place.database)) as database:
            watched = replace(hooks or Hooks(), own_signals=False)
            opened = await open_session(place, database, request, front.listener, watched)
            assert opened.spec.session is not None
            folder = Folder(place.repository.root, opened.spec.session.folder)
            bench = PhaseBench(
                place, database, opened.run, opened.spec, front.show, watched, folder, dict(request.flags)
            )
            async with opened.run:
                return await _Session(bench, opened, front.ask).unless_cancelled(request)


class _Aborted(Exception):
    """A person ended the session."""


class _Session:
    def __init__(self, bench: PhaseBench, opened: Opened, ask: Ask | None) -> None:
        self._bench = bench
        self._ask = ask
        self._passed = opened.passed
        self._works = {
            phase.num: PhaseWork(bench, phase, opened.choices.get(phase.num, {}))
            for phase in bench.plan.spec.phases
        }
        self._reports: dict[int, PhaseReport] = {}

    async def unless_cancelled(self, request: SpecRequest) -> SpecReport:
        try:
            return await self.drive(request)
        except asyncio.CancelledError:
            if await self._bench.run.cancel_requested():
                await self._bench.run.end(CANCELLED, ExitCode.INTERRUPTED)
            raise

    async def drive(self, request: SpecRequest) -> SpecReport:
        plan = self._bench.plan
        nums = {phase.num for phase in plan.spec.phases}
        asked = {num for num in plan.only if num not in self._passed and not self._works[num].left_out}
        wanted = set(request.only or asked or nums) | set(request.skip)
        said = self._commanded(request)
        for num in sorted(self._passed):
            self._reports[num] = await self._works[num].drive()
        aborted = ""
        try:
            for wave in waves([phase for phase in plan.spec.phases if phase.num in wanted - self._passed]):
                await self._wave(wave, request.jobs, said)
        except _Aborted as error:
            aborted = str(error)
        for num in nums - set(self._reports):
            self._reports[num] = PhaseReport(self._works[num].phase, PhaseState.WAITING)
        return await self._end(shlex.quote(str(request.path)), aborted)

    def _commanded(self, request: SpecRequest) -> dict[int, Choice]:
        """What the command itself says about phases: those it leaves out, and failed ones it names."""
        at, by, flags = SystemClock().now(), whoami(), dict(request.flags)
        said = {num: Choice(Way.RETRY, by, at, flags) for num in request.only if request.resume}
        return said | {num: Choice(Way.SKIP, by, at) for num in request.skip}

    async def _wave(self, wave: Iterable[int], jobs: int, said: Mapping[int, Choice]) -> None:
        blocked = blocked_by(self._bench.plan.spec.phases, self._failed)
        todo = [num for num in wave if num not in blocked]
        for num in wave:
            if num in blocked:
                phase = self._works[num].phase
                self._reports[num] = PhaseReport(phase, PhaseState.BLOCKED, why=blocked[num])
        await self._do(jobs, {num: said.get(num) for num in todo})
        while self._ask and (failed := [num for num in todo if num in self._failed]):
            answers = {num: await self._ask(self._reports[num]) for num in failed}
            for num, answer in answers.items():
                if answer and answer.way is Way.ABORT:
                    await self._works[num].record(0, answer)
                    raise _Aborted(f"aborted by {answer.by} at phase {num}")
            going = {num: answer for num, answer in answers.items() if answer}
            if not going:
                return
            await self._do(jobs, going)
            todo = list(going)

    async def _do(self, jobs: int, wanted: Mapping[int, Choice | None]) -> None:
        works = [partial(self._works[num].drive, choice) for num, choice in wanted.items()]
        for report in await side_by_side(jobs, works):
            self._reports[report.phase.num] = report

    @property
    def _failed(self) -> list[int]:
        return [num for num, report in self._reports.items() if report.state is PhaseState.FAILED]

    async def _end(self, path: str, aborted: str) -> SpecReport:
        run, plan = self._bench.run, self._bench.plan
        phases = tuple(self._reports[num] for num in sorted(self._reports))
        stop, message, hints = _verdict(path, phases, aborted)
        if trouble := self._bench.folder.trouble:
            await run.note(f"files/{trouble}", f"signals and reviews are incomplete: {trouble}")
        if aborted or all(report.settled for report in phases):
            assert stop is not None
            code = exit_code("spec", stop.outcome)
            if any(report.commit and report.state is PhaseState.PASSED for report in phases):
                landing = await run.do(Step(Role.LAND), self._landed)
                message, code = told(message, code, landing)
            await run.end(replace(stop, message=message), code)
        else:
            code = ExitCode.OK if stop is None else ExitCode.NEEDS_PERSON
            await run.interrupt(message)
        return SpecReport(
            run.id, plan.path, plan.spec.number, plan.spec.title, plan.branch, plan.folder, phases,
            stop.outcome if stop else None, code, message, hints,
        )  # fmt: skip

    async def _landed(self) -> Landing:
        return await landed_on(self._bench.place, self._bench.plan.branch, self._bench.joined)


def _verdict(
    path: str, phases: tuple[PhaseReport, ...], aborted: str
) -> tuple[Stop | None, str, tuple[str, ...]]:
    """How it ends, None when something is left that nobody asked for; the sentence; how to go on."""
    go_on = f"burnish spec {path} --resume"
    if aborted:
        return Stop(Outcome.CANCELLED, Reason.CANCELLED_BY_USER, aborted), aborted, ()
    failed = [report for report in phases if report.state is PhaseState.FAILED]
    if failed:
        first = failed[0]
        nums = ", ".join(str(report.phase.num) for report in failed)
        grade = f" ({first.grade.upper()} after {count(first.cycles, 'cycle')})" if first.grade else ""
        message = f"STAGE_FAILED: phase {nums} did not pass{grade}: {first.why}"
        hints = tuple(_ways(go_on, report.phase.num) for report in failed)
        return Stop(Outcome.ESCALATED, Reason.CYCLES_EXHAUSTED, message), message, sum(hints, ())
    skipped = [str(report.phase.num) for report in phases if report.state is PhaseState.SKIPPED]
    left = [str(report.phase.num) for report in phases if not report.settled]
    if left:
        return None, f"phase {', '.join(left)} left to do", (go_on,)
    if skipped:
        message = f"phase {', '.join(skipped)} left out, all others passed"
        return Stop(Outcome.STOPPED, Reason.PHASE_SKIPPED, message), message, ()
    message = f"{len(phases)} of {len(phases)} phases passed"
    return Stop(Outcome.PASSED, Reason.REVIEW_PASSED, message), message, ()


def _ways(go_on: str, num: int) -> tuple[str, ...]:
    return (
        f"{go_on} --phase {num}   # again, fresh; --cycles, --implementer, --reviewer or --fixer change how",
        f"{go_on} --skip {num}    # go on without it",
    )
