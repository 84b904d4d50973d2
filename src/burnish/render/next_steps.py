"""What a person can do about a task now, as commands to type."""

from __future__ import annotations

from burnish.model.queue import TaskState, TaskType, TaskView
from burnish.render.tasks import APPROVED
from burnish.render.waiting import answer_command, task_asks

Commands = list[tuple[str, str]]


def next_steps(view: TaskView, review: str = "") -> Commands:
    """Command and what it does. `review` is the file of the last review."""
    number = view.number
    found = _by_state(view, review)
    if not task_asks(view):
        return found
    # Trying again what did not fail only asks the same again.
    again = f"burnish retry {number}"
    return [
        (answer_command(str(number)), "answer, and it goes on"),
        *(one for one in found if one[0] != again),
    ]


def _by_state(view: TaskView, review: str) -> Commands:
    number = view.number
    match view.state:
        case TaskState.PENDING if view.waits_for:
            return _waiting(view)
        case TaskState.PENDING:
            return [(f"burnish work {number}", "do it now")]
        case TaskState.IN_PROGRESS:
            return [(f"burnish log {number} -f", "follow it"), (f"burnish cancel {number}", "end it")]
        case TaskState.INTERRUPTED:
            return [
                (f"burnish work {number}", "go on where it was"),
                (f"burnish cancel {number}", "give it up"),
            ]
        case TaskState.CANCELLED:
            return [(f"burnish retry {number}", "go on where it was"), (f"burnish rm {number}", "forget it")]
        case TaskState.FAILED:
            return [
                (f"burnish log {number}", "see what happened"),
                (f"burnish retry {number}", "go on at the phase that failed"),
                (f"burnish retry {number} --fresh", "start over"),
            ]
        case _:
            return _completed(view, review)


def _waiting(view: TaskView) -> Commands:
    if view.blocked_by:
        first = view.blocked_by[0]
        return [
            (f"burnish status --why {first}", "see what it waits for in vain"),
            (f"burnish edit {view.number} --depends-on 0", "let it wait for nothing"),
        ]
    return [("burnish work --all", "do what it waits for, then this")]


def _completed(view: TaskView, review: str) -> Commands:
    number = view.number
    if not view.task.task_type.writes:
        read = (f"burnish show {number}", "read what it came to")
        do_it = f"burnish add 'Do what was planned' -a --depends-on {number}"
        return [read, (do_it, "have it done")] if view.task.task_type is TaskType.PLAN else [read]
    look = (f"burnish diff {number}", "see what it changed")
    if view.task.merged_at:
        return [look]
    if view.attended:
        return [look, ("burnish work --all", "do the tasks about it that are still to come")]
    # The last word on this work, which may be another task's.
    if view.judged == APPROVED:
        return [look, (f"burnish merge {number}", "take it into your branch")]
    if view.judged is None:
        review = f"burnish add 'Review it' --type review --depends-on {number}"
        return [
            look,
            (review, "have it reviewed"),
            (f"burnish merge {number} --anyway", "take it unreviewed"),
        ]
    return [
        *([(f"cat {review}", "read the last review")] if review else []),
        (f"burnish improve {number} --review", "have what it asks for done, and reviewed again"),
        (f"burnish edit {number} --verdict {APPROVED}", "approve it yourself"),
        *_more_cycles(view),
    ]


def _more_cycles(view: TaskView) -> Commands:
    if view.final_verdict != "MAX_CYCLES_REACHED":
        return []
    number, more = view.number, view.cycles + 2
    both = f"burnish edit {number} --max-cycles {more} && burnish retry {number}"
    return [(both, "let the loop go on")]


def command_lines(steps: Commands) -> list[str]:
    wide = max((len(command) for command, _ in steps), default=0)
    return [f"  {command:<{wide}}  {what}" for command, what in steps]
