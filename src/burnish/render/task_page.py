"""One task of the queue as a page: how it stands, each attempt and review, what it used, what to do next."""

from __future__ import annotations

from burnish.config.durations import in_words
from burnish.model.agent import Usage
from burnish.model.queue import TaskState, TaskView
from burnish.model.task_story import Attempt, TaskStory
from burnish.render.columns import cut
from burnish.render.next_steps import command_lines, next_steps
from burnish.render.plain import count
from burnish.render.task_why import verdict_of
from burnish.render.tasks import numbers
from burnish.sanitise import clean, clean_line

SUMMARY_CELLS = 60
BY_CELLS = 160


def task_page(story: TaskStory) -> str:
    flags = story.view.task.flags
    sections = [
        _head(story),
        _text("Prompt", story.view.task.prompt if "\n" in story.view.task.prompt.strip() else ""),
        _section("Settings of its own", [f"  {key} = {clean_line(str(v))}" for key, v in flags.items()]),
        _section("Attempts", [_attempt(one) for one in story.attempts]),
        _section("Reviews", _reviews(story)),
        _section("Used", _used(story)),
        _section("Changed by people", _changes(story)),
        _text("Answer", story.view.task.output_content),
        _section("What to do next", command_lines(next_steps(story.view, _last_file(story)))),
    ]
    return "\n\n".join(section for section in sections if section)


def _head(story: TaskStory) -> str:
    view, task = story.view, story.view.task
    rows = [
        ("task", f"#{task.number}  {task.id}"),
        ("title", clean_line(task.title)),
        ("state", _state(view)),
        (
            "why",
            f"{view.reason}: {clean_line(view.message)}".strip(": ") if view.reason or view.message else "",
        ),
        ("type", _kind(view)),
        ("group", clean_line(task.group)),
        ("needs", numbers(task.depends_on)),
        ("waits for", numbers(view.waits_for)),
        ("based on", f"#{task.based_on}" if task.based_on else ""),
        ("spec", clean_line(task.spec)),
        ("note", clean_line(task.note)),
        ("branch", f"{clean_line(view.branch)} at {(view.commit or '')[:12]}" if view.branch else ""),
        ("merged", (task.merged_at or "")[:19]),
        ("receipt", view.receipt or ""),
        ("times", _times(view)),
        ("cost", _spent(view.spent).removeprefix("cost ")),
        ("log", f".burnish/logs/{task.id}.log" if task.run_id else ""),
    ]
    return "\n".join(f"{name:10} {value}" for name, value in rows if value)


def _state(view: TaskView) -> str:
    match view.state:
        case TaskState.COMPLETED:
            return f"completed, {verdict_of(view)}"
        case TaskState.IN_PROGRESS | TaskState.INTERRUPTED if view.task.auto_review:
            by = f" by process {view.pid}" if view.pid else ""
            return f"{view.state}{by}, cycle {max(view.review_cycle, 1)} of {view.task.max_review_cycles}"
        case TaskState.FAILED if view.final_verdict:
            return f"failed, {verdict_of(view)}"
        case _:
            return str(view.state)


def _kind(view: TaskView) -> str:
    task = view.task
    auto = f", reviewed up to {task.max_review_cycles} times" if task.auto_review else ""
    return f"{task.task_type}{auto}{', a review task follows' if task.create_review else ''}"


def _times(view: TaskView) -> str:
    task = view.task
    parts = [f"added {_moment(task.created_at)}"]
    parts += [f"begun {_moment(task.started_at)}"] if task.started_at else []
    parts += [f"ended {_moment(view.completed_at)}"] if view.completed_at else []
    took = f" ({in_words(view.duration_s)})" if view.duration_s is not None else ""
    return f"{', '.join(parts)}{took} UTC"


def _moment(at: str) -> str:
    return at[:19].replace("T", " ")


def _spent(used: Usage) -> str:
    return ", ".join(part for part in (used.cost, f"{used.tokens:,} tokens" if used.tokens else "") if part)


def _attempt(one: Attempt) -> str:
    run = one.view
    if run is None:
        return f"  {one.run}  nothing is recorded about it (never begun, or cleaned)"
    what = f"{run.outcome}: {run.reason}" if run.outcome else run.shown_state
    cycles = f"{count(run.cycles, 'review')}, {count(run.fixes, 'fix')}"
    return f"  {one.run}  {_moment(run.created_at)}  {what}  {run.final_verdict or '-'}  ({cycles})"


def _reviews(story: TaskStory) -> list[str]:
    runs = [attempt.run for attempt in story.attempts]
    found = []
    for review in story.reviews:
        which = f"attempt {runs.index(review.run) + 1}, " if len(runs) > 1 else ""
        said = cut(clean_line(review.overruled or review.unclear or review.summary), SUMMARY_CELLS)
        verdict = f"{clean_line(review.verdict)}{', overruled' if review.overruled else ''}"
        found.append(f"  {which}cycle {review.cycle}: {verdict}{f': {said}' if said else ''}")
        found += [f"    by {cut(clean_line(review.by), BY_CELLS)}"] if review.by else []
        found.append(f"    {review.artifact}")
    return found


def _used(story: TaskStory) -> list[str]:
    return [f"  {role:10} {_usage(used)}" for role, used in sorted(story.used.items())]


def _usage(used: Usage) -> str:
    return ", ".join(part for part in (_spent(used), in_words(used.seconds)) if part)


def _changes(story: TaskStory) -> list[str]:
    found = []
    for change in story.changes:
        before = f" (was {clean_line(change.before)})" if change.before else ""
        why = f": {clean_line(change.why)}" if change.why else ""
        what = f"{clean_line(change.what)} {clean_line(change.after)}".strip()
        found.append(f"  {_moment(change.at)}  {clean_line(change.by)}  {what}{before}{why}")
    return found


def _last_file(story: TaskStory) -> str:
    return story.last_review.artifact if story.last_review else ""


def _section(title: str, rows: list[str]) -> str:
    return "\n".join([title, *rows]) if rows else ""


def _text(title: str, text: str) -> str:
    return _section(title, [f"  {line}".rstrip() for line in clean(text).strip().splitlines()])
