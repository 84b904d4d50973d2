"""From a task of the queue to the run that does it: where it starts, what it is told, where it goes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from burnish.app.ceilings import task_used_up
from burnish.app.queue_place import QueuePlace, label
from burnish.app.request import Errand, RunRequest
from burnish.app.task_reviews import last_review
from burnish.config.branch_pattern import branch_name
from burnish.config.load import Flag
from burnish.errors import UsageError, WorkspaceError
from burnish.git.committed import read_file
from burnish.model.agent import Usage
from burnish.model.briefing import Briefing
from burnish.model.mode import GivenReview, Mode
from burnish.model.queue import QueueTask, TaskState, TaskType, TaskView
from burnish.store.queue import Claim
from burnish.store.spending import spent
from burnish.store.task_families import newest_of

_MODES = {
    TaskType.PLAN: Mode.PLAN,
    TaskType.EXPLORE: Mode.EXPLORE,
    TaskType.REVIEW: Mode.REVIEW,
    TaskType.IMPROVE: Mode.IMPROVE,
}


@dataclass(frozen=True)
class Ground:
    """Commits: `base` is what the change is measured against, `start` is where work begins."""

    base: str
    start: str


async def request_for(here: QueuePlace, claim: Claim, weaker: Mapping[str, Flag] | None = None) -> RunRequest:
    """`weaker` are settings that the task's own go before.

    Raises UsageError or WorkspaceError, in a sentence that stays with the task until it is retried.
    """
    task = claim.task
    views = {view.number: view for view in here.queue.all()}
    subject = _subject_of(task, views)
    ground = await _ground(here, task, subject, views)
    mode = _MODES.get(task.task_type, Mode.LOOP if task.auto_review else Mode.IMPLEMENT)
    if mode is Mode.IMPROVE and task.auto_review:
        mode = Mode.LOOP
    given = _given(here, task, subject, views) if task.task_type is TaskType.IMPROVE else None
    errand = Errand(
        run_id=claim.run_id,
        start=ground.start,
        label=label(task),
        id=task.id,
        mode=mode,
        branch=await _branch(here, task),
        move=newest_of(subject, views).branch if subject and task.same_branch else "",
        given=given,
        briefing=await _briefing(here, task, ground.base, views),
        task_type=task.task_type,
        earlier=spent_before(here, task),
        settings_at=await here.settled_at(),
    )
    own = {key: Flag(f"task #{task.number}", value) for key, value in task.flags.items()}
    flags = {**(weaker or {}), **own}
    await _check_budget(here, task, flags, errand.earlier)
    flags["limits.cycles"] = Flag("--max-cycles", task.max_review_cycles)
    flags["profile"] = Flag("the queue", "task")
    if mode in (Mode.REVIEW, Mode.PLAN, Mode.EXPLORE):
        flags["land.how"] = Flag("the queue", "none")
    else:
        flags["land.how"] = Flag("the queue", "branch")
    return RunRequest(_prompt(task, subject), flags, base=ground.base, errand=errand)


async def _check_budget(here: QueuePlace, task: QueueTask, flags: dict[str, Flag], earlier: Usage) -> None:
    settings = (await here.settings(flags)).settings
    if used := task_used_up(settings.budget, earlier):
        raise UsageError(
            f"task #{task.number} is not started again: {used}.",
            hint=f"burnish edit {task.number} --max-cost MORE, then burnish retry {task.number}",
        )


def spent_before(here: QueuePlace, task: QueueTask) -> Usage:
    """What earlier attempts at a task took: its budget is for all of them together."""
    earlier = [run for run in here.queue.attempts(task) if run != task.run_id]
    return spent(here.database, earlier)


def _prompt(task: QueueTask, subject: TaskView | None) -> str:
    """A review or an improvement is about what the other task asked for, in the light of its own words."""
    if subject is None or task.task_type not in (TaskType.REVIEW, TaskType.IMPROVE):
        return task.prompt
    about = f"This is about the work of task #{subject.number}, which was asked for so:"
    return f"{task.prompt}\n\n{about}\n\n{subject.task.prompt}"


def _subject_of(task: QueueTask, views: dict[int, TaskView]) -> TaskView | None:
    """The task whose work this one goes on with or looks at."""
    if task.task_type not in (TaskType.REVIEW, TaskType.IMPROVE) and not task.same_branch:
        return None
    wanted = task.based_on or next(iter(task.depends_on), None)
    found = views.get(wanted) if wanted is not None else None
    while found is not None and not found.task.task_type.writes:
        found = views.get(found.task.based_on or next(iter(found.task.depends_on), 0))
    if found is None:
        raise UsageError(
            f"task #{task.number} is about the work of another task, and there is none.",
            hint=f"burnish edit {task.number} --depends-on 29",
        )
    if not found.commit:
        raise UsageError(
            f"task #{task.number} is about the work of #{found.number}, which has none yet.",
            hint=f"burnish work {found.number}",
        )
    return found


async def _ground(
    here: QueuePlace, task: QueueTask, subject: TaskView | None, views: dict[int, TaskView]
) -> Ground:
    repository = here.place.repository
    if subject is not None:
        return Ground(subject.base, await _tip(here, newest_of(subject, views)))
    base = await _base(here)
    unmerged = [
        views[number]
        for number in task.depends_on
        if number in views and views[number].task.task_type.writes and views[number].commit
    ]
    tips = [await _tip(here, newest_of(view, views)) for view in unmerged]
    on_top = [tip for tip in dict.fromkeys(tips) if await repository.merge_base(base, tip) != tip]
    if len(on_top) > 1:
        names = ", ".join(f"#{view.number}" for view in unmerged)
        raise UsageError(
            f"task #{task.number} depends on {names}, and more than one of them is not merged yet.",
            hint=f"burnish merge {unmerged[0].number}, then burnish retry {task.number}",
        )
    return Ground(on_top[0], on_top[0]) if on_top else Ground(base, base)


async def _base(here: QueuePlace) -> str:
    """The tip of the default branch as it is here, else HEAD; `work.base` says otherwise."""
    repository = here.place.repository
    chosen = (await here.settings()).settings.work.base
    wanted = chosen or await repository.default_branch() or "HEAD"
    return await repository.resolve(wanted)


async def _tip(here: QueuePlace, view: TaskView) -> str:
    """Where a task's branch is now: what people added there belongs to it."""
    repository = here.place.repository
    if view.branch and await repository.branch_exists(view.branch):
        return await repository.resolve(f"refs/heads/{view.branch}")
    try:
        return await repository.resolve(view.commit or "")
    except (UsageError, WorkspaceError):
        raise UsageError(
            f"the work of task #{view.number} is no longer in the repository.",
            hint=f"burnish retry {view.number} --fresh",
        ) from None


def _given(
    here: QueuePlace, task: QueueTask, subject: TaskView | None, views: dict[int, TaskView]
) -> GivenReview:
    assert subject is not None
    review = last_review(here, subject, views)
    if review is None:
        raise no_review(subject.number)
    note = f"\n\n## A note from a person\n\n{task.note}\n" if task.note else ""
    return replace(review, text=review.text + note)


def no_review(number: int) -> UsageError:
    return UsageError(
        f"Task #{number} has no review. Run a review first: burnish add --type review --depends-on {number}"
    )


async def _branch(here: QueuePlace, task: QueueTask) -> str:
    settings = (await here.settings()).settings
    day, _, slug = task.id.partition("-")
    fields = {
        "project": here.place.repository.root.name,
        "task_id": task.id,
        "date": day,
        "slug": slug,
        "type": str(task.task_type),
        "number": str(task.number),
    }
    return branch_name(settings.land.branch_pattern, fields)


async def _briefing(here: QueuePlace, task: QueueTask, base: str, views: dict[int, TaskView]) -> Briefing:
    """The plan this task follows, found by walking back, its spec, and what a person noted."""
    plan = _plan_of(task, views)
    spec = ""
    if task.spec:
        data = await read_file(here.place.repository, base, task.spec)
        if data is None:
            raise UsageError(f"the spec {task.spec!r} of task #{task.number} is not in {base[:12]}.")
        spec = data.decode("utf8", "replace")
    return Briefing(
        plan=plan.task.output_content if plan else "",
        plan_from=f"task #{plan.number}" if plan else "",
        spec=spec,
        spec_path=task.spec,
        note=task.note,
    )


def _plan_of(task: QueueTask, views: dict[int, TaskView]) -> TaskView | None:
    wanted, seen = [*task.depends_on, *((task.based_on,) if task.based_on else ())], set[int]()
    while wanted:
        number = wanted.pop(0)
        view = views.get(number)
        if view is None or number in seen:
            continue
        seen.add(number)
        if view.task.task_type is TaskType.PLAN and view.state is TaskState.COMPLETED:
            return view
        wanted += [*view.task.depends_on, *((view.task.based_on,) if view.task.based_on else ())]
    return None
