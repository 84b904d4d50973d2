"""Begin a review, or take one up again: what to look at, with what settings, and the run that does it."""

from __future__ import annotations

import shutil
from contextlib import closing
from dataclasses import dataclass, replace

from burnish import codec
from burnish.app.archive import Archive
from burnish.app.dossier import Dossier
from burnish.app.dossier_folder import Folder
from burnish.app.execute import Execution
from burnish.app.fix_dossier import FixDossier
from burnish.app.place import Place, find_place
from burnish.app.request import ReviewRequest
from burnish.app.review_plan import Found, make_review_spec, new_session
from burnish.app.review_wiring import ReviewWiring
from burnish.app.sessions import session_of
from burnish.app.spec import ReviewSpec, RunSpec
from burnish.app.start import Hooks, free_id, new_run, workspaces_of
from burnish.app.target import Aiming, read_target
from burnish.app.testing import test_command_of
from burnish.errors import UsageError
from burnish.git.workspaces import Workspaces
from burnish.model.report import ReviewReport
from burnish.model.run_view import RunState, RunView
from burnish.ports import Listener
from burnish.store.database import Database, open_database
from burnish.store.durable import DurableRun
from burnish.store.journal import Journal
from burnish.store.ledger import DatabaseLedger
from burnish.workflows.deliver import NOT_APPLIED, NOT_LANDED


@dataclass(frozen=True)
class Reviewed:
    """What a review that ran to its end gives a front end; no report when it never got that far.

    `trouble` is why its files are not in the repository.
    """

    run: str
    exit_code: int
    report: ReviewReport | None
    trouble: str = ""


async def review(request: ReviewRequest, listener: Listener, hooks: Hooks | None = None) -> Reviewed:
    """Begin a review and drive it to its end."""
    hooks = hooks or Hooks()
    place = await find_place()
    await place.repository.resolve("HEAD")
    with closing(open_database(place.database)) as database:
        run_id = free_id(place, database)
        async with await workspaces_of(place, run_id, place.repository.head) as workspaces:
            found = await _find(place, request, database, workspaces, run_id)
            workspaces.base = found.aim.base
            spec = await make_review_spec(place, request, found)
            wiring = _wiring(place, spec, run_id, workspaces, hooks, database)
            wiring.check()
            await workspaces.begin(found.aim.start)
            assert wiring.dossier is not None
            journal = Journal(database, listeners=(listener, wiring.dossier), on_point=hooks.on_point)
            run = await journal.start(new_run(place, spec, run_id))
            return await _drive(wiring, run, database)


async def resume_review(
    wanted: str, listener: Listener, hooks: Hooks | None = None, *, take_over: bool = False
) -> Reviewed:
    """Go on with a review that was interrupted; without a name, with the newest one."""
    hooks = hooks or Hooks()
    place = await find_place()
    with closing(open_database(place.database)) as database:
        archive = Archive(place, database)
        view = _interrupted(archive, wanted)
        spec: RunSpec = codec.validate(RunSpec, codec.loads(view.spec))
        assert spec.review is not None
        dossier = dossier_of(place, spec.review, view.id)
        for recorded in archive.events(view.id):
            dossier(recorded)
            listener(recorded)
        journal = Journal(database, listeners=(listener, dossier), on_point=hooks.on_point)
        run = await journal.resume(view.id, take_over=take_over)
        async with run, await workspaces_of(place, view.id, spec.task.base) as workspaces:
            wiring = replace(_wiring(place, spec, view.id, workspaces, hooks, database), dossier=dossier)
            return await _drive(wiring, run, database)


def _wiring(
    place: Place, spec: RunSpec, run_id: str, workspaces: Workspaces, hooks: Hooks, database: Database
) -> ReviewWiring:
    assert spec.review is not None
    return ReviewWiring(
        place,
        spec,
        run_id,
        workspaces,
        hooks.decorate,
        ledger=DatabaseLedger(database),
        dossier=dossier_of(place, spec.review, run_id),
        progress=hooks.progress,
    )


def dossier_of(place: Place, spec: ReviewSpec, run_id: str) -> Dossier:
    folder = Folder(place.repository.root, f"sessions/{spec.session}/.review")
    return Dossier(folder, spec, run_id, FixDossier(folder, run_id, spec.review_id))


def _interrupted(archive: Archive, wanted: str) -> RunView:
    if wanted:
        return archive.run(wanted)
    for view in archive.runs():
        if view.profile == "review" and view.state is not RunState.FINISHED:
            return view
    raise UsageError(
        "expected an interrupted review or fix session to resume, found none.",
        hint="`burnish runs` lists what there is",
    )


async def _find(
    place: Place, request: ReviewRequest, database: Database, workspaces: Workspaces, run_id: str
) -> Found:
    aiming, session = Aiming(place, workspaces, run_id), None
    if request.given:
        files = dict.fromkeys(finding.file for finding in request.given if finding.file)
        aim = await aiming.as_it_is(tuple(files))
    else:
        target = read_target(request.words, dict(request.places), place.repository.root)
        session = session_of(target, database)
        aim = await aiming.aim(target, session.base if session else "")
    loaded = await place.settings(aim.base, request.flags)
    given = loaded.settings.gate.command or ""
    tests = None
    if request.tests or given:
        tests = await test_command_of(place, workspaces.store, aim.base, given)
    return Found(aim, loaded, request.session or (session.id if session else new_session()), tests)


async def _drive(wiring: ReviewWiring, run: DurableRun, database: Database) -> Reviewed:
    code = await Execution(wiring, run).to_the_end()
    shutil.rmtree(wiring.sources, ignore_errors=True)
    if wiring.dossier:
        wiring.dossier.folder.prune()
    view = Archive(wiring.place, database).run(run.id)
    trouble = wiring.dossier.folder.trouble if wiring.dossier else ""
    return Reviewed(run.id, code, await report_of(wiring, view), trouble)


async def report_of(wiring: ReviewWiring, view: RunView) -> ReviewReport | None:
    """What the last review of a run found; None when it never got that far."""
    crew = wiring.made.get("crew")
    if crew is None or not crew.prepared:
        return None
    cycle, spec = max(crew.prepared), wiring.review
    landed = f"branch {view.branch}" if view.branch else view.note
    if view.branch and view.note.startswith((NOT_APPLIED, NOT_LANDED)):
        landed = view.note  # which names the branch
    return ReviewReport(
        run=wiring.run_id,
        review_id=spec.review_id,
        session=spec.session,
        subject=crew.prepared[cycle].subject,
        assessment=crew.assessments[cycle],
        blocking=crew.blocking,
        min_severity=spec.min_severity,
        entries=await crew.ledger.entries(),
        outcome=str(view.outcome or ""),
        message=view.message,
        receipt=view.receipt or "",
        fixes=tuple(fix for outcome in wiring.fixed.values() for fix in outcome.fixes),
        landed=landed if spec.fix else "",
        max_iterations=spec.max_iterations,
        folder="" if wiring.dossier is None else str(wiring.dossier.folder.place),
    )
