"""A person's answer to what a run, a task or a loop asks: recorded first, then gone on with."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from burnish import codec
from burnish.app.build_facts import Way
from burnish.app.build_verbs import Saying, answer_loop
from burnish.app.named import find_named
from burnish.app.queue_place import QueuePlace, whoami
from burnish.app.spec import RunSpec
from burnish.errors import UsageError
from burnish.model.question import WAITING
from burnish.model.queue import TaskChange, TaskState, TaskView
from burnish.model.run_view import RunView
from burnish.store.journal import Journal
from burnish.store.leases import this_process
from burnish.store.queries import find_run, parent_of
from burnish.store.recorder import no_point

MOST_CHARS = 20_000
_LOOP = re.compile(r"(r-[a-z0-9]+)-[0-9]+")


@dataclass(frozen=True)
class Given:
    """An answer that is recorded, and what goes on with it: a run, a task of the queue, a build, or slots."""

    said: str
    run: str
    task: int | None = None
    build: str = ""
    slots: bool = False


@dataclass(frozen=True)
class _Said:
    """Who says what, and the journal that it goes into."""

    text: str
    by: str
    journal: Journal


async def give_answer(
    here: QueuePlace, wanted: str, text: str, by: str = "", on_point: Callable[[str], None] = no_point
) -> Given:
    """Record an answer in the name of `by`; raises UsageError where nothing waits for one."""
    text, by = text.strip(), by.strip() or whoami()
    if not text:
        raise UsageError("expected an answer in words, found nothing.", hint="burnish answer RUN 'use euros'")
    if len(text) > MOST_CHARS:
        raise UsageError(f"expected an answer of at most {MOST_CHARS:,} characters, found {len(text):,}.")
    said = _Said(text, by, Journal(here.database, on_point=on_point))
    if found := _LOOP.fullmatch(wanted.strip()):
        return await _loop(here, find_run(here.database, found[1], this_process()), found[0], said)
    named, _ = find_named(here, wanted)
    if isinstance(named, TaskView):
        return await _task(here, named, said)
    return await _run(here, named, said)


async def _run(here: QueuePlace, view: RunView, said: _Said) -> Given:
    spec: RunSpec = codec.validate(RunSpec, codec.loads(view.spec))
    parent = parent_of(here.database, view.id)
    if spec.build:
        return await _loop(here, view, "", said)
    if spec.loop and parent:
        return await _loop(here, find_run(here.database, parent, this_process()), view.id, said)
    if parent and _in_slots(here, view, parent):
        await said.journal.answer(view.id, said.text, said.by)
        return Given(f"the slot's run {view.id} is answered by {said.by}", view.id, slots=True)
    if parent:
        raise _of_session(here, view, parent)
    task = here.queue.of_run(view.id)
    if task is not None:
        if task.run_id != view.id:
            raise UsageError(
                f"run {view.id} is an earlier attempt at task #{task.number}.",
                hint=f"burnish status --why {task.number} tells how the task stands",
            )
        return await _task(here, here.queue.find(task.number), said)
    await said.journal.answer(view.id, said.text, said.by)
    return Given(f"run {view.id} is answered by {said.by}", view.id)


async def _task(here: QueuePlace, view: TaskView, said: _Said) -> Given:
    task, number = view.task, view.number
    if task.final_verdict:
        raise UsageError(
            f"task #{number} has a verdict that a person gave: {task.final_verdict}.",
            hint=f"burnish retry {number} --fresh starts over",
        )
    if task.run_id is None or view.state in (TaskState.PENDING, TaskState.CANCELLED):
        raise UsageError(f"task #{number} is {view.state}: it asks nothing.", hint="burnish status")
    try:
        await said.journal.answer(task.run_id, said.text, said.by)
    except UsageError as error:
        # People who type the number of a task want to read of the task.
        hint = (error.hint or "").replace(f"resume {task.run_id}", f"work {number}")
        raise UsageError(error.message.replace(f"run {task.run_id}", f"task #{number}"), hint=hint) from None
    here.queue.change(task, TaskChange("", said.by, "answer", view.message, said.text), error="")
    return Given(f"task #{number} is answered by {said.by}", task.run_id, number)


async def _loop(here: QueuePlace, build: RunView, loop: str, said: _Said) -> Given:
    saying = Saying(Way.RETRY, said.text, by=said.by)
    path, report = await answer_loop(here.place, here.database, build, loop, saying)
    # Wherever the person stands: the document is named from the top of the repository.
    document = here.place.repository.root / path
    named = path if document.resolve() == Path(path).resolve() else str(document)
    return Given(f"loop {report.number} of {path} is answered by {said.by}", build.id, build=named)


def _in_slots(here: QueuePlace, view: RunView, parent: str) -> bool:
    """Whether its slot goes on where it was, if it asks: its session has not ended. Else it says why not."""
    session = find_run(here.database, parent, this_process())
    spec: RunSpec = codec.validate(RunSpec, codec.loads(session.spec))
    return spec.slots is not None and (session.outcome is None or view.reason not in WAITING)


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
