"""Tasks of the queue as the lines of `status` (conformance G-62 to G-64)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from burnish.model.agent import spent
from burnish.model.overview import Cooling, DayUse, Overview
from burnish.model.queue import TaskState, TaskView
from burnish.render.columns import cells, cut, filled
from burnish.render.waiting import asking_tasks, waiting_lines
from burnish.sanitise import clean_line

PROMPT_CHARS = 50
LEAST_NAME = 16
NAMED = 8
APPROVED = "APPROVED"
ICONS = {
    TaskState.COMPLETED: "✓",
    TaskState.IN_PROGRESS: "→",
    TaskState.INTERRUPTED: "‖",
    TaskState.FAILED: "✗",
    TaskState.PENDING: "○",
    TaskState.CANCELLED: "-",
}
_STYLES = {
    TaskState.COMPLETED: "green",
    TaskState.IN_PROGRESS: "cyan",
    TaskState.INTERRUPTED: "yellow",
    TaskState.FAILED: "red",
    TaskState.PENDING: "",
    TaskState.CANCELLED: "dim",
}
_CODES = {"green": "32", "cyan": "36", "yellow": "33", "red": "31", "dim": "2", "bold": "1"}

# Pieces of a line, each with the name of a style that rich knows too.
Line = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Shape:
    """How wide the columns are, so that all lines of a list fit below each other."""

    digits: int
    name: int

    @classmethod
    def of(cls, views: Sequence[TaskView], names: Sequence[str], width: int | None) -> Shape:
        digits = len(str(max((view.number for view in views), default=1)))
        name = max(map(cells, names), default=0)
        if width is not None:
            standing = max((cells(standing_of(view)) for view in views), default=0)
            # Before the name: two blanks, icon, blank, number, dot, blank; behind it four.
            name = min(name, max(width - 6 - digits - 4 - standing, LEAST_NAME))
        return cls(digits, name)


def lines(views: Sequence[TaskView], width: int | None = None) -> list[str]:
    """One line a task, aligned; no wider than `width`, where that can be done by cutting titles."""
    return [plain(line) for line in _rows(views, width)]


def _rows(views: Sequence[TaskView], width: int | None) -> list[Line]:
    names = [name_of(view) for view in views]
    shape = Shape.of(views, names, width)
    return [_row(view, name, shape) for view, name in zip(views, names, strict=True)]


def _row(view: TaskView, name: str, shape: Shape) -> Line:
    shown = filled(cut(name, shape.name), shape.name)
    style = "yellow" if needs_person(view) and view.state is TaskState.COMPLETED else _STYLES[view.state]
    return (
        (f"  {ICONS[view.state]} ", style),
        (f"{view.number:>{shape.digits}}. {shown}    ", ""),
        (standing_of(view), style),
    )


def overview(seen: Overview, views: Sequence[TaskView], width: int | None = None) -> list[Line]:
    """The whole screen: tasks below their groups, who is waited for, the budget, and the sums."""
    if not views:
        empty: Line = (("the queue is empty; add a task with: burnish add 'What to do'", ""),)
        return [empty, *_asking(seen, views, width)]
    groups: dict[str, list[Line]] = {}
    for view, row in zip(views, _rows(views, width), strict=True):
        groups.setdefault(view.task.group, []).append(row)
    found: list[Line] = []
    for name, rows in groups.items():
        if len(groups) > 1:
            found.append(((clean_line(name) or "(no group)", "bold"),))
        found += rows
    return [*found, (), *footer(seen, views, width)]


def footer(seen: Overview, views: Sequence[TaskView], width: int | None = None) -> list[Line]:
    found: list[Line] = [((cooling_line(one, seen.at), "yellow"),) for one in seen.cooling]
    if seen.day:
        found.append(((day_line(seen.day), ""),))
    found.append(((sums(views), ""),))
    if waiting := [view.number for view in views if needs_person(view)]:
        found.append(((persons(waiting), "yellow"),))
    return [*found, *_asking(seen, views, width)]


def _asking(seen: Overview, views: Sequence[TaskView], width: int | None) -> list[Line]:
    return [((line, "yellow"),) for line in waiting_lines([*asking_tasks(views), *seen.waiting], width)]


def plain(line: Line) -> str:
    return "".join(text for text, _ in line).rstrip()


def coloured(line: Line) -> str:
    """For a terminal; the texts are clean already."""
    return "".join(f"\x1b[{_CODES[style]}m{text}\x1b[0m" if style and text else text for text, style in line)


def name_of(view: TaskView) -> str:
    # Cut before it is cleaned: a prompt may be one line of a hundred thousand letters.
    title = cut(clean_line(view.task.title[: 4 * PROMPT_CHARS]), PROMPT_CHARS)
    return f"{view.task.task_type} {title}"


def standing_of(view: TaskView) -> str:
    task = view.task
    match view.state:
        case TaskState.COMPLETED if view.final_verdict:
            return f"completed  {view.final_verdict}{_after(view)}{_merged(view)}"
        case TaskState.COMPLETED if view.task.merged_at:
            return f"completed {_merged(view)}"
        case TaskState.IN_PROGRESS | TaskState.INTERRUPTED if task.auto_review:
            return f"{view.state} (cycle {max(view.review_cycle, 1)}/{task.max_review_cycles})"
        case TaskState.FAILED:
            both = [clean_line(word) for word in (view.final_verdict, view.reason) if word]
            return f"failed     {' '.join(both[:1])}{f' ({both[1]})' if len(both) > 1 else ''}".rstrip()
        case TaskState.PENDING if view.blocked_by:
            return f"pending    blocked by {numbers(view.blocked_by)}"
        case TaskState.PENDING if view.waits_for:
            return f"pending    waits for {numbers(view.waits_for)}"
        case _:
            return str(view.state)


def _after(view: TaskView) -> str:
    return f" ({counted(view.cycles, 'cycle')})" if view.cycles else ""


def _merged(view: TaskView) -> str:
    return " merged" if view.task.merged_at else ""


def sums(views: Sequence[TaskView]) -> str:
    """`5 tasks: 2 completed, 1 failed, 2 pending; $0.04 (reported) and 3,000 tokens so far`."""
    found = Counter(view.state for view in views)
    states = ", ".join(f"{found[state]:,} {state}" for state in TaskState if found[state])
    costs = [view.cost_usd for view in views if view.cost_usd is not None]
    tokens = sum(view.tokens for view in views)
    total = spent(
        tokens,
        sum(costs) if costs else None,
        estimated=any(view.estimated for view in views),
        unpriced=any(view.unpriced for view in views),
    )
    used = [part for part in (total.cost, f"{tokens:,} tokens" if tokens else "") if part]
    so_far = f"; {' and '.join(used)} so far" if used else ""
    return f"{counted(len(views), 'task')}: {states}{so_far}"


def persons(waiting: Sequence[int]) -> str:
    verb = "needs" if len(waiting) == 1 else "need"
    return f"{len(waiting):,} {verb} a person: {numbers(waiting)} (burnish status --why {waiting[0]})"


def cooling_line(one: Cooling, now: str) -> str:
    """`codex: rate limit, next try at 03:12:40`, by the clock on the wall."""
    until = datetime.fromisoformat(one.until).astimezone()
    far = until - datetime.fromisoformat(now) > timedelta(hours=20)
    when = f"{until:%Y-%m-%d %H:%M:%S}" if far else f"{until:%H:%M:%S}"
    return f"{clean_line(one.agent)}: {clean_line(one.why) or 'rate limit'}, next try at {when}"


def day_line(day: DayUse) -> str:
    """`the last 24 hours: $3.20 (reported) of $10.00, 5,000 of 1,000,000 tokens`."""
    parts = []
    if day.cost_usd is not None:
        used = day.used.cost.removeprefix("cost ") if day.used.cost_usd or day.used.unpriced else "$0.00"
        parts.append(f"{used} of ${day.cost_usd:,.2f}")
    if day.tokens is not None:
        parts.append(f"{day.used.tokens:,} of {day.tokens:,} tokens")
    if day.minutes is not None:
        parts.append(f"{day.used.seconds / 60:,.0f} of {day.minutes:,.0f} minutes")
    return f"the last 24 hours: {', '.join(parts)}"


def numbers(found: Sequence[int]) -> str:
    more = f" and {len(found) - NAMED} more" if len(found) > NAMED else ""
    return ", ".join(f"#{number}" for number in found[:NAMED]) + more


def counted(number: int, word: str) -> str:
    return f"{number:,} {word}" if number == 1 else f"{number:,} {word}s"


def needs_person(view: TaskView) -> bool:
    """Over without approval, or waiting in vain: what somebody should look at in the morning."""
    if view.state is TaskState.FAILED or view.blocked_by:
        return True
    judged = view.judged or view.final_verdict
    return view.state is TaskState.COMPLETED and judged not in (None, APPROVED) and not view.attended
