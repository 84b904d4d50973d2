"""What came of the tasks that were worked on, and when to stop taking more."""

from __future__ import annotations

from dataclasses import dataclass, field

from burnish.model.exit_codes import ExitCode
from burnish.model.outcome import Outcome
from burnish.model.queue import TaskState, TaskView
from burnish.model.reason import Reason

# Ends that say something about the machine or the agents, not about the task.
INFRASTRUCTURE = frozenset(
    {
        Reason.IMPLEMENTER_FAILED,
        Reason.REVIEWER_FAILED,
        Reason.FIXER_FAILED,
        Reason.GATE_UNUSABLE,
        "not_started",
    }
)


# One that came back otherwise was cut short here, also when a full disk kept that from being written down.
_OVER = (TaskState.COMPLETED, TaskState.FAILED, TaskState.CANCELLED)


@dataclass
class Tally:
    """`ended` has each task once, as it was when it came back."""

    stop_after: int
    ended: list[TaskView] = field(default_factory=list)
    in_a_row: int = 0
    stopped: str = ""
    signalled: bool = False

    def add(self, view: TaskView) -> None:
        self.ended.append(view)
        cut_short = view.state not in _OVER and not self.signalled
        broken = cut_short or (view.state is TaskState.FAILED and view.reason in INFRASTRUCTURE)
        self.in_a_row = self.in_a_row + 1 if broken else 0
        if self.in_a_row >= self.stop_after and not self.stopped:
            last = view.message.splitlines()[0] if view.message else view.reason or str(view.state)
            self.stopped = (
                f"stopped: {self.in_a_row} tasks in a row failed for want of something outside of them "
                f"(the last is #{view.number}: {last}); mend that, then retry them"
            )

    def full(self, most: int | None, running: int) -> bool:
        """Whether nothing more may be taken."""
        return bool(self.stopped) or (most is not None and len(self.ended) + running >= most)

    @property
    def exit_code(self) -> ExitCode:
        """The worst of what happened; what a task itself calls complete is fine (G-41)."""
        if self.signalled:
            return ExitCode.INTERRUPTED
        failed = [view for view in self.ended if view.state is TaskState.FAILED]
        gentler = (Outcome.ESCALATED, Outcome.STOPPED)
        if any(view.outcome not in gentler for view in failed):
            return ExitCode.FAILED
        if any(view.outcome == Outcome.ESCALATED for view in failed) or any(
            view.final_verdict == "NEEDS_DISCUSSION" for view in self.ended
        ):
            return ExitCode.NEEDS_PERSON
        if failed or any(view.state not in _OVER for view in self.ended):
            return ExitCode.STOPPED
        return (
            ExitCode.INTERRUPTED
            if any(view.state is TaskState.CANCELLED for view in self.ended)
            else ExitCode.OK
        )
