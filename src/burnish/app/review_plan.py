"""From what a user wants reviewed to the spec of the run that does it."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from burnish.app.agent_wiring import EMBEDDED
from burnish.app.ceilings import day_ceiling
from burnish.app.chains import chain, check_fallback, review_chain
from burnish.app.choices import NONE, models_of, times_of
from burnish.app.place import Place
from burnish.app.request import ReviewRequest
from burnish.app.search_plan import SEARCH, search_option
from burnish.app.spec import ReviewSpec, RunSpec
from burnish.app.taint_plan import OPTION, taint_option
from burnish.app.target import Aim
from burnish.app.templates import find_panel_templates
from burnish.app.unasked import review_confinement
from burnish.config.load import Loaded
from burnish.config.prices import own_prices
from burnish.config.test_command import TestCommand
from burnish.model.landing import Land
from burnish.model.profile import Limit, LimitUnit
from burnish.model.queue import TaskType
from burnish.model.task import Task

# Review, fix, and one more look at what came of it.
REVIEWS_WITH_FIX = 2
# The table of rules is made for this: below it are rules that are wrong about as often as right.
SURE_ENOUGH = 0.5
NO_TESTS = "no test command was found: fixes are checked by compiling and resolving imports only"


@dataclass(frozen=True)
class Found:
    """All that was looked up before a review begins. `session` is where its files go."""

    aim: Aim
    loaded: Loaded
    session: str
    tests: TestCommand | None


def new_session() -> str:
    """A review of something that has no session gets a folder of its own (conformance 5b, phase 1)."""
    return f"WFS-review-{time.time_ns() // 1_000_000}"


async def make_review_spec(place: Place, request: ReviewRequest, found: Found) -> RunSpec:
    settings, aim = found.loaded.settings, found.aim
    sure = settings.review.min_confidence
    confinement, tightened = review_confinement(found.loaded)
    if _agents(request, found) or _fixer(request, found) not in (None, EMBEDDED):
        check_fallback(found.loaded, place.environ)
    base_tree = aim.subject.base_tree or await place.repository.tree(aim.base)
    title = f"Fix {len(request.given)} findings" if request.given else f"Review {aim.subject.title}"
    return RunSpec(
        task=Task(title, aim.base, base_tree, aim.start, aim.subject.tree),
        profile="review",
        contract="findings",
        limit=Limit(LimitUnit.REVIEWS, REVIEWS_WITH_FIX if request.fix else 1),
        times=times_of(settings, TaskType.REVIEW),
        models=models_of(settings, TaskType.REVIEW),
        reviewer=", ".join((*_agents(request, found), EMBEDDED)),
        fixer=_fixer(request, found),
        gate=found.tests.command if found.tests else "",
        protect=settings.gate.protect,
        allow_test_edits=settings.gate.allow_test_edits,
        land=settings.land.how if request.fix else Land.NONE,
        branch_prefix=settings.land.branch_prefix,
        fail_on=settings.review.fail_on,
        min_confidence=SURE_ENOUGH if sure is None else sure,
        compat=settings.compat,
        diff_cap=settings.review.diff_cap_chars,
        confinement=confinement,
        sign=request.sign,
        notices=(*_notices(request, found), *((("sandbox_off", tightened),) if tightened else ())),
        prompts=await find_panel_templates(place, settings.prompts, aim.base),
        review=replace(
            _review_spec(request, found),
            options=(
                (OPTION, await taint_option(place, settings.taint, aim.base)),
                (SEARCH, search_option(settings)),
            ),
        ),
        day=day_ceiling(settings.budget),
        prices=own_prices(settings.prices),
    )


def _agents(request: ReviewRequest, found: Found) -> tuple[str, ...]:
    """Those named on the command line, else those of the settings, and who is asked after them."""
    named = request.agents or found.loaded.settings.review.agents
    # With findings given there is nobody to review first: a fallback is then the fixer's alone.
    return () if request.given and not named else review_chain(named, found.loaded)


def _fixer(request: ReviewRequest, found: Found) -> str | None:
    """Who repairs what no fixer of ours can: the one named for it, else the first of the reviewers."""
    if not request.fix:
        return None
    named = request.fixer or found.loaded.settings.agents.fixer
    if named in (NONE, EMBEDDED):
        return EMBEDDED
    others = tuple(name for name in found.loaded.settings.agents.fallback if name != EMBEDDED)
    asked = review_chain(request.agents or found.loaded.settings.review.agents, found.loaded)
    first = named or next(iter(asked), EMBEDDED)
    return first if first == EMBEDDED else chain(first, others)


def _notices(request: ReviewRequest, found: Found) -> tuple[tuple[str, str], ...]:
    said = [(f"config/{number}", text) for number, text in enumerate(found.loaded.notices)]
    said += [(f"given/{number}", text) for number, text in enumerate(request.warnings)]
    if found.tests:
        said.append(("tests", f"tests: {found.tests.command} ({found.tests.why})"))
    elif request.tests:
        said.append(("tests", NO_TESTS if request.fix else "tests: no test command was found"))
    return tuple(said)


def _review_spec(request: ReviewRequest, found: Found) -> ReviewSpec:
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    return ReviewSpec(
        subject=found.aim.subject,
        session=found.session,
        review_id=f"review-{stamp}",
        dimensions=request.dimensions,
        max_iterations=request.max_iterations,
        everything=request.everything,
        fix=request.fix,
        unsafe=request.unsafe,
        batch_size=request.batch_size,
        agents=_agents(request, found),
        sarif=request.sarif,
        test_command=found.tests.command if found.tests and request.tests else "",
        tests=request.tests,
        test_origin=found.tests.why if found.tests else "",
        min_severity=request.min_severity,
        wanted=request.wanted,
        given=request.given,
    )
