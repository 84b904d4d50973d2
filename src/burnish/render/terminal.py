"""Events as the lines of a terminal session (conformance G-73 to G-75), with a running clock underneath."""

from __future__ import annotations

import time
from typing import Any

from rich.console import Console
from rich.status import Status
from rich.text import Text

from burnish.model.events import (
    Noticed,
    QuestionAnswered,
    QuestionAsked,
    Recorded,
    RunFinished,
    RunInterrupted,
    RunResumed,
    RunStarted,
    StepFailed,
    StepFinished,
    StepStarted,
)
from burnish.model.outcome import Outcome
from burnish.model.reason import Reason
from burnish.model.step import Role, Step
from burnish.render.plain import count, ending, gate_state, opinion, unlanded
from burnish.render.waiting import answer_command
from burnish.sanitise import clean_line

# Said of every plan and every review: that they made no code is what they are.
NOTHING = "nothing new was made, so nothing was landed"
_IN_WORDS = {"plan": "Planning...", "explore": "Exploring..."}
_STARTING = {
    Role.IMPLEMENT: "Implementing...",
    Role.REVIEW: "Running review...",
    Role.FIX: "Improving...",
    Role.GATE: "Running the gate...",
}


class _Elapsed:
    """How long a step has been running, drawn anew with every frame of the spinner."""

    def __init__(self) -> None:
        self.since = time.monotonic()

    def __rich__(self) -> Text:
        minutes, seconds = divmod(int(time.monotonic() - self.since), 60)
        return Text(f"{minutes}:{seconds:02}", style="dim")


class TerminalLines:
    """Shows a step as soon as it starts; a spinner with the seconds says that it still runs."""

    def __init__(
        self, console: Console, *, label: str = "", beside: bool = False, total: int | None = None
    ) -> None:
        """`beside` others, each line says whose it is, and nothing moves."""
        self.console = console
        self.label = label
        self.beside = beside
        self.total = total or 0
        self._fixed_total = total is not None
        self._status: Status | None = None

    def __call__(self, recorded: Recorded) -> None:
        self._still()
        match recorded.event:
            case RunStarted() as event:
                if not self._fixed_total:
                    self.total = event.limit + (1 if event.limit_unit == "fixes" else 0)
                self._say(f"Running task {self.label or recorded.run}: {event.title}")
            case RunResumed(finished_steps):
                what = f"task {self.label}" if self.label else recorded.run
                self._say(f"Resuming {what} ({finished_steps} finished steps are kept)")
            case StepStarted(step) if step.role in _STARTING and step.part != "base":
                self._started(step)
            case StepFinished(step, kind, result):
                self._finished(step, kind, result)
            case StepFailed(step, failure, message, salvage):
                self._say(f"{self._count(step)} {step.role} failed ({failure}): {message}", "red")
                if salvage:
                    self._say(f"        what it had written is kept under {salvage}")
            case Noticed(_, text):
                self._say(f"  note: {text}", "yellow")
            case QuestionAsked(_, _, text):
                self._say(f"  asks: {text}", "yellow")
                self._say(f"  answer with: {answer_command(self.label[1:] or recorded.run)}", "yellow")
            case QuestionAnswered(_, _, text, by):
                self._say(f"  {by} answers: {text}")
            case RunInterrupted(why):
                how = f"burnish work {self.label[1:]}" if self.label else f"burnish resume {recorded.run}"
                self._say(f"Interrupted ({why}). Go on with: {how}", "yellow")
            case RunFinished() as event:
                self._ended(recorded.run, event)

    def _started(self, step: Step) -> None:
        text = f"{self._count(step)} {_IN_WORDS.get(step.part) or _STARTING[step.role]}"
        self._say(text)
        if self.beside or not self.console.is_terminal:
            return
        self._status = self.console.status(_Elapsed(), spinner="dots")
        self._status.start()

    def _still(self) -> None:
        if self._status is not None:
            self._status.stop()
            self._status = None

    def _finished(self, step: Step, kind: str, result: dict[str, Any]) -> None:
        match kind:
            case "Change" if step.part in _IN_WORDS:
                return
            case "Change" if step.role is Role.IMPLEMENT:
                self._say(f"{self._count(step)} Implementation complete")
            case "Change" if result["tree"] == result["before"]:
                self._say(f"{self._count(step)} The fix changed nothing", "yellow")
            case "Review":
                good = result["verdict"] == "pass"
                said = result["native"] if good else _why(result)
                said += " (partial: not all of the change fit into its prompt)" if result["partial"] else ""
                self._say(f"{self._count(step)} Review: {said}", "green" if good else "yellow")
            case "GateResult" if step.part != "base":
                colour = "green" if result["exit"] == 0 else "red"
                self._say(
                    f"{self._count(step)} Gate: {gate_state(result)} ({result['duration_s']:.1f} s)", colour
                )
            case _:
                return

    def _count(self, step: Step) -> str:
        """The counter moves on before the fix, so a fix is shown in the cycle whose review it prepares."""
        cycle = step.cycle + 1 if step.role is Role.FIX else max(step.cycle, 1)
        return f"  [{cycle}/{self.total}]" if self.total else " "

    def _ended(self, run: str, event: RunFinished) -> None:
        label = self.label or run
        cycles = count(event.cycles, "cycle")
        first, *rest = ending(run, event)
        if event.outcome == Outcome.EXHAUSTED:
            self._say(f"  {event.message}", "yellow")
        if event.exit_code == 0 or (self.label and event.reason == Reason.NEEDS_DISCUSSION):
            landed = event.landed_as_asked
            colour = "green" if event.outcome == Outcome.PASSED and landed else "yellow"
            how = f"{event.final_verdict} after {cycles}" if event.final_verdict else event.message
            self._say(f"✓ Task {label} completed ({how}){unlanded(event)}", colour)
        else:
            self._say(f"✗ Task {label} {first.partition(': ')[2]}", "red")
        for line in rest:
            if not line.endswith(NOTHING):
                self._say(f"  {line}")

    def _say(self, text: str, style: str = "") -> None:
        indent = text[: len(text) - len(text.lstrip())]
        if self.beside and not text.startswith(("Running task", "Resuming task", "✓ Task", "✗ Task")):
            indent = f"{self.label}{indent[1:] or ' '}"
        self.console.print(Text(indent + clean_line(text), style=style), soft_wrap=True, highlight=False)


def _why(review: dict[str, Any]) -> str:
    if review["overruled"] or review["unclear"]:
        return opinion(review)
    return f"{review['native']} - {review['summary']}" if review["summary"] else str(review["native"])
