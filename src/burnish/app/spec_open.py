"""A session of a spec begun, or found again: by its run in the journal, or without one by its signals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from burnish import codec
from burnish.app.agent_choice import taken_by
from burnish.app.dossier_folder import OWN
from burnish.app.place import Place
from burnish.app.plan import SESSION_DIRTY, find_bearings, make_spec, make_task
from burnish.app.request import Errand, RunRequest
from burnish.app.spec import RunSpec
from burnish.app.spec_facts import CHOICE, JOIN, Begun, Choice, Fate, Placed, Way
from burnish.app.spec_phase import FIXED
from burnish.app.spec_plan import Document, SpecPlan, read_document, relative
from burnish.app.start import Hooks, free_id, new_run, workspaces_of
from burnish.app.wiring import Wiring
from burnish.config.load import Flag
from burnish.errors import RunBusy, UsageError
from burnish.git.locks import Lock
from burnish.git.user_tree import UserTree
from burnish.model.run_view import RunState, RunView
from burnish.ports import Listener
from burnish.specs.phase import Phase, Spec
from burnish.store.clock import SystemClock
from burnish.store.database import Database
from burnish.store.durable import DurableRun
from burnish.store.journal import Journal
from burnish.store.leases import this_process
from burnish.store.queries import list_runs, run_steps
from burnish.store.schema import StepState

SESSIONS = "sessions"
LOCK_WAIT_S = 60.0


@dataclass(frozen=True)
class SpecRequest:
    """`flags` are settings by key, only those given; `only` and `skip` are numbers of phases."""

    path: Path
    flags: Mapping[str, Any] = field(default_factory=dict)
    number: str = ""
    phased: bool = False
    only: tuple[int, ...] = ()
    skip: tuple[int, ...] = ()
    resume: bool = False
    jobs: int = 2


@dataclass(frozen=True)
class Opened:
    """A session that this process holds, with what it remembers: by phase, and choices by attempt."""

    run: DurableRun
    spec: RunSpec
    choices: Mapping[int, dict[int, list[Choice]]] = field(default_factory=dict)
    passed: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Lost:
    """A session without a journal: where its files are, its branch if it has one, and how far it came."""

    folder: str
    branch: str
    first: Mapping[int, Begun]


async def open_session(
    place: Place, database: Database, request: SpecRequest, listener: Listener, hooks: Hooks
) -> Opened:
    """Whoever opens one has looked at all others first, and nobody else opens one meanwhile."""
    journal = Journal(database, listeners=(listener,), on_point=hooks.on_point)
    async with Lock(place.state / "spec.lock", wait_s=LOCK_WAIT_S):
        opener = _again if request.resume else _new
        return await opener(place, database, request, journal)


async def _new(place: Place, database: Database, request: SpecRequest, journal: Journal) -> Opened:
    document = read_document(
        place.repository.root, request.path, number=request.number, phased=request.phased
    )
    check_named(document.spec.phases, request, frozenset())
    unended = [view for view, _ in sessions_of(database, document.path) if view.outcome is None]
    for view in unended:
        if view.state is RunState.RUNNING:
            raise _busy(document.path, view)
    opened = await begin(place, database, request, journal, document)
    if unended:
        text = f"an earlier session ({unended[0].id}) has not ended; --resume goes on with the newest one"
        await opened.run.note("unended", text)
    return opened


async def begin(
    place: Place,
    database: Database,
    request: SpecRequest,
    journal: Journal,
    document: Document,
    lost: Lost | None = None,
) -> Opened:
    """A new run for a session, also for one that `lost` its own."""
    repository, spec = place.repository, document.spec
    run_id, taken = free_id(place, database), _taken(database)
    flags = {key: Flag(f"--{key.rpartition('.')[2]}", value) for key, value in request.flags.items()}
    flags |= {key: Flag("burnish spec", value) for key, value in FIXED.items()}
    errand = Errand(run_id=run_id, start=repository.head, id=spec.number)
    asked = RunRequest(spec.title, flags, base="HEAD", errand=errand)
    async with await workspaces_of(place, run_id, repository.head) as workspaces:
        tree = UserTree(repository, workspaces.store)
        bearings = await find_bearings(place, asked, tree)
        task = await make_task(place, asked, bearings, workspaces)
        found = make_spec(asked, bearings, task)
        plan = SpecPlan(
            path=document.path,
            spec=spec,
            digest=document.digest,
            folder=lost.folder if lost else _free_folder(repository.root, spec.topic, taken),
            branch=(lost and lost.branch)
            or await _free_branch(place, branch_of(found.branch_prefix, spec), taken),
            base=bearings.base,
            only=request.only,
            flags={**taken_by(bearings.loaded), **request.flags},
            first=lost.first if lost else {},
        )
        found = replace(found, session=plan)
        Wiring(place, found, run_id, workspaces).check()
        dirty = (await tree.snapshot()).tree != bearings.head_tree
    run = await journal.start(new_run(place, found, run_id))
    for key, text in (*found.notices, ("dirty", SESSION_DIRTY if dirty else "")):
        if text:
            await run.note(key, text)
    return Opened(run, found, passed=_known_to_pass(plan))


async def _again(place: Place, database: Database, request: SpecRequest, journal: Journal) -> Opened:
    """The newest session that has not ended; the signals of one where the journal is gone."""
    path = relative(place.repository.root, request.path)
    known = sessions_of(database, path)
    if not known:
        from burnish.app.spec_restore import restore

        return await restore(place, database, request, journal)
    view, spec = known[0]
    if view.outcome:
        raise UsageError(
            f"the last session of {path} has ended: {view.outcome} ({view.message}).",
            hint="leave --resume out to begin a new one",
        )
    if view.state is RunState.RUNNING:
        raise _busy(path, view)
    assert spec.session is not None
    choices, passed = _remembered(database, view.id)
    skipped = {num for num, said in choices.items() if said.get(0) and said[0][-1].way is Way.SKIP}
    check_named(spec.session.spec.phases, request, frozenset({*passed, *skipped}))
    run = await journal.resume(view.id)
    if edited := _edited(place, request, spec.session):
        await run.note(f"edited/{edited[0]}", edited[1])
    return Opened(run, spec, choices, passed | _known_to_pass(spec.session))


def _known_to_pass(plan: SpecPlan) -> frozenset[int]:
    """Phases that passed before the journal was lost, and can show it."""
    return frozenset(num for num, begun in plan.first.items() if begun.ended and begun.ended.passed)


def _busy(path: str, view: RunView) -> RunBusy:
    return RunBusy(
        f"a session of {path} is at work already: run {view.id}, process {view.pid}.",
        hint=f"wait for it, or stop it with `burnish cancel {view.id}`",
    )


def _edited(place: Place, request: SpecRequest, plan: SpecPlan) -> tuple[str, str] | None:
    """A session goes on with the words it began with; that they are no longer those of the file is said."""
    goes_on = "the session goes on with the text it began with; leave --resume out to begin a new one"
    try:
        document = read_document(place.repository.root, request.path, number=plan.spec.number)
    except UsageError as error:
        return "unreadable", f"{error.message.rstrip('.')}; {goes_on}"
    if document.digest == plan.digest:
        return None
    return document.digest[:12], f"{plan.path} was edited since this session began; {goes_on}"


def _remembered(database: Database, run_id: str) -> tuple[dict[int, dict[int, list[Choice]]], frozenset[int]]:
    """What people chose, by phase and attempt, and the phases that are on the branch."""
    choices: dict[int, dict[int, list[Choice]]] = {}
    passed: set[int] = set()
    steps = [step for step in run_steps(database, run_id) if step.state is StepState.FINISHED and step.phase]
    for step in sorted(steps, key=lambda step: step.ask):
        assert step.result is not None
        if step.part == CHOICE:
            of_phase = choices.setdefault(int(step.phase), {})
            of_phase.setdefault(step.cycle, []).append(codec.decode(step.result, Choice))
        elif step.part == JOIN and codec.decode(step.result, Placed).fate is Fate.ON_BRANCH:
            passed.add(int(step.phase))
    return choices, frozenset(passed)


def check_named(phases: Iterable[Phase], request: SpecRequest, passed: frozenset[int]) -> None:
    """Phases that the command names must be there, and what they need must be settled or named too."""
    known = {phase.num: phase for phase in phases}
    for num in (*request.only, *request.skip):
        if num not in known:
            there = ", ".join(str(one) for one in known)
            raise UsageError(f"there is no phase {num} in the spec; its phases are {there}.")
    for num in request.skip:
        if num in passed:
            raise UsageError(
                f"phase {num} cannot be left out: it has passed already, or was left out before.",
                hint="leave --skip out",
            )
    settled = {*passed, *request.only, *request.skip}
    for num in request.only:
        for needed in (one.phase for one in known[num].depends if one.hard):
            if needed not in settled:
                raise UsageError(
                    f"phase {num} needs phase {needed}, which has not passed.",
                    hint=f"name it too (--phase {needed}), or go without it (--skip {needed})",
                )


def sessions_of(database: Database, path: str) -> list[tuple[RunView, RunSpec]]:
    """All sessions of a document, the newest first."""
    return [(view, spec) for view, spec, plan in _sessions(database) if plan.path == path]


def _sessions(database: Database) -> Iterator[tuple[RunView, RunSpec, SpecPlan]]:
    for view in list_runs(database, this_process()):
        if view.profile == "spec":
            spec: RunSpec = codec.validate(RunSpec, codec.loads(view.spec))
            if spec.session:
                yield view, spec, spec.session


def _taken(database: Database) -> frozenset[str]:
    """Folders and branches of sessions that have not ended, whether or not they are there yet."""
    plans = [plan for view, _, plan in _sessions(database) if view.outcome is None]
    return frozenset(name for plan in plans for name in (plan.folder, plan.branch))


def branch_of(prefix: str, spec: Spec) -> str:
    return f"{prefix}spec-{spec.number}-{spec.topic}"


def _free_folder(root: Path, topic: str, taken: frozenset[str]) -> str:
    """`sessions/20261115-1504-login`, with a number behind it when somebody was here in this minute."""
    stamp = SystemClock().now()[:16].replace("-", "").replace(":", "").replace("T", "-")
    name, number = f"{SESSIONS}/{stamp}-{topic}", 1
    while name in taken or (root / OWN / name).exists():
        number += 1
        name = f"{SESSIONS}/{stamp}-{topic}-{number}"
    return name


async def _free_branch(place: Place, wanted: str, taken: frozenset[str]) -> str:
    name, number = wanted, 1
    while name in taken or await place.repository.branch_exists(name):
        number += 1
        name = f"{wanted}-{number}"
    return name
