"""Events as plain lines, for logs and everything that is not a terminal."""

from __future__ import annotations

from typing import Any, TextIO

from burnish.model.events import (
    Event,
    Noticed,
    QuestionAnswered,
    QuestionAsked,
    Recorded,
    RunFinished,
    RunInterrupted,
    RunReopened,
    RunResumed,
    RunStarted,
    StepFailed,
    StepFinished,
    StepStarted,
)
from burnish.model.outcome import Outcome
from burnish.model.question import WAITING
from burnish.model.step import Role
from burnish.render.parts import PARTS, part
from burnish.render.waiting import answer_command
from burnish.sanitise import clean_line

_ASKING = {"implement": "implementer", "review": "reviewer", "fix": "fixer"}


class PrintedLines:
    """A listener that prints what `_lines` makes of an event, behind a label where it has one."""

    def __init__(self, out: TextIO, label: str = "") -> None:
        self._out = out
        self._label = f"{label}: " if label else ""

    def __call__(self, recorded: Recorded) -> None:
        for line in self._lines(recorded):
            self._out.write(f"{self._label}{clean_line(line)}\n")
        self._out.flush()

    def _lines(self, recorded: Recorded) -> list[str]:
        return lines(recorded.run, recorded.event)


class PlainLines:
    def __init__(self, out: TextIO, *, times: bool = False) -> None:
        self.out = out
        self.times = times

    def __call__(self, recorded: Recorded) -> None:
        when = f"{recorded.at[:19]}Z " if self.times else ""
        for text in lines(recorded.run, recorded.event):
            self.out.write(when + clean_line(text) + "\n")
        self.out.flush()


def lines(run: str, event: Event) -> list[str]:
    """What a person wants to read about an event, in one or a few lines."""
    match event:
        case RunStarted():
            unit = f"at most {count(event.limit, 'fix' if event.limit_unit == 'fixes' else 'review')}"
            return [f"{run}: {event.title} (profile {event.profile}, contract {event.contract}, {unit})"]
        case RunResumed(finished_steps):
            return [f"{run}: resumed, {finished_steps} finished steps are kept"]
        case RunReopened(forgot):
            return [f"{run}: opened again, to go on with {', '.join(forgot) or 'what is left'}"]
        case QuestionAsked(_, role, text):
            return [f"{run}: the {_ASKING.get(role, role)} asks: {text}"]
        case QuestionAnswered(_, _, text, by):
            return [f"{run}: {by} answers: {text}"]
        case StepFinished(step) if step.role is Role.LAND:
            return []
        case StepFinished(step, result_type, result) if result_type in PARTS:
            return [f"[{max(step.cycle, 1)}] {line}" for line in part(step, result_type, result)]
        case StepFinished(step, "Change") if step.part in ("plan", "explore"):
            return [f"[1] {step.part}: the report is written"]
        case StepFinished(step, result_type, result):
            where = "base" if step.part == "base" else str(max(step.cycle, 1))
            where += ", asked again" if step.ask > 1 else ""
            return [f"[{where}] {step.role}: {_result(result_type, result)}"]
        case StepFailed(step, failure, message, salvage):
            kept = f"; what it had written is kept under {salvage}" if salvage else ""
            return [f"[{max(step.cycle, 1)}] {step.role}: failed ({failure}): {message}{kept}"]
        case Noticed(_, text):
            return [f"note: {text}"]
        case RunInterrupted(why):
            return [f"{run}: interrupted ({why}); go on with: burnish resume {run}"]
        case RunFinished():
            how = [f"answer with: {answer_command(run)}"] if event.reason in WAITING else []
            return [*ending(run, event), *how]
        case StepStarted():
            return []


def ending(run: str, event: RunFinished) -> list[str]:
    found = [f"{run}: {event.outcome}{_why(event)}{unlanded(event)}"]
    if event.branch:
        found.append(f"branch {event.branch} ({(event.commit or '')[:12]})")
    if event.note and event.landed_as_asked:
        found.append(f"note: {event.note}")
    return found


def unlanded(event: RunFinished) -> str:
    """Why the result is not where it was to go, and where it is."""
    return "" if event.landed_as_asked else f", but {event.note}"


def _why(event: RunFinished) -> str:
    verdict = f" ({event.final_verdict} after {count(event.cycles, 'cycle')})" if event.final_verdict else ""
    return verdict if event.outcome == Outcome.PASSED else f"{verdict}: {event.message or event.reason}"


def opinion(review: dict[str, Any]) -> str:
    """A review's own word, what stains it, and why."""
    if review["overruled"]:
        return f"{review['native']}, overruled: {review['overruled']}"
    if review["unclear"]:
        return f"unclear, read as {review['native']}: {review['unclear']}"
    return f"{review['native']} {review['summary']}"


def gate_state(gate: dict[str, Any]) -> str:
    return "ran too long" if gate["exit"] is None else "green" if gate["exit"] == 0 else "red"


def count(number: int, one: str) -> str:
    """A number with its word, in the singular where that is right."""
    plural = f"{one}es" if one.endswith("x") else f"{one}s"
    return f"{number} {one if number == 1 else plural}"


def _resumed(result: dict[str, Any]) -> str:
    return " (its session was resumed)" if result.get("resumed") else ""


def _result(kind: str, result: dict[str, Any]) -> str:
    match kind:
        case "Review":
            return opinion(result)
        case "Change" if result["tree"] == result["before"]:
            return f"no change{_resumed(result)}"
        case "Change":
            left = f" ({len(result['dropped'])} paths named in show)" if result["dropped"] else ""
            return f"{result['commit'][:12]} {result['title']}{left}{_resumed(result)}"
        case "GateResult":
            return f"{gate_state(result)} {result['command']} ({result['duration_s']:.1f} s)"
        case _:
            return kind
