"""A person's answer to what a run, a task or a loop asks: recorded first, then gone on with."""

from __future__ import annotations

import re
from dataclasses import dataclass

from burnish import codec
from burnish.app.build_facts import Way
from burnish.app.build_verbs import Saying, answer_loop
from burnish.app.named import find_named
from burnish.app.queue_place import QueuePlace, whoami
from burnish.app.spec import RunSpec
from burnish.errors import UsageError
from burnish.model.queue import TaskChange, TaskState, TaskView
from burnish.model.run_view import RunView
from burnish.store.journal import Journal
from burnish.store.leases import this_process
from burnish.store.queries import find_run, parent_of

MOST_CHARS = 20_000
_LOOP = re.compile(r"(r-[a-z0-9]+)-[0-9]+")


@dataclass(frozen=True)
class Given:
    """An answer that is recorded, and what goes on with it: a run, a task of the queue, or a build."""

    said: str
    run: str
    task: int | None = None
    build: str = ""


async def give_answer(here: QueuePlace, wanted: str, text: str, by: str = "") -> Given:
    """Record an answer in the name of `by`; raises UsageError where nothing waits for one."""
    text, by = text.strip(), by.strip() or whoami()
    if not text:
        raise UsageError("expected an answer in words, found nothing.", hint="burnish answer RUN 'use euros'")
    if len(text) > MOST_CHARS:
        raise UsageError(f"expected an answer of at most {MOST_CHARS:,} characters, found {len(text):,}.")
    if found := _LOOP.fullmatch(wanted.strip()):
        return await _loop(here, find_run(here.database, found[1], this_process()), found[0], text, by)
    named, _ = find_named(here, wanted)
    if isinstance(named, TaskView):
        return await _task(here, named, text, by)
    return await _run(here, named, text, by)


async def _run(here: QueuePlace, view: RunView, text: str, by: str) -> Given:
    spec: RunSpec = codec.validate(RunSpec, codec.loads(view.spec))
    parent = parent_of(here.database, view.id)
    if spec.build:
        return await _loop(here, view, "", text, by)
    if spec.loop and parent:
        return await _loop(here, find_run(here.database, parent, this_process()), view.id, text, by)
    if parent:
        raise _of_session(here, view, parent)
    task = here.queue.of_run(view.id)
    if task is not None:
        if task.run_id != view.id:
            raise UsageError(
                f"run {view.id} is an earlier attempt at task #{task.number}.",
                hint=f"burnish status --why {task.number} tells how the task stands",
            )
        return await _task(here, here.queue.find(task.number), text, by)
    await Journal(here.database).answer(view.id, text, by)
    return Given(f"run {view.id} is answered by {by}", view.id)


async def _task(here: QueuePlace, view: TaskView, text: str, by: str) -> Given:
    task, number = view.task, view.number
    if task.final_verdict:
        raise UsageError(
            f"task #{number} has a verdict that a person gave: {task.final_verdict}.",
            hint=f"burnish retry {number} --fresh starts over",
        )
    if task.run_id is None or view.state in (TaskState.PENDING, TaskState.CANCELLED):
        raise UsageError(f"task #{number} is {view.state}: it asks nothing.", hint="burnish status")
    try:
        await Journal(here.database).answer(task.run_id, text, by)
    except UsageError as error:
        # People who type the number of a task want to read of the task.
        hint = (error.hint or "").replace(f"resume {task.run_id}", f"work {number}")
        raise UsageError(error.message.replace(f"run {task.run_id}", f"task #{number}"), hint=hint) from None
    here.queue.change(task, TaskChange("", by, "answer", view.message, text), error="")
    return Given(f"task #{number} is answered by {by}", task.run_id, number)


async def _loop(here: QueuePlace, build: RunView, loop: str, text: str, by: str) -> Given:
    saying = Saying(Way.RETRY, text, by=by)
    path, report = await answer_loop(here.place, here.database, build, loop, saying)
    return Given(f"loop {report.number} of {path} is answered by {by}", build.id, build=path)


def _of_session(here: QueuePlace, view: RunView, parent: str) -> UsageError:
    """Its session decided already how it goes on without an answer."""
    session: RunSpec = codec.validate(
        RunSpec, codec.loads(find_run(here.database, parent, this_process()).spec)
    )
    if session.session:
        hint = (
            f"put the answer into {session.session.path}, then burnish spec {session.session.path} --resume"
        )
        return UsageError(f"run {view.id} is a phase of the spec session {parent}.", hint=hint)
    return UsageError(
        f"run {view.id} belongs to the session {parent}, whose tasks are picked again.",
        hint="put the answer into the task",
    )
