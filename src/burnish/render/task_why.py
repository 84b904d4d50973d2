"""Why a task is where it is, in sentences: `status --why`."""

from __future__ import annotations

from collections.abc import Sequence

from burnish.model.overview import Cooling
from burnish.model.queue import TaskState, TaskView
from burnish.model.task_story import CycleReview, TaskStory
from burnish.render.next_steps import command_lines, next_steps
from burnish.render.tasks import cooling_line, counted, name_of, numbers
from burnish.render.why import explain
from burnish.sanitise import clean_line

SAID_CHARS = 400


def why_lines(story: TaskStory, cooling: Sequence[Cooling] = (), now: str = "") -> list[str]:
    view, last = story.view, story.last_review
    found = [f"#{view.number} {name_of(view)}", where_it_is(view), *_reason(view)]
    found += _changed(story)
    found += _review(last) if last else []
    found += [_waits_for(story, number) for number in view.waits_for]
    if view.state in (TaskState.PENDING, TaskState.IN_PROGRESS):
        found += [cooling_line(one, now) for one in cooling]
    return [*found, "", "What to do next", *command_lines(next_steps(view, last.artifact if last else ""))]


def where_it_is(view: TaskView) -> str:
    """The state as a sentence."""
    task = view.task
    cycle = f", in cycle {max(view.review_cycle, 1)} of {task.max_review_cycles}" if task.auto_review else ""
    match view.state:
        case TaskState.PENDING if view.blocked_by:
            return f"It is pending and will stay so: {numbers(view.blocked_by)} ended without what it needs."
        case TaskState.PENDING if view.waits_for:
            return f"It is pending: it waits for {numbers(view.waits_for)}."
        case TaskState.PENDING:
            return "It is pending and ready: `burnish work` takes the ready tasks by their numbers."
        case TaskState.IN_PROGRESS:
            return f"It is in progress{cycle}: process {view.pid} works on it."
        case TaskState.INTERRUPTED:
            why = clean_line(view.message) or "its process is gone"
            return f"It was interrupted{cycle}: {why}. `burnish work` goes on with it by itself."
        case TaskState.COMPLETED:
            other = "" if view.judged == view.final_verdict else f" The last word on its work: {view.judged}."
            merged = f" It was merged on {task.merged_at[:10]}." if task.merged_at else ""
            return f"It is completed: {verdict_of(view)}.{other}{merged}"
        case TaskState.FAILED:
            return f"It failed{f' ({view.final_verdict})' if view.final_verdict else ''}."
        case TaskState.CANCELLED:
            return "It was cancelled; what it made so far is kept."


def verdict_of(view: TaskView) -> str:
    after = f" after {counted(view.cycles, 'cycle')}" if view.cycles else ""
    if view.final_verdict:
        return f"{view.final_verdict}{after}"
    return f"not reviewed{after}" if view.task.task_type.writes else "its answer is there"


def _reason(view: TaskView) -> list[str]:
    if view.reason == "not_started":
        return [
            f"not_started: It could not even be started: {clean_line(view.message)}",
            "what to do: Mend that, then retry it.",
        ]
    if view.state is TaskState.INTERRUPTED:
        return []
    if not view.reason or view.state is TaskState.IN_PROGRESS:
        return [f"said: {clean_line(view.message)}"] if view.message else []
    said = explain(view.reason, view.message, str(view.number))
    # A receipt belongs to a run.
    return said.replace(f"receipt verify {view.number}`", f"receipt verify {view.task.run_id}`").splitlines()


def _changed(story: TaskStory) -> list[str]:
    """What a person changed about where it stands; the rest is in `show`."""
    told = [change for change in story.changes if change.what in ("verdict", "cancel", "retry", "answer")][
        -1:
    ]
    return [
        f"{clean_line(change.by)} said so on {change.at[:16].replace('T', ' ')} UTC: {change.what}"
        f" {clean_line(change.after)}{f' ({clean_line(change.why)})' if change.why else ''}"
        for change in told
    ]


def _review(last: CycleReview) -> list[str]:
    said = clean_line(last.summary)
    said = f": {said[:SAID_CHARS]}{'…' if len(said) > SAID_CHARS else ''}" if said else ""
    found = [f"The last review (cycle {last.cycle}) said {clean_line(last.verdict)}{said}"]
    found += [f"  overruled: {clean_line(last.overruled)}"] if last.overruled else []
    found += [f"  unclear: {clean_line(last.unclear)}"] if last.unclear else []
    return [*found, f"  {last.artifact}"]


def _waits_for(story: TaskStory, number: int) -> str:
    other = story.others.get(number)
    if other is None:
        return f"  #{number} is no longer in the queue."
    verdict = f" ({other.final_verdict})" if other.final_verdict else ""
    more = f": {clean_line(other.message or other.reason)}" if other.state is TaskState.FAILED else ""
    return f"  #{number} {name_of(other)} is {other.state}{verdict}{more}."
