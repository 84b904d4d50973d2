"""Begin a review: what to look at, with what settings, and the run that does it."""

from __future__ import annotations

import shutil
import time
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime

from burnish.app.execute import Execution
from burnish.app.place import Place, find_place
from burnish.app.request import ReviewRequest
from burnish.app.review_wiring import ReviewWiring
from burnish.app.sessions import session_of
from burnish.app.spec import Confinement, ReviewSpec, RunSpec, TimeLimits
from burnish.app.start import Hooks, free_id, new_run, workspaces_of
from burnish.app.target import Aim, Aiming, read_target
from burnish.config.load import Loaded
from burnish.model.landing import Land
from burnish.model.profile import Limit, LimitUnit
from burnish.model.report import ReviewReport
from burnish.model.task import Task
from burnish.ports import Listener
from burnish.registry import load
from burnish.store.database import open_database
from burnish.store.journal import Journal
from burnish.store.ledger import DatabaseLedger

# Review, fix, and one more look at what came of it.
REVIEWS_WITH_FIX = 2


@dataclass(frozen=True)
class Reviewed:
    """What a review that ran to its end gives a front end."""

    run: str
    exit_code: int
    report: ReviewReport | None


async def review(request: ReviewRequest, listener: Listener, hooks: Hooks | None = None) -> Reviewed:
    """Begin a review and drive it to its end."""
    hooks = hooks or Hooks()
    place = await find_place()
    await place.repository.resolve("HEAD")
    target = read_target(request.words, dict(request.places), place.repository.root)
    with closing(open_database(place.database)) as database:
        session = session_of(target, database)
        run_id = free_id(place, database)
        async with await workspaces_of(place, run_id, place.repository.head) as workspaces:
            aim = await Aiming(place, workspaces, run_id).aim(target, session.base if session else "")
            workspaces.base = aim.base
            loaded = await place.settings(aim.base, request.flags)
            spec = await _spec(place, request, aim, loaded, session.id if session else new_session())
            wiring = ReviewWiring(
                place, spec, run_id, workspaces, hooks.decorate, ledger=DatabaseLedger(database)
            )
            wiring.check()
            await workspaces.begin(aim.start)
            journal = Journal(database, listeners=(listener,), on_point=hooks.on_point)
            run = await journal.start(new_run(place, spec, run_id))
            code = await Execution(wiring, run).to_the_end()
            shutil.rmtree(wiring.sources, ignore_errors=True)
            return Reviewed(run_id, code, await report_of(wiring))


async def report_of(wiring: ReviewWiring) -> ReviewReport | None:
    """What the last review of a run found; None when it never got that far."""
    crew = wiring.made.get("crew")
    if crew is None or not crew.prepared:
        return None
    cycle = max(crew.prepared)
    spec = wiring.review
    return ReviewReport(
        run=wiring.run_id,
        review_id=spec.review_id,
        session=spec.session,
        subject=crew.prepared[cycle].subject,
        assessment=crew.assessments[cycle],
        blocking=crew.blocking,
        min_severity=spec.min_severity,
        entries=await crew.ledger.entries(),
        receipt=str(wiring.place.receipt(wiring.run_id)),
        max_iterations=spec.max_iterations,
    )


async def _spec(place: Place, request: ReviewRequest, aim: Aim, loaded: Loaded, session: str) -> RunSpec:
    settings, repository = loaded.settings, place.repository
    times, sandbox = settings.timeouts, settings.sandbox
    start_tree = aim.subject.tree
    base_tree = aim.subject.base_tree or await repository.tree(aim.base)
    task = Task(f"Review {aim.subject.title}", aim.base, base_tree, aim.start, start_tree)
    load("profiles", "review")
    return RunSpec(
        task=task,
        profile="review",
        contract="findings",
        limit=Limit(LimitUnit.REVIEWS, REVIEWS_WITH_FIX if request.fix else 1),
        times=TimeLimits(times.implement_s, times.review_s, times.fix_s, times.gate_s, times.stall_s),
        reviewer=", ".join((*request.agents, "embedded")),
        fixer="embedded" if request.fix else None,
        gate=settings.gate.command or "",
        land=settings.land.how if request.fix else Land.NONE,
        branch_prefix=settings.land.branch_prefix,
        fail_on=settings.review.fail_on,
        min_confidence=settings.review.min_confidence,
        confinement=Confinement(sandbox.mode, sandbox.network, sandbox.home_paths, sandbox.pass_env),
        sign=request.sign,
        notices=tuple((f"config/{number}", text) for number, text in enumerate(loaded.notices)),
        review=_review_spec(request, aim, session),
    )


def new_session() -> str:
    """A review of something that has no session gets a folder of its own (conformance 5b, phase 1)."""
    return f"WFS-review-{time.time_ns() // 1_000_000}"


def _review_spec(request: ReviewRequest, aim: Aim, session: str) -> ReviewSpec:
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    return ReviewSpec(
        subject=aim.subject,
        session=session,
        review_id=f"review-{stamp}",
        dimensions=request.dimensions,
        max_iterations=request.max_iterations,
        everything=request.everything,
        fix=request.fix,
        unsafe=request.unsafe,
        batch_size=request.batch_size,
        agents=request.agents,
        sarif=request.sarif,
        min_severity=request.min_severity,
    )
