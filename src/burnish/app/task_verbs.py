"""What people do to tasks: improve, edit, retry, cancel, remove; each only where it makes sense."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

from burnish import codec
from burnish.app.adding import NewTask, add_tasks
from burnish.app.choices import policies_of
from burnish.app.launch import no_review, spent_before
from burnish.app.lost_work import is_lost
from burnish.app.queue_place import QueuePlace, whoami
from burnish.app.spec import RunSpec
from burnish.app.task_files import forget_files
from burnish.app.task_reviews import last_review
from burnish.config.load import Flag
from burnish.errors import UsageError
from burnish.model.outcome import Outcome
from burnish.model.profile import Limit, LimitUnit
from burnish.model.queue import FINAL_VERDICTS, QueueTask, TaskChange, TaskState, TaskType, TaskView
from burnish.model.reason import Reason
from burnish.store.journal import Journal
from burnish.store.leases import this_process
from burnish.store.queries import find_run, run_ids
from burnish.store.task_families import newest_of

WAIT_S = 60.0
POLL_S = 0.2
_STARTED = (TaskState.IN_PROGRESS, TaskState.INTERRUPTED, TaskState.COMPLETED)


async def improve(here: QueuePlace, number: int, *, review: bool, note: str) -> tuple[QueueTask, str]:
    """A new task that addresses the newest review of this one's work, and a warning where there is one."""
    view = here.queue.find(number)
    if not view.task.task_type.writes:
        raise UsageError(
            f"task #{number} is of type {view.task.task_type}; only work that changes code can be improved.",
            hint=_origin_hint(view),
        )
    views = {found.number: found for found in here.queue.all()}
    # What a chain of improvements goes on with is the work they are all about.
    while view.task.task_type is TaskType.IMPROVE and view.task.based_on in views:
        view = views[view.task.based_on]
    found = last_review(here, view, views)
    reviews = [other for other in views.values() if _reviews_it(other, view)]
    if found is None and not any(other.state is not TaskState.FAILED for other in reviews):
        raise no_review(view.number)
    newest = max(reviews, key=lambda other: other.task.created_at, default=None)
    warning = ""
    if newest is not None and newest.state is not TaskState.COMPLETED:
        warning = f"review #{newest.number} is {newest.state}: the new task waits for it"
    [task] = await add_tasks(
        here,
        NewTask(
            prompt=f"Improve #{view.number}: {view.task.title}",
            task_type=TaskType.IMPROVE,
            auto_review=False,
            depends_on=(newest.number,) if newest is not None and newest.task.depends_on else (),
            based_on=view.number,
            same_branch=True,
            create_review=review,
            group=view.task.group,
            note=note,
            flags=view.task.flags,
        ),
    )
    return task, warning


def _reviews_it(other: TaskView, subject: TaskView) -> bool:
    about = (*other.task.depends_on, other.task.based_on)
    return other.task.task_type is TaskType.REVIEW and subject.number in about


def _origin_hint(view: TaskView) -> str:
    about = view.task.based_on or next(iter(view.task.depends_on), None)
    return f"did you mean burnish improve {about}?" if about else "burnish status lists the tasks"


def edit(here: QueuePlace, number: int, wanted: dict[str, Any], why: str) -> list[str]:
    """What was changed, in sentences; all of it is recorded with who, when and why."""
    view, said = here.queue.find(number), []
    views = {other.number: other for other in here.queue.all()}
    for name, value in wanted.items():
        before, values = _edited(view, name, value)
        after = ", ".join(f"#{n}" for n in value) if isinstance(value, tuple) else str(value)
        change = TaskChange("", whoami(), name, before, after, why)
        here.queue.change(view.task, change, **values)
        if name == "verdict" and (newest := newest_of(view, views)).number != number:
            # A verdict is about the work as it is now, and that is what somebody improved.
            here.queue.change(newest.task, change, **values)
            said.append(f"task #{newest.number} improved it, so its {name} is {after} too")
        said.append(f"task #{number}: {name} is now {after or 'nothing'} (was {before or 'nothing'})")
    return said


def _edited(view: TaskView, name: str, value: Any) -> tuple[str, dict[str, Any]]:
    task = view.task
    match name:
        case "verdict":
            if value not in FINAL_VERDICTS:
                raise UsageError(f"expected one of {', '.join(FINAL_VERDICTS)}, found {value!r}.")
            if view.state not in (TaskState.COMPLETED, TaskState.FAILED):
                raise UsageError(
                    f"task #{task.number} is {view.state}: there is nothing to give a verdict on yet."
                )
            return view.final_verdict or "", {"final_verdict": value}
        case "prompt":
            if view.state in _STARTED:
                raise UsageError(
                    f"task #{task.number} is {view.state}: its prompt is part of the record.",
                    hint="burnish add puts a new task into the queue",
                )
            if not value.strip():
                raise UsageError("expected what to do, found an empty prompt.")
            return task.title, {"prompt": value.strip()}
        case "group":
            return task.group, {"group_name": value}
        case "depends_on":
            if view.state in _STARTED:
                raise UsageError(f"task #{task.number} is {view.state}: it waits for nothing any more.")
            return ", ".join(f"#{n}" for n in task.depends_on), {"depends_on": codec.dumps(list(value))}
        case "max_cycles":
            return str(task.max_review_cycles), {"max_review_cycles": value}
        case "auto_review":
            if view.state in _STARTED or not task.task_type.writes:
                raise UsageError(
                    f"task #{task.number} ({task.task_type}) is {view.state}: too late to say that."
                )
            return str(task.auto_review), {"auto_review": int(value)}
        case "note":
            return task.note, {"note": value}
        case _:
            flags = {**task.flags, name: value}
            return str(task.flags.get(name, "")), {"flags": codec.dumps(flags)}


async def retry(here: QueuePlace, number: int, *, fresh: bool, take_over: bool = False) -> str:
    """Make a task ready to go on, at the phase that failed or from the beginning; says which."""
    view = here.queue.find(number)
    task = view.task
    if view.state is TaskState.IN_PROGRESS and take_over:
        here.queue.take_over(task)
        here.queue.change(task, TaskChange("", whoami(), "take over", f"process {view.pid}", ""))
        view = here.queue.find(number)
        if view.state is TaskState.PENDING:
            return f"task #{number} goes on where it was"
    if view.state is TaskState.IN_PROGRESS:
        raise UsageError(
            f"task #{number} is being worked on by process {view.pid}.",
            hint=f"burnish cancel {number}; or retry --take-over, if its machine is gone for good",
        )
    if view.state is TaskState.PENDING:
        raise UsageError(f"task #{number} has not been started.", hint=f"burnish work {number}")
    begun = task.run_id is not None and task.run_id in run_ids(here.database)
    unfinished = begun and view.state is not TaskState.COMPLETED
    lost = unfinished and await is_lost(here.place, here.database, str(task.run_id))
    if task.final_verdict and not fresh:
        raise UsageError(
            f"task #{number} has a verdict that a person gave: {task.final_verdict}.",
            hint=f"burnish retry {number} --fresh starts over",
        )
    if fresh or lost:
        change = TaskChange("", whoami(), "retry", task.run_id or "", "from the beginning")
        cleared = {"run_id": None, "error": "", "branch": "", "started_at": None}
        cleared |= dict.fromkeys(("cancelled_at", "final_verdict", "merged_at"))
        here.queue.change(task, change, **cleared)
        why = ": what it had made is gone, because its folder was deleted" if lost and not fresh else ""
        return f"task #{number} starts over{why}"
    if begun and view.state is not TaskState.INTERRUPTED and not task.error:
        await _reopen(here, view)
    change = TaskChange("", whoami(), "retry", view.reason, "from where it was")
    here.queue.change(task, change, error="", cancelled_at=None)
    return f"task #{number} goes on where it was"


async def _reopen(here: QueuePlace, view: TaskView) -> None:
    """The run goes on with the limits that hold now: more cycles or money may be why it is tried again."""
    task, number = view.task, view.number
    if view.state is TaskState.FAILED and view.reason == Reason.QUESTION_ASKED:
        raise UsageError(
            f"task #{number} did not fail: it asks something.", hint=f"burnish answer {number} 'YOUR ANSWER'"
        )
    assert task.run_id is not None
    run = find_run(here.database, task.run_id, this_process())
    spec: RunSpec = codec.validate(RunSpec, codec.loads(run.spec))
    if run.outcome == Outcome.PASSED:
        raise UsageError(
            f"task #{task.number} is approved.", hint=f"burnish retry {task.number} --fresh starts over"
        )
    more_allowed = run.outcome == Outcome.EXHAUSTED and task.max_review_cycles > run.cycles
    if view.state is TaskState.COMPLETED and not more_allowed:
        more_cycles = f"burnish edit {task.number} --max-cycles {run.cycles + 2}"
        raise UsageError(
            f"task #{task.number} is completed ({view.final_verdict or 'not reviewed'}): no phase failed.",
            hint=f"{more_cycles} and retry"
            if run.cycles
            else f"burnish retry {task.number} --fresh starts over",
        )
    flags = {key: Flag(f"task #{task.number}", value) for key, value in task.flags.items()}
    settings = (await here.settings(flags)).settings
    limit = Limit(LimitUnit.REVIEWS, task.max_review_cycles)
    more = replace(spec, limit=limit, policies=policies_of(settings, (), spent_before(here, task)))
    await Journal(here.database).reopen(task.run_id, whoami(), codec.dumps(codec.plain(more)))


async def cancel(here: QueuePlace, number: int) -> str:
    """End a task's work; what it made is kept. Other tasks of the same process go on."""
    view = here.queue.find(number)
    if view.state in (TaskState.COMPLETED, TaskState.CANCELLED, TaskState.FAILED):
        raise UsageError(f"task #{number} is {view.state}: there is nothing to cancel.")
    if view.state is TaskState.IN_PROGRESS and view.task.run_id in run_ids(here.database):
        await Journal(here.database).request_cancel(str(view.task.run_id))
        for _ in range(int(WAIT_S / POLL_S)):
            if here.queue.find(number).state is not TaskState.IN_PROGRESS:
                break
            await asyncio.sleep(POLL_S)
        else:
            return f"task #{number} was asked to end; process {view.pid} is still cleaning up"
    now = here.queue.clock.now()
    change = TaskChange("", whoami(), "cancel", str(view.state), str(TaskState.CANCELLED))
    here.queue.change(view.task, change, cancelled_at=now)
    return f"task #{number} is cancelled; what it made is kept (burnish retry {number} goes on)"


def remove(here: QueuePlace, number: int) -> str:
    view = here.queue.find(number)
    here.queue.remove(view.task)
    forget_files(here.place, view.task)
    kept = f"; its branch {view.branch} stays" if view.branch else ""
    return f"task #{number} is removed from the queue{kept}"


def check_ready(here: QueuePlace, numbers: frozenset[int]) -> None:
    """Whoever names a task is told why it cannot be worked on, and what to do instead."""
    for view in (here.queue.find(number) for number in sorted(numbers)):
        number, waits = view.number, sorted(set(view.waits_for) - numbers)
        match view.state:
            case TaskState.IN_PROGRESS:
                raise UsageError(
                    f"task #{number} is being worked on already.", hint=f"burnish log {number} -f"
                )
            case TaskState.COMPLETED:
                said = view.final_verdict or "not reviewed"
                raise UsageError(
                    f"task #{number} is completed ({said}): there is nothing to do.",
                    hint=f"burnish retry {number} --fresh starts over",
                )
            case TaskState.FAILED | TaskState.CANCELLED:
                raise UsageError(
                    f"task #{number} is {view.state}.", hint=f"burnish retry {number} goes on with it"
                )
            case TaskState.PENDING if waits:
                names = ", ".join(f"#{other}" for other in waits)
                raise UsageError(f"task #{number} waits for {names}.", hint=f"burnish status --why {number}")
            case _:
                pass
