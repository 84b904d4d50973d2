"""A build begun, or found again by its run in the journal."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from burnish import codec
from burnish.app.agent_choice import taken_by
from burnish.app.build_plan import BuildPlan
from burnish.app.place import Place
from burnish.app.plan import Bearings, find_bearings, make_spec, make_task
from burnish.app.request import Errand, RunRequest
from burnish.app.spec import RunSpec
from burnish.app.spec_plan import relative, text_of
from burnish.app.start import Hooks, free_id, new_run, workspaces_of
from burnish.app.templates import find_templates
from burnish.app.wiring import Wiring
from burnish.config.load import Flag
from burnish.config.task_types import resolve
from burnish.errors import RunBusy, UsageError
from burnish.git.locks import Lock
from burnish.git.merging import target_branch
from burnish.git.user_tree import UserTree
from burnish.loops.effort import PRESETS, Effort
from burnish.model.queue import TaskType
from burnish.model.run_view import RunState, RunView
from burnish.model.step import Role
from burnish.ports import Listener
from burnish.prompts.book import BUILD_NAMES, MERGE_NAMES
from burnish.sanitise import clean_line
from burnish.specs.document import MAX_CHARS
from burnish.store.database import Database
from burnish.store.durable import DurableRun
from burnish.store.journal import Journal
from burnish.store.leases import this_process
from burnish.store.queries import list_runs

LOCK_WAIT_S = 60.0
_DIRTY = "uncommitted changes in your checkout are not part of this build; commit them before it merges there"
MAX_LOOPS = 4
MAX_ITERATIONS = 20
# What holds for every loop, whatever the repository's files say.
FIXED = {"profile": "loops", "contract": "loop-result", "land.how": "none"}
_TIERS = {
    Role.IMPLEMENT: ("build", "task_types.implement.model"),
    Role.REVIEW: ("review", "task_types.implement.review_model"),
    Role.FIX: ("revise", "task_types.implement.improve_model"),
}


@dataclass(frozen=True)
class BuildRequest:
    """`flags` are settings by key, only those given. `path` None names the newest build."""

    path: Path | None
    flags: Mapping[str, Any] = field(default_factory=dict)
    effort: Effort | None = None
    onto: str = ""
    max_loops: int | None = None
    max_iterations: int | None = None
    resume: bool = False
    dry_run: bool = False
    max_cost: float | None = None


@dataclass(frozen=True)
class OpenedBuild:
    """A build that this process holds."""

    run: DurableRun
    spec: RunSpec


async def open_build(
    place: Place, database: Database, request: BuildRequest, listener: Listener, hooks: Hooks
) -> OpenedBuild:
    """Whoever opens one has looked at all others first, and nobody else opens one meanwhile."""
    journal = Journal(database, listeners=(listener,), on_point=hooks.on_point)
    async with Lock(place.state / "build.lock", wait_s=LOCK_WAIT_S):
        if request.resume:
            view, spec = newest_build(place, database, request.path)
            return OpenedBuild(await journal.resume(view.id), _said_now(spec, request))
        return await _begin(place, database, request, journal)


def _said_now(spec: RunSpec, request: BuildRequest) -> RunSpec:
    """What this call says about agents, gate and limits is stronger than what the first one said."""
    plan, flags = spec.build, request.flags
    assert plan is not None
    for name, given, begun in (("effort", request.effort, plan.effort), ("onto", request.onto, plan.onto)):
        if given and given != begun:
            raise UsageError(
                f"the build began with --{name} {begun}, and goes on with it, not with {given}.",
                hint=f"leave --{name} out, or begin a new build without --resume",
            )
    loops, iterations = request.max_loops or plan.max_loops, request.max_iterations or plan.max_iterations
    return replace(
        spec,
        build=replace(plan, max_loops=loops, max_iterations=iterations),
        implementer=flags.get("agents.implementer", spec.implementer),
        reviewer=flags.get("agents.reviewer", spec.reviewer),
        fixer=flags.get("agents.fixer", spec.fixer),
        gate=flags.get("gate.command", spec.gate),
    )


async def _begin(place: Place, database: Database, request: BuildRequest, journal: Journal) -> OpenedBuild:
    assert request.path is not None
    path = relative(place.repository.root, request.path)
    text = _document(place.repository.root, request.path, path)
    _refuse_second(database, path)
    run_id, onto = free_id(place, database), await target_branch(place.repository, request.onto or None)
    base = await place.repository.resolve(f"refs/heads/{onto}")
    effort = request.effort or Effort.MEDIUM
    asked = _asked(request, effort, run_id, base, _title(text, path))
    async with await workspaces_of(place, run_id, base) as workspaces:
        tree = UserTree(place.repository, workspaces.store)
        bearings = await find_bearings(place, asked, tree)
        flags = {**_tiers(bearings, effort), **taken_by(bearings.loaded), **request.flags}
        plan = BuildPlan(
            path=path,
            text=text,
            digest=hashlib.sha256(text.encode("utf8", "surrogatepass")).hexdigest(),
            title=asked.prompt,
            effort=effort,
            onto=onto,
            base=base,
            max_loops=request.max_loops or MAX_LOOPS,
            max_iterations=request.max_iterations or MAX_ITERATIONS,
            flags=flags,
        )
        found = make_spec(asked, bearings, await make_task(place, asked, bearings, workspaces))
        names = (*BUILD_NAMES, *MERGE_NAMES)
        templates = await find_templates(place, bearings.settings.prompts, base, names)
        found = replace(found, build=plan, prompts=templates)
        Wiring(place, found, run_id, workspaces).check()
        dirty = (await tree.snapshot()).tree != bearings.head_tree
        await workspaces.begin(base)
    run = await journal.start(new_run(place, found, run_id))
    for key, said in (*found.notices, ("dirty", _DIRTY if dirty else ""), ("onto", _elsewhere(place, onto))):
        if said:
            await run.note(key, said)
    return OpenedBuild(run, found)


def _document(root: Path, file: Path, path: str) -> str:
    text = text_of(root, file, f"the spec {clean_line(str(file))}", MAX_CHARS)
    if not text.strip():
        raise UsageError(f"the spec {clean_line(path)} is empty.", hint="write down what is to be built")
    return text


def _elsewhere(place: Place, onto: str) -> str:
    here = place.repository.branch
    return f"what passes is merged onto {onto}, not onto {here} (--onto chooses)" if here != onto else ""


def _asked(request: BuildRequest, effort: Effort, run_id: str, base: str, title: str) -> RunRequest:
    flags = {key: Flag(f"--{key.rpartition('.')[2]}", value) for key, value in request.flags.items()}
    flags |= {key: Flag("burnish build", value) for key, value in FIXED.items()}
    fixes = PRESETS[effort].max_revision_attempts
    flags["limits.fixes"] = Flag(f"--effort {effort}", fixes)
    return RunRequest(title, flags, base=base, errand=Errand(run_id=run_id, start=base))


def _tiers(bearings: Bearings, effort: Effort) -> dict[str, Any]:
    """The tiers of the effort, for roles whose model nobody chose."""
    chosen, models = resolve(bearings.settings, TaskType.IMPLEMENT).models, PRESETS[effort].models
    return {key: str(getattr(models, name)) for role, (name, key) in _TIERS.items() if role not in chosen}


def _title(text: str, path: str) -> str:
    first = next((line.strip("# \t") for line in text.splitlines() if line.strip("# \t")), path)
    return clean_line(first)[:100]


def _refuse_second(database: Database, path: str) -> None:
    for view, _ in builds_of(database, path):
        if view.state is RunState.RUNNING:
            raise busy(path, view)


def busy(path: str, view: RunView) -> RunBusy:
    return RunBusy(
        f"a build of {path} is at work already: run {view.id}, process {view.pid}.",
        hint=f"wait for it, or stop it with `burnish cancel {view.id}`",
    )


def newest_build(
    place: Place, database: Database, path: Path | None, *, ended: bool = False
) -> tuple[RunView, RunSpec]:
    """The newest build of a document, or of all; one that can go on unless `ended` will do."""
    wanted = relative(place.repository.root, path) if path else ""
    known = builds_of(database, wanted)
    what = f"a build of {wanted}" if wanted else "a build"
    if not known:
        raise UsageError(f"expected {what} to go on with, found none.", hint="burnish build SPEC begins one")
    view, spec = known[0]
    if view.outcome and not ended:
        raise UsageError(
            f"the last build of {path_of(spec)} has ended: {view.outcome} ({view.message}).",
            hint="leave --resume out to begin a new one",
        )
    if view.state is RunState.RUNNING and not ended:
        raise busy(path_of(spec), view)
    return view, spec


def path_of(spec: RunSpec) -> str:
    assert spec.build is not None
    return spec.build.path


def builds_of(database: Database, path: str = "") -> list[tuple[RunView, RunSpec]]:
    """All builds of a document, or of every one; the newest first."""
    return [(view, spec) for view, spec, plan in _builds(database) if path in ("", plan.path)]


def _builds(database: Database) -> Iterator[tuple[RunView, RunSpec, BuildPlan]]:
    for view in list_runs(database, this_process()):
        if view.profile == "loops":
            spec: RunSpec = codec.validate(RunSpec, codec.loads(view.spec))
            if spec.build:
                yield view, spec, spec.build
