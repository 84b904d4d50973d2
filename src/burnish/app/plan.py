"""From a request to a run's spec: where it starts, what it is measured against, who does what."""

from __future__ import annotations

from dataclasses import dataclass, replace

from burnish.app.agent_choice import decide
from burnish.app.ceilings import day_ceiling
from burnish.app.choices import (
    NONE,
    agents_of,
    build_policy,
    contract_of,
    limit_of,
    models_of,
    policies_of,
    profile_of,
    times_of,
)
from burnish.app.guidelines import find_guidelines
from burnish.app.place import Place
from burnish.app.request import Errand, RunRequest
from burnish.app.spec import Confinement, RunSpec
from burnish.app.unasked import run_notice
from burnish.config.load import Loaded
from burnish.config.schema import Settings
from burnish.errors import UsageError
from burnish.git.user_tree import UserTree
from burnish.git.workspaces import Workspaces
from burnish.model.briefing import Briefing
from burnish.model.change import Snapshot
from burnish.model.landing import Land
from burnish.model.task import Task

SESSION_DIRTY = "uncommitted changes in your checkout are not part of this session"
DIRTY = "uncommitted changes in your checkout are not part of this run (--land apply works on top of them)"
SNAPSHOT_MESSAGE = "Uncommitted work as it was when the run began\n"


@dataclass(frozen=True)
class Bearings:
    """The commit a change is measured against, and the settings that hold there."""

    base: str
    loaded: Loaded
    head_tree: str
    found: Snapshot

    @property
    def dirty(self) -> bool:
        return self.found.tree != self.head_tree

    @property
    def settings(self) -> Settings:
        return self.loaded.settings


async def find_bearings(place: Place, request: RunRequest, tree: UserTree) -> Bearings:
    """Without --base: HEAD, or for a review of committed work the point where its branch began."""
    repository = place.repository
    base = await repository.resolve(request.base or "HEAD")
    if request.errand:
        # The queue works from commits; what is uncommitted in the checkout is none of its business.
        tree_of_head = await repository.tree(repository.head)
        settled = await place.settings(request.errand.settings_at or base, request.flags)
        settled = decide(settled, place.environ, request.errand.mode)
        return Bearings(base, settled, tree_of_head, Snapshot(tree_of_head))
    loaded = decide(await place.settings(base, request.flags), place.environ)
    found, head_tree = await tree.snapshot(), await repository.tree(repository.head)
    reviewing = loaded.settings.agents.implementer == NONE
    if request.base is None and reviewing and found.tree == head_tree:
        default = await repository.default_branch()
        fork = await repository.merge_base(default, base) if default else None
        if fork and fork != base:
            base = fork
            loaded = decide(await place.settings(base, request.flags), place.environ)
    return Bearings(base, loaded, head_tree, found)


def make_spec(request: RunRequest, bearings: Bearings, task: Task) -> RunSpec:
    """Everything checked that can be checked before anything is started."""
    settings, errand = bearings.settings, request.errand or Errand(run_id="", start="")
    profile, sandbox = profile_of(settings), settings.sandbox
    agents = agents_of(settings, profile, errand.mode)
    limit, said = limit_of(settings, profile, errand.task_type)
    wrappers = policies_of(settings, request.policies, errand.earlier)
    build_policy(profile, limit, can_fix=agents.fixer is not None, wrappers=wrappers)
    return RunSpec(
        task=task,
        profile=profile.name,
        contract=contract_of(settings, profile),
        limit=limit,
        times=times_of(settings, errand.task_type),
        models=models_of(settings, errand.task_type),
        implementer=agents.implementer,
        reviewer=agents.reviewer,
        fixer=agents.fixer,
        fixer_session=settings.agents.fixer_session,
        gate=settings.gate.command or "",
        protect=settings.gate.protect,
        allow_test_edits=settings.gate.allow_test_edits,
        land=settings.land.how,
        branch_prefix=settings.land.branch_prefix,
        policies=wrappers,
        fail_on=settings.review.fail_on,
        min_confidence=settings.review.min_confidence or 0.0,
        compat=settings.compat,
        diff_cap=settings.review.diff_cap_chars,
        confinement=Confinement(sandbox.mode, sandbox.network, sandbox.home_paths, sandbox.pass_env),
        strict=request.strict,
        sign=request.sign,
        record=request.record,
        notices=_notices(bearings, said),
        day=day_ceiling(settings.budget),
        mode=errand.mode,
        given=errand.given,
        branch=errand.branch,
        move=errand.move,
        phase=errand.phase,
    )


async def make_task(place: Place, request: RunRequest, bearings: Bearings, workspaces: Workspaces) -> Task:
    """Where the work begins. Uncommitted work becomes a commit of the run's own, and only there."""
    prompt = request.prompt.strip()
    repository, settings = place.repository, bearings.settings
    base_tree = await repository.tree(bearings.base)
    told = Briefing(guidelines=await find_guidelines(place, bearings.base))
    if errand := request.errand:
        if errand.settings_at:
            told = Briefing(guidelines=await find_guidelines(place, errand.settings_at))
        start_tree = await repository.tree(errand.start)
        told = replace(errand.briefing, guidelines=told.guidelines)
        return Task(prompt, bearings.base, base_tree, errand.start, start_tree, errand.id, told)
    reviewing = settings.agents.implementer == NONE
    if not reviewing and settings.land.how is not Land.APPLY:
        return Task(prompt, bearings.base, base_tree, bearings.base, base_tree, briefing=told)
    if not reviewing and bearings.base != repository.head:
        raise UsageError(
            "--land apply needs the base to be HEAD: the result is put into the files you have now.",
            hint="leave --base out, or use --land branch",
        )
    start, start_tree = repository.head, bearings.found.tree
    if bearings.dirty:
        start = await workspaces.commit(start_tree, repository.head, SNAPSHOT_MESSAGE)
    # An implementer's change begins where it starts; a review's is all since the base.
    measured = base_tree if reviewing else start_tree
    return Task(prompt, bearings.base, measured, start, start_tree, briefing=told)


def _notices(bearings: Bearings, converted: str) -> tuple[tuple[str, str], ...]:
    settings = bearings.settings
    found = [(f"config/{number}", text) for number, text in enumerate(bearings.loaded.notices)]
    if converted:
        found.append(("limit", converted))
    if loose := run_notice(bearings.loaded):
        found.append(("sandbox_off", loose))
    starts_clean = settings.agents.implementer != NONE and settings.land.how is not Land.APPLY
    if bearings.dirty and starts_clean:
        found.append(("dirty", DIRTY))
    if not starts_clean:
        found += [
            (f"left/{left.path}", f"not taken: {left.path} ({left.why})") for left in bearings.found.dropped
        ]
    return tuple(found)
