"""The artifacts of a task below `.burnish/`: reviews, log and summary, written from events as they come."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from burnish.app.dossier_folder import OWN, Folder
from burnish.app.place import Place
from burnish.model.agent import CostBasis
from burnish.model.events import Recorded, RunFinished, StepFinished
from burnish.model.queue import QueueTask
from burnish.model.review import Review
from burnish.render.parts import by_whom
from burnish.render.plain import lines
from burnish.sanitise import clean, clean_line


class TaskFiles:
    """A listener. A review is on disk before the loop acts on it: listeners hear of a step before it ends."""

    def __init__(self, place: Place, task: QueueTask) -> None:
        self._folder = Folder(place.repository.root, "")
        self._task = task
        self._log: list[str] = []
        self._reviews: list[str] = []

    @property
    def trouble(self) -> str:
        return self._folder.trouble

    def __call__(self, recorded: Recorded) -> None:
        self._take(recorded)
        self._folder.write(f"logs/{self._task.id}.log", "\n".join(self._log) + "\n")

    def catch_up(self, events: Sequence[Recorded]) -> None:
        """What is known already, written again: artifacts can be deleted at any time."""
        for recorded in events:
            self._take(recorded)
        if self._log:
            self._folder.write(f"logs/{self._task.id}.log", "\n".join(self._log) + "\n")

    def _take(self, recorded: Recorded) -> None:
        said = lines(recorded.run, recorded.event)
        self._log += [f"{recorded.at[:19]}Z {clean_line(line)}" for line in said]
        match recorded.event:
            case StepFinished(step, Review.__name__, result) if step.ask == 1 or result["text"]:
                name = review_name(self._task, step.cycle, recorded.at)
                self._folder.write(name, review_page(self._task, step.cycle, result))
                self._reviews.append(name)
            case RunFinished() as finished:
                self._folder.write(
                    f"summaries/{self._task.id}.md", summary(self._task, finished, self._reviews)
                )
            case _:
                pass


def review_name(task: QueueTask, cycle: int, at: str) -> str:
    """`reviews/20261115-task-29-review-1.md`; the day is the task's, so that its files stay together."""
    day = (task.created_at or at)[:10].replace("-", "")
    return f"reviews/{day}-task-{task.number}-review-{cycle}.md"


def review_page(task: QueueTask, cycle: int, review: dict[str, Any]) -> str:
    """The reviewer's own words. What we made of them is said above, so that nothing in them can hide it."""
    head = f"# Review {cycle} of task #{task.number}: {clean_line(task.title)}\n\n"
    said = f"Read as: {review['native']}"
    if review["overruled"]:
        said += f", overruled: {clean_line(str(review['overruled']))}"
    if review["unclear"]:
        said += f", unclear: {clean_line(str(review['unclear']))}"
    if by := by_whom(review):
        said += f", by {by}"
    if review["partial"]:
        said += ", partial: not all of the change fit into its prompt"
    return f"{head}{said}\n\n---\n\n{clean(str(review['text'] or review['summary']))}\n"


def summary(task: QueueTask, finished: RunFinished, reviews: Sequence[str]) -> str:
    cost = "unknown" if finished.cost is None else f"${finished.cost:.2f}"
    if finished.cost_basis is CostBasis.ESTIMATED:
        cost = f"~{cost} (estimated)"
    verdict = f"{finished.final_verdict or 'none'} after {finished.cycles} review(s)"
    rows = [
        f"# Task #{task.number}: {clean_line(task.title)}",
        "",
        f"- outcome: {finished.outcome} ({finished.reason}) {clean_line(finished.message)}".rstrip(),
        f"- verdict: {verdict}, {finished.fixes} fix(es)",
        f"- branch: {finished.branch or 'none'}",
        f"- commit: {finished.commit or 'none'}",
        f"- receipt: {finished.receipt or 'none'}",
        f"- cost: {cost}, {finished.tokens} tokens",
        *(f"- review: .burnish/{name}" for name in reviews),
    ]
    if finished.note:
        rows.append(f"- note: {clean_line(finished.note)}")
    return "\n".join(rows) + "\n"


def forget_files(place: Place, task: QueueTask) -> None:
    """Its number may be given again, and what is left here would stand beside the new task's own."""
    folder = Folder(place.repository.root, "")
    day = task.created_at[:10].replace("-", "")
    reviews = (place.repository.root / OWN / "reviews").glob(f"{day}-task-{task.number}-review-*.md")
    for name in (
        *(f"reviews/{path.name}" for path in reviews),
        f"logs/{task.id}.log",
        f"summaries/{task.id}.md",
    ):
        folder.remove(name)
