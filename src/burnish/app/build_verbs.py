"""What people say about a build that waits for them, and how it stands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from shlex import quote
from typing import Any

from burnish import codec
from burnish.app.build_facts import (
    BEGIN,
    CHOICE,
    END,
    ENUMERATE,
    KEEP,
    MERGE,
    PLAN,
    Enumerated,
    Grouped,
    LoopBegun,
    LoopEnded,
    Resolved,
    Way,
    step_of,
)  # fmt: skip
from burnish.app.build_open import newest_build, path_of
from burnish.app.build_plan import BuildPlan, loop_id
from burnish.app.merge_line import Merge, Merged
from burnish.app.place import Place, find_place
from burnish.app.queue_place import whoami
from burnish.app.spec import RunSpec
from burnish.app.spec_facts import Kept
from burnish.errors import UsageError
from burnish.loops.grouping import apart, derive_groups
from burnish.loops.report import BuildReport, LoopReport, LoopState, blocked
from burnish.model.exit_codes import ExitCode
from burnish.model.outcome import Outcome
from burnish.model.run_view import RunState, RunView
from burnish.sanitise import clean_line
from burnish.store.clock import SystemClock
from burnish.store.database import Database, open_database
from burnish.store.journal import Journal
from burnish.store.leases import this_process
from burnish.store.queries import StepView, find_run, run_ids, run_steps
from burnish.store.schema import StepState

WAITS = "waits to go on"


@dataclass(frozen=True)
class Saying:
    """What a person says about a loop: tried again with these words and settings, or left out."""

    way: Way
    words: str = ""
    flags: Mapping[str, Any] = field(default_factory=dict)
    by: str = ""


async def build_status() -> BuildReport:
    """The newest build, whether or not somebody works on it."""
    place = await find_place()
    with closing(open_database(place.database)) as database:
        view, spec = newest_build(place, database, None, ended=True)
        assert spec.build is not None
        return _report(database, view, spec.build)


async def resolve(wanted: str, saying: Saying) -> tuple[str, LoopReport]:
    """Recorded with who and when, for `build --resume` to follow; the document, and which loop it is."""
    place = await find_place()
    with closing(open_database(place.database)) as database:
        view, spec = newest_build(place, database, None)
        assert spec.build is not None
        report = _report(database, view, spec.build)
        loop = _named(report, wanted)
        if not loop.needs_person:
            raise _asks_nothing(database, report, loop)
        await _record(database, report, [loop], saying)
        return spec.build.path, loop


async def answer_loop(
    place: Place, database: Database, build: RunView, loop: str, saying: Saying
) -> tuple[str, LoopReport]:
    """The same for a build that is named by its run; without `loop`, for the only one that waits."""
    asked: RunSpec = codec.validate(RunSpec, codec.loads(build.spec))
    view, spec = newest_build(place, database, place.repository.root / path_of(asked))
    assert spec.build is not None
    if view.id != build.id:
        raise UsageError(
            f"the build {build.id} is not the newest of {spec.build.path}, which is {view.id}.",
            hint="burnish status shows what waits for an answer",
        )
    report = _report(database, view, spec.build)
    named = [one for one in report.loops if loop in ("", one.loop, one.run)]
    stuck = [one for one in named if one.needs_person]
    if len(stuck) != 1:
        raise _asks_nothing(database, report, named[0]) if loop and named else _not_one(report, stuck, loop)
    await _record(database, report, stuck, saying)
    return spec.build.path, stuck[0]


def _not_one(report: BuildReport, stuck: list[LoopReport], loop: str) -> UsageError:
    build = f"build {report.run}"
    if stuck:
        names = ", ".join(f"{one.number} ({one.loop})" for one in stuck)
        hint = f"burnish answer {stuck[0].loop} 'YOUR ANSWER'"
        return UsageError(f"{len(stuck)} loops of {build} wait for a person: {names}; name one.", hint=hint)
    if loop:
        known = ", ".join(one.loop for one in report.loops) or "none yet"
        return UsageError(f"{loop} is no loop of {build} as it stands; there are {known}.")
    hint = f"burnish build {quote(report.path)} --resume goes on; burnish build status shows each loop"
    return UsageError(f"no loop of {build} waits for a person.", hint=hint)


def _asks_nothing(database: Database, report: BuildReport, loop: LoopReport) -> UsageError:
    """What a person said of it before is told: the second answer may be a mistake."""
    key = step_of(loop.loop, loop.attempts, CHOICE).key
    found = [step.result for step in run_steps(database, report.run) if step.key == key and step.result]
    if not found:
        hint = "burnish build status shows who does"
        return UsageError(f"loop {loop.number} is {loop.state}: it does not wait for a person.", hint=hint)
    said: Resolved = codec.decode(found[0], Resolved)
    what = repr(clean_line(said.words)) if said.way is Way.RETRY else said.way
    hint = f"go on with: burnish build {quote(report.path)} --resume"
    return UsageError(f"loop {loop.number} was answered already, by {said.by}: {what}.", hint=hint)


async def unblock() -> tuple[str, list[LoopReport]]:
    """Every loop that waits for a person is tried again; the build's document, and which these are."""
    place = await find_place()
    with closing(open_database(place.database)) as database:
        view, spec = newest_build(place, database, None)
        assert spec.build is not None
        report = _report(database, view, spec.build)
        stuck = [loop for loop in report.loops if loop.needs_person]
        await _record(database, report, stuck, Saying(Way.RETRY, "Try again."))
        return spec.build.path, stuck


async def _record(
    database: Database, report: BuildReport, loops: Sequence[LoopReport], saying: Saying
) -> None:
    run = await Journal(database).resume(report.run)
    said = Resolved(saying.way, saying.by or whoami(), SystemClock().now(), saying.words, saying.flags)

    async def chosen() -> Resolved:
        return said

    async with run:
        for loop in loops:
            await run.do(step_of(loop.loop, loop.attempts, CHOICE), chosen)
            text = f"loop {loop.number}: {said.way}, as {said.by} said"
            await run.note(f"choice/{loop.loop}/{loop.attempts}", text)
        left = [one for one in report.loops if one.needs_person and one not in loops]
        await run.interrupt(blocked(left)[0] if left else WAITS)


def _named(report: BuildReport, wanted: str) -> LoopReport:
    for loop in report.loops:
        if wanted in (str(loop.number), loop.loop, loop.task.id):
            return loop
    known = ", ".join(f"{loop.number} ({loop.task.id})" for loop in report.loops) or "none yet"
    raise UsageError(f"there is no loop {wanted!r} in the build of {report.path}; there are {known}.")


def _report(database: Database, view: RunView, plan: BuildPlan) -> BuildReport:
    steps = [step for step in run_steps(database, view.id) if step.state is StepState.FINISHED]
    found = {(step.phase, step.cycle, step.part): step for step in steps if step.ask == 1 or not step.part}
    loops = _left_out(
        _standing(database, found, LoopReport(number, loop_id(view.id, number), task, group))
        for number, (task, group) in enumerate(_tasks(steps), 1)
    )
    outcome = Outcome(view.outcome) if view.outcome else None
    at_work = view.state is RunState.RUNNING
    message = view.message or ("at work" if at_work else WAITS)
    stuck = [loop for loop in loops if loop.needs_person]
    hints = blocked(stuck)[1] if stuck and not at_work and outcome is None else ()
    code = ExitCode.NEEDS_PERSON if stuck else ExitCode.OK
    known = [loop.cost_usd for loop in loops if loop.cost_usd is not None]
    return BuildReport(
        view.id, plan.path, plan.title, plan.effort, plan.onto, loops, outcome, code, message,
        hints, sum(known) if known else None,
    )  # fmt: skip


def _left_out(loops: Iterable[LoopReport]) -> tuple[LoopReport, ...]:
    """A task that needs one that was left out is left out as well; it is behind it."""
    found: list[LoopReport] = []
    without: set[str] = set()
    for loop in loops:
        needed = next((name for name in loop.task.dependencies if name in without), "")
        if needed and loop.state is LoopState.WAITING:
            why = f"it needs {needed}, which was left out"
            loop = replace(loop, state=LoopState.SKIPPED, why=why)  # noqa: PLW2901
        if loop.state is LoopState.SKIPPED:
            without.add(loop.task.id)
        found.append(loop)
    return tuple(found)


def _tasks(steps: list[StepView]) -> list[tuple[Any, int]]:
    """In the order in which the build numbers its loops."""
    enumerated = _last(steps, ENUMERATE, Enumerated)
    grouped = _last(steps, PLAN, Grouped)
    if enumerated is None:
        return []
    tasks = enumerated.tasks
    groups = apart(tasks, grouped.groups) if grouped else derive_groups(tasks)
    by_id = {task.id: task for task in tasks}
    return [(by_id[name], group.index) for group in groups for name in group.task_ids]


def _last(steps: list[StepView], phase: str, kind: type[Any]) -> Any:
    for step in sorted(steps, key=lambda one: (one.cycle, one.ask), reverse=True):
        if step.phase == phase and step.role == "implement" and step.result:
            found = codec.decode(step.result, kind)
            if not found.problems:
                return found
    return None


def _standing(
    database: Database, found: Mapping[tuple[str, int, str], StepView], report: LoopReport
) -> LoopReport:
    attempt = 0
    while begun := _fact(found, (report.loop, attempt + 1, BEGIN), LoopBegun):
        attempt += 1
        report = replace(report, attempts=attempt, run=begun.run, state=LoopState.AT_WORK, why="")
        ended = _fact(found, (report.loop, attempt, END), LoopEnded)
        if ended is None:
            live = begun.run in run_ids(database)
            cost = find_run(database, begun.run, this_process()).cost if live else None
            return replace(report, cost_usd=cost)
        states = {True: LoopState.STUCK, False: LoopState.FAILED}
        state = LoopState.PASSED if ended.passed else states[ended.stuck]
        report = replace(
            report, state=state, commit=ended.commit, iterations=ended.iterations, revisions=ended.revisions,
            cost_usd=ended.cost_usd, why=ended.why, question=ended.question,
        )  # fmt: skip
        kept = _fact(found, (report.loop, attempt, KEEP), Kept)
        report = replace(report, branch=kept.branch if kept else "")
        merged = _fact(found, (report.loop, attempt, MERGE), Merged)
        if merged is not None and merged.fate is Merge.LANDED:
            return replace(report, state=LoopState.MERGED, commit=merged.commit)
        if merged is not None:
            report = replace(report, state=LoopState.STUCK, why=merged.message)
        said = _fact(found, (report.loop, attempt, CHOICE), Resolved)
        if said is not None:
            state = LoopState.SKIPPED if said.way is Way.SKIP else LoopState.WAITING
            report = replace(report, state=state, why=f"{said.way}, as {said.by} said")
    return report


def _fact(found: Mapping[tuple[str, int, str], StepView], key: tuple[str, int, str], kind: type[Any]) -> Any:
    step = found.get(key)
    return codec.decode(step.result, kind) if step and step.result else None
