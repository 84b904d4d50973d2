"""The morning report sorted for reading: what needs somebody first, then what is done, then what is left."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from enum import StrEnum

from burnish.config.durations import in_words
from burnish.model.morning import Morning, Told
from burnish.model.queue import TaskState, TaskView
from burnish.model.step import Role
from burnish.render.next_steps import Commands, next_steps
from burnish.render.tasks import needs_person, numbers
from burnish.sanitise import clean_line

COMMANDS = 12


class Part(StrEnum):
    PERSON = "Needs a person"
    FAILED = "Failed"
    APPROVED = "Approved"
    DONE = "Done without a review"
    CANCELLED = "Cancelled"
    RUNNING = "Not over yet"
    WAITING = "Waiting"


def part_of(view: TaskView) -> Part:
    match view.state:
        case TaskState.FAILED:
            return Part.FAILED
        case TaskState.CANCELLED:
            return Part.CANCELLED
        case TaskState.IN_PROGRESS | TaskState.INTERRUPTED:
            return Part.RUNNING
        case _ if needs_person(view):
            return Part.PERSON
        case TaskState.PENDING:
            return Part.WAITING
        case _:
            return _done(view)


def _done(view: TaskView) -> Part:
    """What another task refused and will see to is not done: it waits for that."""
    if view.judged == "APPROVED":
        return Part.APPROVED
    return Part.WAITING if view.attended and view.judged else Part.DONE


def parts(told: Sequence[Told]) -> dict[Part, list[Told]]:
    """In the order to read them; only those that have something."""
    found: dict[Part, list[Told]] = {part: [] for part in Part}
    for one in told:
        found[part_of(one.view)].append(one)
    return {part: members for part, members in found.items() if members}


def summary(morning: Morning) -> str:
    """`3 approved, 1 failed, 2 waiting`."""
    counts = [_counted(part, len(members)) for part, members in parts(morning.tasks).items()]
    return ", ".join(counts) or "nothing happened, and nothing waits"


def _counted(part: Part, number: int) -> str:
    words = "need a person" if part is Part.PERSON and number > 1 else part.lower()
    return f"{number:,} {words}"


def used(morning: Morning) -> str:
    spent = morning.used
    tokens = f"{spent.tokens:,} tokens" if spent.tokens else ""
    worked = f"{in_words(spent.seconds)} of agents' time" if spent.seconds else ""
    return ", ".join(part for part in (spent.cost, tokens, worked) if part)


def why_of(one: Told) -> str:
    """In a line, why a task is not simply done."""
    view = one.view
    if view.blocked_by:
        return f"waits in vain for {numbers(view.blocked_by)}"
    if view.waits_for:
        return f"waits for {numbers(view.waits_for)}"
    if view.state is TaskState.FAILED:
        return clean_line(view.message or view.reason)
    if view.state in (TaskState.IN_PROGRESS, TaskState.INTERRUPTED):
        cycle = f", cycle {max(view.review_cycle, 1)} of {view.task.max_review_cycles}"
        return f"{view.state}{cycle if view.task.auto_review else ''}"
    if part_of(view) is Part.PERSON:
        return clean_line(one.said or view.message or view.reason)
    return ""


def verdict(view: TaskView) -> str:
    return view.final_verdict or ("" if view.state is TaskState.PENDING else str(view.state))


def cost(view: TaskView) -> str:
    return view.spent.cost.removeprefix("cost ")


def took(one: Told, role: Role, until: datetime) -> str:
    """How long a role worked on it in this time."""
    found = [
        (span.end or until) - span.start for span in one.spans if span.role is role and drawn(one, span.end)
    ]
    return in_words(sum(found, timedelta()).total_seconds()) if found else ""


def drawn(one: Told, end: datetime | None) -> bool:
    """A step without an end goes on only while somebody works on the task; else its end is unknown."""
    return end is not None or one.view.state is TaskState.IN_PROGRESS


def commands(morning: Morning) -> Commands:
    """What to type next: about what needs somebody, then about what is ready to be taken or done."""
    sorted_out = parts(morning.tasks)
    found: Commands = []
    for part in (Part.PERSON, Part.FAILED):
        for one in sorted_out.get(part, ()):
            found.append((f"burnish status --why {one.view.number}", "why, and what to do about it"))
    for one in sorted_out.get(Part.APPROVED, ()):
        if not one.view.task.merged_at and one.view.branch:
            found += [step for step in next_steps(one.view) if step[0].startswith("burnish merge")]
    left = len(found) - COMMANDS
    found = found[:COMMANDS]
    if left > 0:
        found.append(("burnish status", f"{left:,} more like these"))
    if Part.WAITING in sorted_out or Part.RUNNING in sorted_out:
        found.append(("burnish work --all", "go on with what is not done"))
    return found
