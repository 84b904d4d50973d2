"""A session of slots begun, or found again by its run in the journal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from burnish import codec
from burnish.app.agent_choice import taken_by
from burnish.app.place import Place
from burnish.app.plan import SESSION_DIRTY, Bearings, find_bearings, make_spec, make_task
from burnish.app.request import Errand, RunRequest
from burnish.app.slots_before import landed_before
from burnish.app.slots_facts import OVER
from burnish.app.slots_plan import BEADS, CHECKLIST, SlotsPlan
from burnish.app.slots_prompts import find_prompt
from burnish.app.slots_source import checked_source, checklist_items, source_of
from burnish.app.spec import RunSpec
from burnish.app.start import Hooks, free_id, new_run, workspaces_of
from burnish.app.wiring import Wiring
from burnish.config.load import Flag
from burnish.config.slot_settings import Picks
from burnish.errors import RunBusy, UsageError
from burnish.git.locks import Lock
from burnish.git.merging import target_branch
from burnish.git.user_tree import UserTree
from burnish.model.run_view import RunState, RunView
from burnish.ports import Listener
from burnish.slots.log_names import stamp
from burnish.slots.prompt_chain import Named, developer_chain, leaves_review_out, reviewer_chain
from burnish.slots.work_item import WorkItem
from burnish.store.clock import SystemClock
from burnish.store.database import Database
from burnish.store.durable import DurableRun
from burnish.store.journal import Journal
from burnish.store.leases import this_process
from burnish.store.queries import list_runs, run_steps

LOCK_WAIT_S = 60.0
_SHOWN = 5
# What holds for every slot, whatever the repository's files say.
FIXED = {"profile": "slots", "contract": "json-verdict", "land.how": "none"}
NO_REVIEWER_PROMPT = "nothing is reviewed: reviewerPromptPath is none"


@dataclass(frozen=True)
class SlotsRequest:
    """`flags` are settings by key, only those given; without `iterations` the settings say how many."""

    flags: Mapping[str, Any] = field(default_factory=dict)
    review: bool | None = None
    developer_prompt: str | None = None
    reviewer_prompt: str | None = None
    prompt: str | None = None
    onto: str = ""
    iterations: int | None = None
    until_empty: bool = False
    again: bool = False
    resume: bool = False


@dataclass(frozen=True)
class OpenedSlots:
    """A session that this process holds."""

    run: DurableRun
    spec: RunSpec

    @property
    def plan(self) -> SlotsPlan:
        assert self.spec.slots is not None
        return self.spec.slots


async def open_slots(
    place: Place, database: Database, request: SlotsRequest, listener: Listener, hooks: Hooks
) -> OpenedSlots:
    """One session at a time has the work of a repository, and nobody else opens one meanwhile."""
    journal = Journal(database, listeners=(listener,), on_point=hooks.on_point)
    async with Lock(place.state / "slots.lock", wait_s=LOCK_WAIT_S):
        for view, _ in sessions_of(database):
            if view.state is RunState.RUNNING:
                raise RunBusy(
                    f"a session of slots is at work already: run {view.id}, process {view.pid}.",
                    hint=f"wait for it, or stop it with `burnish cancel {view.id}`",
                )
        if request.resume:
            return await _again(database, request, journal)
        return await _begin(place, database, request, journal)


async def _again(database: Database, request: SlotsRequest, journal: Journal) -> OpenedSlots:
    """The newest session, if it has not ended; how far it may go is what is said now."""
    known = sessions_of(database)
    if not known:
        raise UsageError("expected a session of slots to go on with, found none.", hint="leave --resume out")
    view, spec = known[0]
    if view.outcome:
        raise UsageError(
            f"the last session of slots has ended: {view.outcome} ({view.message}).",
            hint="leave --resume out to begin a new one",
        )
    assert spec.slots is not None
    most = None if request.until_empty else request.iterations or spec.slots.iterations
    over = [step.cycle for step in run_steps(database, view.id) if step.part == OVER and step.result]
    done = max(over, default=0)
    if most is not None and done >= most:
        raise UsageError(
            f"circuit broken: current_iteration {done} is at max_iterations {most} of session {view.id}.",
            hint=f"--resume --iterations {most + 10} goes on, --resume --until-empty goes on to the end",
        )
    spec = _said_now(replace(spec, slots=replace(spec.slots, iterations=most)), request)
    return OpenedSlots(await journal.resume(view.id), spec)


def _said_now(spec: RunSpec, request: SlotsRequest) -> RunSpec:
    """What the command says now holds for all that is begun from now on; what was begun keeps its own."""
    assert spec.slots is not None
    plan, given = spec.slots, dict(request.flags)
    if request.review is not None:
        given["review.enabled"] = request.review
        plan = replace(plan, review=request.review)
    plan = replace(
        plan,
        parallel=given.get("slots.parallel_agents", plan.parallel),
        flags={**plan.flags, **{key: value for key, value in given.items() if not key.startswith("slots.")}},
    )
    return replace(spec, slots=plan, gate=given.get("gate.command", spec.gate))


async def _begin(place: Place, database: Database, request: SlotsRequest, journal: Journal) -> OpenedSlots:
    repository, run_id = place.repository, free_id(place, database)
    onto = await target_branch(repository, request.onto) if request.onto else ""
    base = await repository.resolve(f"refs/heads/{onto}" if onto else "HEAD")
    asked = _asked(request, run_id, base)
    async with await workspaces_of(place, run_id, base) as workspaces:
        tree = UserTree(repository, workspaces.store)
        bearings = await find_bearings(place, asked, tree)
        plan, notices = await _plan(place, request, bearings, onto)
        # What cannot be read is told now, before there is a session.
        items = await source_of(place, database, plan).items()
        if not request.again:
            plan, told = await _without_landed(place, database, plan, items)
            notices.append(told)
        # Every slot gets what was decided here, so that all of the session asks the same.
        asked = replace(asked, flags={**asked.flags, **_decided(plan.flags)})
        bearings = await find_bearings(place, asked, tree)
        found = make_spec(asked, bearings, await make_task(place, asked, bearings, workspaces))
        found = replace(found, slots=plan)
        Wiring(place, found, run_id, workspaces).check()
        dirty = (await tree.snapshot()).tree != bearings.head_tree
    run = await journal.start(new_run(place, found, run_id))
    for key, text in (*found.notices, *notices, ("dirty", SESSION_DIRTY if dirty else "")):
        if text:
            await run.note(key, text)
    return OpenedSlots(run, found)


def _asked(request: SlotsRequest, run_id: str, base: str) -> RunRequest:
    flags = {key: Flag(f"--{key.rpartition('.')[2]}", value) for key, value in request.flags.items()}
    flags |= _decided(FIXED)
    return RunRequest("burnish slots", flags, base=base, errand=Errand(run_id=run_id, start=base))


def _decided(values: Mapping[str, Any]) -> dict[str, Flag]:
    return {key: Flag("burnish slots", value) for key, value in values.items()}


async def _plan(
    place: Place, request: SlotsRequest, bearings: Bearings, onto: str
) -> tuple[SlotsPlan, list[tuple[str, str]]]:
    """All that a session decides at its beginning, and what is said about it."""
    settings, base = bearings.settings, bearings.base
    slots, prompts = settings.slots, settings.prompts
    developer = developer_chain(
        Named(request.developer_prompt, "--developer-prompt", by_flag=True),
        Named(prompts.implement, "developerPromptPath"),
        Named(request.prompt, "--prompt", by_flag=True),
        Named(slots.prompt, "promptPath"),
    )
    reviewer = reviewer_chain(
        Named(request.reviewer_prompt, "--reviewer-prompt", by_flag=True),
        Named(prompts.review, "reviewerPromptPath"),
    )
    wanted = bool(settings.review.enabled) if request.review is None else request.review
    skipped = leaves_review_out(reviewer)
    source = checked_source(slots.source, place)
    if slots.picks is Picks.AGENT and source != BEADS:
        raise UsageError("slots.picks = agent needs --source beads.", hint="leave it out: Burnish picks")
    plan = SlotsPlan(
        source=source,
        base=base,
        branch=onto or await _free_branch(place, settings.land.branch_prefix),
        onto=onto,
        parallel=slots.parallel_agents,
        iterations=None if request.until_empty else slots.iterations,
        review=wanted and not skipped,
        picks=slots.picks,
        pause_ms=slots.pause_ms,
        close_beads=slots.close_beads,
        items=_checklist(place, source) if source.startswith(CHECKLIST) else (),
        developer=await find_prompt(place, developer, base),
        reviewer="" if skipped else await find_prompt(place, reviewer, base),
        flags=_flags(request, bearings, review=wanted and not skipped),
    )
    return plan, [("no_reviewer_prompt", NO_REVIEWER_PROMPT if wanted and skipped else "")]


def _checklist(place: Place, source: str) -> tuple[WorkItem, ...]:
    return checklist_items(place.repository.root, Path(source.partition(":")[2]).expanduser())


async def _without_landed(
    place: Place, database: Database, plan: SlotsPlan, items: tuple[WorkItem, ...]
) -> tuple[SlotsPlan, tuple[str, str]]:
    """What earlier sessions have landed is left out: nobody but the user says when a bead is closed."""
    sessions = [
        view.id for view, spec in sessions_of(database) if spec.slots and spec.slots.source == plan.source
    ]
    found = [one for one in await landed_before(place, database, sessions) if one.item in items]
    bases = [await place.repository.merge_base(one.commit, plan.base) for one in found]
    in_base = tuple(one.item.id for one, base in zip(found, bases, strict=True) if base == one.commit)
    names = ", ".join(f"{one.item.id} ({one.session})" for one in found[:_SHOWN])
    more = f" and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
    text = f"landed by earlier sessions and left out unless edited since (--again takes them): {names}{more}"
    plan = replace(plan, before=tuple(one.item for one in found), in_base=in_base)
    return plan, ("landed_before", text if found else "")


def _flags(request: SlotsRequest, bearings: Bearings, *, review: bool) -> dict[str, Any]:
    """What each slot's run is told by flags. Who reviews is the implementer, unless another is named."""
    agents = bearings.settings.agents
    flags = {**taken_by(bearings.loaded), **request.flags, "review.enabled": review}
    if agents.reviewer is None and agents.implementer:
        flags["agents.reviewer"] = agents.implementer
    return {key: value for key, value in flags.items() if not key.startswith("slots.")}


async def _free_branch(place: Place, prefix: str) -> str:
    wanted = f"{prefix}slots-{stamp(SystemClock().now())[:13].lower().replace('t', '-')}"
    name, number = wanted, 1
    while await place.repository.branch_exists(name):
        number += 1
        name = f"{wanted}-{number}"
    return name


def sessions_of(database: Database) -> list[tuple[RunView, RunSpec]]:
    """All sessions, the newest first."""
    return [(view, spec) for view, spec in _sessions(database)]


def _sessions(database: Database) -> Iterator[tuple[RunView, RunSpec]]:
    for view in list_runs(database, this_process()):
        if view.profile == "slots":
            spec: RunSpec = codec.validate(RunSpec, codec.loads(view.spec))
            if spec.slots:
                yield view, spec
