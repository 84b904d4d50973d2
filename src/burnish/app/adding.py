"""New tasks: what a user asked for, completed by the settings, put into the queue."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from burnish import codec
from burnish.app.queue_place import QueuePlace, task_name
from burnish.config.load import Flag, Loaded
from burnish.config.task_types import resolve
from burnish.errors import UsageError
from burnish.git.committed import read_file
from burnish.model.queue import QueueTask, TaskType
from burnish.store.clock import SystemClock

MOST_CHARS = 200_000
# As the command line calls what is kept with a task.
FLAG_NAMES = {
    "agents.implementer": "--implementer",
    "agents.reviewer": "--reviewer",
    "agents.fixer": "--fixer",
    "agents.fixer_session": "--resume-fixer",
    "gate.command": "--gate",
    "budget.task_cost_usd": "--max-cost",
    "budget.task_tokens": "--max-tokens",
    "budget.task_minutes": "--max-time",
}


@dataclass(frozen=True)
class NewTask:
    """As it was typed. None is what was not said: the settings decide then, once, when the task is added."""

    prompt: str
    task_type: TaskType = TaskType.IMPLEMENT
    auto_review: bool | None = None
    max_cycles: int | None = None
    depends_on: tuple[int, ...] = ()
    based_on: int | None = None
    same_branch: bool = False
    create_review: bool = False
    group: str = ""
    spec: str = ""
    note: str = ""
    flags: Mapping[str, Any] = field(default_factory=dict)


async def add_tasks(here: QueuePlace, *wanted: NewTask) -> tuple[QueueTask, ...]:
    """All of them, or none and a sentence."""
    at = SystemClock().now()
    tasks, settled_by = [], dict[str, Loaded]()
    for new in (_with_words(here, new) for new in wanted):
        _check(new)
        given = codec.dumps(dict(new.flags), sort_keys=True)
        if given not in settled_by:
            # A file may bring thousands of tasks, all with the same settings.
            settled_by[given] = await check_settings(here, new.flags)
        loaded = settled_by[given]
        if new.spec and await read_file(here.place.repository, here.place.repository.head, new.spec) is None:
            raise UsageError(
                f"expected a spec at {new.spec!r} in the repository, found none in HEAD.",
                hint="commit it first",
            )
        settled = resolve(loaded.settings, new.task_type)
        auto = settled.auto_review if new.auto_review is None else new.auto_review
        cycles = settled.max_review_cycles if new.max_cycles is None else new.max_cycles
        tasks.append(
            QueueTask(
                id=task_name(at, new.prompt),
                number=0,
                prompt=new.prompt.strip(),
                task_type=new.task_type,
                group=new.group,
                depends_on=tuple(dict.fromkeys(new.depends_on)),
                based_on=new.based_on,
                same_branch=new.same_branch,
                create_review=new.create_review,
                spec=new.spec,
                note=new.note,
                auto_review=auto and new.task_type.writes,
                max_review_cycles=cycles,
                flags=new.flags,
            )
        )
    return here.queue.add(*tasks)


async def check_settings(here: QueuePlace, flags: Mapping[str, Any]) -> Loaded:
    """What holds with these; raises UsageError for a value that no run could have."""
    named = {key: Flag(FLAG_NAMES.get(key, key), value) for key, value in flags.items()}
    return await here.settings(named)


def _with_words(here: QueuePlace, new: NewTask) -> NewTask:
    """A review or an improvement says what it is about also without words of its own."""
    about = new.based_on or next(iter(new.depends_on), None)
    if new.prompt.strip() or about is None or new.task_type not in (TaskType.REVIEW, TaskType.IMPROVE):
        return new
    title = here.queue.find(about).task.title
    return replace(new, prompt=f"{new.task_type.capitalize()} #{about}: {title}")


def _check(new: NewTask) -> None:
    if not new.prompt.strip():
        raise UsageError(
            "expected what to do, found an empty prompt.", hint="burnish add 'Add input validation'"
        )
    if len(new.prompt) > MOST_CHARS:
        raise UsageError(f"the prompt has {len(new.prompt)} characters; at most {MOST_CHARS} are taken.")
    if new.auto_review and not new.task_type.writes:
        raise UsageError(
            f"tasks of type {new.task_type} are not reviewed: --auto-review is for those that write."
        )
    if new.task_type in (TaskType.REVIEW, TaskType.IMPROVE) and new.based_on is None and not new.depends_on:
        raise UsageError(
            f"a task of type {new.task_type} needs the task whose work it is about.",
            hint=f"burnish add ... --type {new.task_type} --depends-on 29",
        )
