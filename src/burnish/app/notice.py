"""What a notification says: a flat object of texts and numbers, as docs/concepts/overnight.md tells it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from burnish.config.schema import NotifyOn
from burnish.model.outcome import Outcome
from burnish.model.queue import TaskState, TaskView
from burnish.sanitise import clean_line

VERSION = 1
TEXT_CHARS = 500
_PERSON = ("NEEDS_DISCUSSION", "MAX_CYCLES_REACHED")


@dataclass(frozen=True)
class Notice:
    """`counts` is by state, for the end of all work; `repository` is the name of its folder."""

    event: NotifyOn
    at: str
    repository: str
    message: str
    task: int | None = None
    title: str = ""
    run: str = ""
    outcome: str = ""
    reason: str = ""
    branch: str = ""
    cost_usd: float | None = None
    tokens: int = 0
    counts: dict[str, int] = field(default_factory=dict)

    def fields(self) -> dict[str, Any]:
        words = {
            name: clean_line(getattr(self, name))[:TEXT_CHARS]
            for name in ("at", "repository", "message", "title", "run", "outcome", "reason", "branch")
        }
        return {
            "v": VERSION,
            "event": str(self.event),
            **words,
            "task": self.task,
            "cost_usd": self.cost_usd,
            "tokens": self.tokens,
            "counts": self.counts,
        }

    def variables(self) -> dict[str, str]:
        said = self.fields()
        return {
            "BURNISH_EVENT": said["event"],
            "BURNISH_MESSAGE": said["message"],
            "BURNISH_REPOSITORY": said["repository"],
            "BURNISH_TASK": "" if self.task is None else str(self.task),
            "BURNISH_TITLE": said["title"],
            "BURNISH_RUN": said["run"],
            "BURNISH_REASON": said["reason"],
        }


def about_task(view: TaskView, repository: str, at: str) -> Notice | None:
    """None for an end that nobody has to hear of: passed, cancelled, or to be gone on with."""
    if view.outcome == Outcome.ESCALATED or view.final_verdict in _PERSON:
        event = NotifyOn.NEEDS_PERSON
    elif view.state is TaskState.FAILED:
        event = NotifyOn.FAILED
    else:
        return None
    why = view.message or view.task.error or view.reason or str(view.final_verdict or view.state)
    what = "needs a person" if event is NotifyOn.NEEDS_PERSON else "failed"
    return Notice(
        event,
        at,
        repository,
        f"task #{view.number} {what}: {why}",
        task=view.number,
        title=view.task.title,
        run=view.task.run_id or "",
        outcome=view.outcome or "",
        reason=view.reason,
        branch=view.branch,
        cost_usd=view.cost_usd,
        tokens=view.tokens,
    )


def about_work(ended: Iterable[TaskView], stopped: str, repository: str, at: str) -> Notice:
    """The end of all that `burnish work` did; `stopped` is why it ended early, if it did."""
    views = list(ended)
    counts = dict(Counter(str(view.state) for view in views))
    told = ", ".join(f"{number} {state}" for state, number in sorted(counts.items())) or "nothing to do"
    costs = [view.cost_usd for view in views if view.cost_usd is not None]
    return Notice(
        NotifyOn.FINISHED,
        at,
        repository,
        f"{told} ({stopped})" if stopped else told,
        cost_usd=sum(costs) if costs else None,
        tokens=sum(view.tokens for view in views),
        counts=counts,
    )
