"""A review at work, as a pure fold of its events: phases, dimensions, and the groups of its fixes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from burnish.model.dimension import Dimension
from burnish.model.events import Recorded, RunFinished, RunInterrupted, StepFailed, StepFinished, StepStarted
from burnish.model.review import Severity
from burnish.model.step import Role, Step
from burnish.render.plain import count


class State(StrEnum):
    PENDING = "pending"
    WORKING = "in_progress"
    DONE = "completed"
    SKIPPED = "skipped"
    FAILED = "failed"


REVIEW_PHASES = {
    1: "Discovery & Initialization",
    2: "Parallel Reviews ({} dimensions)",
    3: "Aggregation",
    4: "Deep-dive (conditional)",
    5: "Review Completion",
}
FIX_PHASES = {6: "Fix Discovery & Batching", 7: "Parallel Planning", 8: "Execution", 9: "Fix Completion"}


@dataclass(frozen=True)
class Row:
    """One dimension, or one group of fixes."""

    state: State = State.PENDING
    counts: Mapping[str, int] = field(default_factory=dict)
    said: str = ""
    name: str = ""


@dataclass(frozen=True)
class ReviewView:
    """`rows` are the dimensions asked for; `working` names the tools at work right now."""

    rows: Mapping[str, Row]
    phases: Mapping[int, State]
    groups: Mapping[str, Row] = field(default_factory=dict)
    working: tuple[str, ...] = ()
    cycle: int = 1
    ended: str = ""

    def phase_name(self, number: int) -> str:
        names = REVIEW_PHASES | FIX_PHASES
        return f"Phase {number}: {names[number].format(len(self.rows))}"


def first_view(dimensions: tuple[Dimension, ...]) -> ReviewView:
    """C-71: five phases; the first is over when a run begins, since the run is about what it found."""
    phases = dict.fromkeys(REVIEW_PHASES, State.PENDING) | {1: State.DONE}
    return ReviewView({dimension.value: Row() for dimension in dimensions}, phases)


def fold(view: ReviewView, recorded: Recorded) -> ReviewView:
    """The view after one more event."""
    match recorded.event:
        case StepStarted(step) if step.role is Role.REVIEW:
            return _review_started(view, step)
        case StepFinished(step, kind, result) if step.role is Role.REVIEW:
            return _review_finished(view, step, kind, result)
        case StepStarted(step) if step.role is Role.FIX:
            return _fix_started(view, step)
        case StepFinished(step, kind, result) if step.role is Role.FIX:
            return _fix_finished(view, step, kind, result)
        case StepFailed(step, _, message) if step.phase == "dimension":
            return _row(view, step.part, state=State.FAILED, said=message)
        case RunFinished(outcome):
            return replace(view, ended=str(outcome), working=())
        case RunInterrupted(why):
            return replace(view, ended=f"interrupted ({why})", working=())
        case _:
            return view


def _review_started(view: ReviewView, step: Step) -> ReviewView:
    match step.phase:
        case "analyse":
            if step.cycle != view.cycle:
                fresh = {name: Row() for name in view.rows}
                phases = {**view.phases, **dict.fromkeys((2, 3, 4, 5), State.PENDING)}
                view = replace(view, rows=fresh, phases=phases, cycle=step.cycle)
            rows = {n: replace(row, state=State.WORKING) for n, row in view.rows.items()}
            view = _phase(replace(view, rows=rows), 2, State.WORKING)
            return replace(view, working=(*view.working, step.part))
        case "dimension":
            return _row(_phase(view, 2, State.WORKING), step.part, state=State.WORKING)
        case phase if phase.startswith("dive"):
            view = replace(view, working=(*view.working, step.part))
            return _phase(_phase(view, 3, State.DONE), 4, State.WORKING)
        case _:
            dived = view.phases[4] in (State.WORKING, State.DONE)
            view = _phase(_phase(view, 3, State.DONE), 4, State.DONE if dived else State.SKIPPED)
            return _phase(view, 5, State.WORKING)


def _review_finished(view: ReviewView, step: Step, kind: str, result: Any) -> ReviewView:
    view = replace(view, working=tuple(name for name in view.working if name != step.part))
    match kind:
        case "Analysis":
            for finding in result["findings"]:
                view = _counted(view, finding)
            return view
        case "DimensionReport":
            said = result["failed"] or result["degraded"] or _who(result)
            state = State.FAILED if result["failed"] else State.DONE
            view = _row(view, step.part, state=state, said=said, counts=_counts(result["findings"]))
            over = all(row.state in (State.DONE, State.FAILED) for row in view.rows.values())
            return _phase(view, 2, State.DONE) if over else view
        case "Review":
            return _phase(view, 5, State.DONE)
        case _:
            return view


def _fix_started(view: ReviewView, step: Step) -> ReviewView:
    if 6 not in view.phases:
        view = replace(view, phases={**view.phases, **dict.fromkeys(FIX_PHASES, State.PENDING)})
    match step.phase:
        case "plan":
            return _phase(_phase(view, 6, State.DONE), 7, State.WORKING)
        case "group":
            view = _phase(_phase(view, 7, State.DONE), 8, State.WORKING)
            return _group(view, step.part, state=State.WORKING)
        case "summary":
            return _phase(_phase(view, 8, State.DONE), 9, State.WORKING)
        case _:
            return view


def _fix_finished(view: ReviewView, step: Step, kind: str, result: Any) -> ReviewView:
    match kind:
        case "FixPlan":
            for group in result["groups"]:
                view = _group(
                    view, group["id"], name=group["name"], said=count(len(group["findings"]), "finding")
                )
            return view
        case "GroupResult":
            ends = Counter(fix["result"] for fix in result["fixes"])
            said = result["failed"] or ", ".join(f"{number} {word}" for word, number in ends.items())
            state = State.FAILED if result["failed"] else State.DONE
            return _group(view, step.part, state=state, said=said, counts=ends)
        case "FixOutcome":
            return _phase(view, 9, State.DONE)
        case _:
            return view


def _who(report: Any) -> str:
    return str(report["agent"])


def _counts(findings: list[Any]) -> dict[str, int]:
    found = dict.fromkeys((str(severity) for severity in Severity), 0)
    for finding in findings:
        found[finding["severity"]] += 1
    return found


def _counted(view: ReviewView, finding: Any) -> ReviewView:
    """While analysers work, a dimension's count grows; its report then has the last word."""
    row = view.rows.get(finding["dimension"])
    if row is None:
        return view
    counts = {**row.counts, finding["severity"]: row.counts.get(finding["severity"], 0) + 1}
    return _row(view, finding["dimension"], counts=counts)


def _row(view: ReviewView, name: str, **changes: Any) -> ReviewView:
    return replace(view, rows={**view.rows, name: replace(view.rows.get(name, Row()), **changes)})


def _group(view: ReviewView, key: str, **changes: Any) -> ReviewView:
    return replace(view, groups={**view.groups, key: replace(view.groups.get(key, Row()), **changes)})


def _phase(view: ReviewView, number: int, state: State) -> ReviewView:
    return replace(view, phases={**view.phases, number: state})
