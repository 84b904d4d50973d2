"""Begin a run, or take one up again; both end in the same call."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any

from burnish import codec
from burnish.agents._limited import Places
from burnish.app.archive import Archive
from burnish.app.ceilings import day_ceiling
from burnish.app.execute import Execution
from burnish.app.heard import Ear
from burnish.app.lost_work import restore_line
from burnish.app.place import Place, find_place
from burnish.app.plan import find_bearings, make_spec, make_task
from burnish.app.request import RunRequest
from burnish.app.spec import RunSpec
from burnish.app.taint_plan import run_options
from burnish.app.templates import find_templates
from burnish.app.wiring import Wiring, as_it_is
from burnish.config.prices import own_prices
from burnish.errors import UsageError
from burnish.git.mirror import Mirror
from burnish.git.user_tree import UserTree
from burnish.git.workspaces import Workspaces
from burnish.model.ceiling import Ceiling
from burnish.model.events import RunStarted
from burnish.ports import Listener
from burnish.process.tool_setup import Progress, unseen
from burnish.prompts.book import BUILD_NAMES, LOOP_NAMES, NAMES, SLOT_NAMES
from burnish.store.answering import answers_of
from burnish.store.database import Database, open_database
from burnish.store.ids import new_run_id
from burnish.store.journal import Journal, NewRun
from burnish.store.queries import run_events, run_ids
from burnish.store.recorder import no_point
from burnish.team_ports import Board

ALL_NAMES = (*NAMES, *SLOT_NAMES, *LOOP_NAMES, *BUILD_NAMES)


@dataclass(frozen=True)
class Hooks:
    """For whoever wants to watch every side effect: tests die at them, chaos counts them."""

    on_point: Callable[[str], None] = no_point
    decorate: Callable[[str, Any], Any] = as_it_is
    # False where the caller itself stops what runs: many runs in one process cannot each have the signals.
    own_signals: bool = True
    # Given where several runs share their agents: then each waits for its place, and for the end of limits.
    places: Places | None = None
    # The day's budget where a flag says so: stronger than what the settings of each run say.
    day: Ceiling | None = None
    # Given where the run is a loop of a build: there the loops see each other.
    board: Board | None = None
    # Told what agents say while they work, for whoever looks on; nothing of it is kept.
    heard: Ear | None = None
    # Told what tools are at that take long, for the same.
    progress: Progress = unseen


async def start(request: RunRequest, listener: Listener, hooks: Hooks | None = None) -> int:
    """Begin a run and drive it to its end; the exit code."""
    if not request.prompt.strip():
        raise UsageError(
            "expected a task in words, found nothing.", hint="burnish run 'Add input validation' ..."
        )
    hooks = hooks or Hooks()
    place = await find_place()
    await place.repository.resolve("HEAD")
    with closing(open_database(place.database)) as database:
        errand = request.errand
        run_id = errand.run_id if errand else free_id(place, database)
        async with await workspaces_of(place, run_id, place.repository.head) as workspaces:
            tree = UserTree(place.repository, workspaces.store)
            bearings = await find_bearings(place, request, tree)
            for commit in dict.fromkeys((bearings.base, *((errand.start,) if errand else ()))):
                await workspaces.store.mirror.pin(commit, run_id)
            workspaces.base = bearings.base
            task = await make_task(place, request, bearings, workspaces)
            settled_at = (errand.settings_at if errand else "") or bearings.base
            # Whatever else a session of slots is told stands in its runs' briefing.
            names = SLOT_NAMES if task.briefing.slot else ALL_NAMES
            templates = await find_templates(place, bearings.settings.prompts, settled_at, names)
            options = await run_options(place, bearings.settings, settled_at)
            spec = replace(make_spec(request, bearings, task), prompts=templates, options=options)
            if errand:
                spec = replace(spec, cycles_before=errand.cycles_before, loop=errand.loop)
            prices = own_prices(bearings.settings.prices)
            spec = replace(spec, day=hooks.day or spec.day, prices=prices)
            wiring = Wiring(place, spec, run_id, workspaces, hooks.decorate)
            wiring = replace(wiring, board=hooks.board, heard=hooks.heard)
            wiring.check()
            spec = replace(spec, notices=(*spec.notices, *wiring.price_notices()))
            wiring = replace(wiring, spec=spec)
            await workspaces.begin(spec.task.start)
            journal = Journal(database, listeners=(listener,), on_point=hooks.on_point)
            parent = (errand.parent if errand else "") or None
            run = await journal.start(replace(new_run(place, spec, run_id), parent=parent))
            return await Execution(wiring, run, hooks.own_signals, hooks.places).to_the_end()


async def resume(
    wanted: str, listener: Listener, hooks: Hooks | None = None, *, take_over: bool = False
) -> int:
    """Go on with a run that was interrupted; the exit code."""
    hooks = hooks or Hooks()
    place = await find_place()
    with closing(open_database(place.database)) as database:
        view = Archive(place, database).run(wanted)
        spec: RunSpec = codec.validate(RunSpec, codec.loads(view.spec))
        if spec.session or spec.slots or spec.build:
            from burnish.app.session_runs import refuse_session

            refuse_session(database, view, spec, place.repository.root)
        if spec.review:
            from burnish.app.review import resume_review

            return (await resume_review(view.id, listener, hooks, take_over=take_over)).exit_code
        journal = Journal(database, listeners=(listener,), on_point=hooks.on_point)
        run = await journal.resume(view.id, take_over=take_over)
        async with run, await workspaces_of(place, view.id, spec.task.base) as workspaces:
            await restore_line(workspaces, database, view.id, spec.task)
            spec = await _as_set_now(place, _with_answers(spec, database, view.id))
            spec = replace(spec, day=hooks.day or spec.day)
            wiring = Wiring(place, spec, view.id, workspaces, hooks.decorate)
            wiring = replace(wiring, board=hooks.board, heard=hooks.heard)
            return await Execution(wiring, run, hooks.own_signals, hooks.places).to_the_end()


def _with_answers(spec: RunSpec, database: Database, run_id: str) -> RunSpec:
    """What people answered since the run began is part of what its agents are told."""
    answers = answers_of(run_events(database, run_id))
    briefing = replace(spec.task.briefing, answers=answers)
    return replace(spec, task=replace(spec.task, briefing=briefing)) if answers else spec


async def _as_set_now(place: Place, spec: RunSpec) -> RunSpec:
    """The day's budget and the prices as they are now: whoever changed them wants the run to go on."""
    try:
        settings = (await place.settings(spec.task.base)).settings
    except UsageError:
        return spec
    return replace(spec, day=day_ceiling(settings.budget), prices=own_prices(settings.prices))


async def workspaces_of(place: Place, run_id: str, base: str) -> Workspaces:
    """The run's own git side, with its base pinned so that nothing of the user's gc can take it."""
    mirror = Mirror(place.repository, place.mirror)
    await mirror.pin(base, run_id)
    return Workspaces(mirror, place.run_folder(run_id), await place.repository.identity(), base)


def free_id(place: Place, database: Database) -> str:
    """An id that neither a row nor a folder has: the folder is there before the row is."""
    known = run_ids(database)
    return new_run_id(lambda name: name in known or place.run_folder(name).exists())


def new_run(place: Place, spec: RunSpec, run_id: str) -> NewRun:
    task = spec.task
    agents = {"implementer": spec.implementer, "reviewer": spec.reviewer, "fixer": spec.fixer}
    started = RunStarted(
        task=task.prompt,
        title=task.title,
        profile=spec.profile,
        # The receipt carries what its verdicts were read by.
        contract=f"{spec.contract} (compat)" if spec.compat else spec.contract,
        base=task.base,
        start=task.start,
        limit=spec.limit.n,
        limit_unit=spec.limit.unit,
        agents={role: command or "none" for role, command in agents.items()},
        gate=spec.gate,
        base_tree=task.base_tree,
    )
    spec_text = codec.dumps(codec.plain(spec))
    return NewRun(started, str(place.repository.root), task.prompt, spec_text, id=run_id)
