"""A task built over several iterations, until its agent says it is complete, is stuck, or asks a person."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from burnish.loops.checkpoints import Checkpoint, feedback
from burnish.loops.part import LoopPart
from burnish.loops.signals import unheard
from burnish.loops.state import CHECKPOINT
from burnish.loops.stuck import Tally, stuck_because
from burnish.model.agent import Usage
from burnish.model.agent_events import AgentTrouble
from burnish.model.change import Change, Failure, FailureKind
from burnish.model.history import History
from burnish.model.review import Review
from burnish.model.signal import ExitSignal, ExitWord
from burnish.model.step import Role, Step
from burnish.ports import Agent, Run
from burnish.prompts.book import PromptBook
from burnish.team_ports import Board, Scope
from burnish.workflows.attempts import refined
from burnish.workflows.complaint import complaint_of
from burnish.workflows.reviewing import Reviewer
from burnish.workflows.task_tools import TASK_TOOLS
from burnish.workflows.writing import Job, Writer

# Asking the same agent again does not help against these.
_FINAL_KINDS = (FailureKind.MISSING, FailureKind.LIMITED)
_FINAL_TROUBLES = frozenset(
    (AgentTrouble.NOT_INSTALLED, AgentTrouble.NOT_LOGGED_IN, AgentTrouble.QUOTA, AgentTrouble.BUDGET)
)


@dataclass(frozen=True)
class Site:
    """What a loop is built with; `look` gives whoever looks at it after an iteration, None for nobody."""

    part: LoopPart
    builder: Agent
    writer: Writer
    prompts: PromptBook
    subject: str
    timeout_s: float
    gate: str
    phase: str
    board: Board | None
    look: Callable[[int], Reviewer | None]


@dataclass
class Building:
    """Every iteration and every checkpoint review is a remembered step: resuming is doing it all again."""

    run: Run
    site: Site
    history: History
    tally: Tally = field(default_factory=Tally)
    changes: dict[int, Change] = field(default_factory=dict)
    checkpoints: dict[int, Checkpoint] = field(default_factory=dict)
    spent: Usage = field(default_factory=Usage)

    async def to_its_end(self) -> Change | Failure:
        """All iterations as one change, with what they came to as its signal.

        Questions that the history has already are answered: from each of them it goes on.
        """
        answered = sum(1 for change in self.history.changes if _asks(change.signal))
        while True:
            step = Step(Role.IMPLEMENT, self.tally.iteration + 1, phase=self.site.phase)
            result = await self.run.do(step, self.iterate, step)
            self.spent += result.usage
            if isinstance(result, Failure) and _final(result):
                return await self._given_up(result)
            self.tally = self.tally.after(step.cycle, result)
            signal = self._signal(result)
            if isinstance(result, Change):
                self.changes[step.cycle] = result
                await self._note_unheard(step, result)
            if self.site.board is not None:
                doing = "" if signal is None else _DOING.get(signal.word, "")
                await self.site.board.post(self.site.part.loop_id, step.cycle, doing)
            if _asks(signal) and answered:
                # What was spent until then is in the history as well.
                answered, self.spent = answered - 1, Usage()
                self.tally = replace(self.tally, unchanged=0)
            elif signal is not None:
                return self._whole(signal)

    async def _note_unheard(self, step: Step, change: Change) -> None:
        """Else nobody sees why a task that is said to be complete goes on."""
        if change.signal is None and (word := unheard(change.said)):
            text = f"iteration {step.cycle} ends with {word}, which counts as quoted, so there is another one"
            await self.run.note(f"unheard/{self.site.part.loop_id}/{step.cycle}", text)

    async def iterate(self, step: Step) -> Change | Failure:
        """One iteration. Rounds that are called meanwhile are answered at once, beside it."""
        await self._settle()
        board, loop = self.site.board, self.site.part.loop_id
        writing = asyncio.ensure_future(self._write(step))
        try:
            while board is not None and not writing.done():
                called = asyncio.ensure_future(board.called(loop, len(board.rounds(loop))))
                try:
                    await asyncio.wait({writing, called}, return_when=asyncio.FIRST_COMPLETED)
                finally:
                    called.cancel()
                if called.done():
                    called.result()
                if not writing.done():
                    await self._settle(during=step.cycle)
            return await writing
        finally:
            if not writing.done():
                writing.cancel()
                await asyncio.wait({writing})

    async def _settle(self, *, during: int = 0) -> None:
        """Answer the rounds that this loop owes; while it has finished nothing, there is nothing to see."""
        while self.changes and (owed := self._owed()):
            for number in owed:
                found = await self._checkpoint(number, during)
                self.checkpoints[number] = found
                self.spent += found.usage

    def _owed(self) -> list[int]:
        part, board = self.site.part, self.site.board
        rounds = board.rounds(part.loop_id) if board else ()
        return [number for number in rounds if number > part.rounds_before and number not in self.checkpoints]

    async def _checkpoint(self, number: int, during: int) -> Checkpoint:
        step = Step(Role.REVIEW, number, phase=self.site.phase, part=CHECKPOINT)
        found = await self.run.do(step, self.look, step, during, "")
        if not found.complaint:
            return found
        again = replace(step, ask=2)
        second = await self.run.do(again, self.look, again, during, found.complaint)
        if found.denied and second.review:
            first = Failure(
                Role.REVIEW, FailureKind.VIOLATION, found.trouble, answer=found.complaint, denied=True
            )
            review = refined(first, second.review)
            second = replace(second, review=review if isinstance(review, Review) else None)
        return replace(second, usage=found.usage + second.usage)

    async def look(self, step: Step, during: int, why: str) -> Checkpoint:
        """A review of the last finished tree, whatever is written meanwhile; one is enough for each tree."""
        iteration, whole = self.tally.iteration, self._whole(None)
        found = Checkpoint(step.cycle, iteration, whole.tree, during)
        if seen := [one.round for one in self.checkpoints.values() if one.review and one.tree == found.tree]:
            return replace(found, same_as=seen[0])
        reviewer = self.site.look(iteration)
        if reviewer is None:
            return replace(found, trouble="no reviewer")
        history = History(self.history.task).add(whole)
        result = await reviewer.review(self.run, history, step, why)
        if not isinstance(result, Failure):
            return replace(found, review=result, usage=result.usage)
        misfit = result.kind is FailureKind.VIOLATION
        complaint = complaint_of(result.problems or (result.message,), result.answer) if misfit else ""
        return replace(
            found, trouble=result.message, complaint=complaint, denied=result.denied, usage=result.usage
        )

    async def _write(self, step: Step) -> Change | Failure:
        site, task, whole = self.site, self.history.task, self._whole(None)
        prompt = site.prompts.render("implement", **self._told(step, whole))
        title = task.title if step.cycle == 1 else f"{task.title} (iteration {step.cycle})"
        job = Job(
            agent=site.builder,
            prompt=prompt,
            parent=whole.commit,
            tree=whole.tree,
            subject=site.subject,
            proposed=title,
            timeout_s=site.timeout_s,
            signals=True,
            scope=scope_of(self.run, step.role, site.part),
        )
        return await site.writer.write(self.run, step, job)

    def _told(self, step: Step, whole: Change) -> Mapping[str, object]:
        site, task = self.site, self.history.task
        others = site.board.others(site.part.loop_id) if site.board else ""
        return {
            "run": self.run.id,
            "loop_id": site.part.loop_id,
            "task_id": site.part.task_id,
            "task": task.prompt,
            "briefing": task.briefing.told_to(Role.IMPLEMENT),
            "iteration": step.cycle,
            "max_iterations": site.part.max_iterations,
            "others": others,
            "said": whole.said,
            "unheard": unheard(whole.said),
            "failed": self.tally.last_error,
            "feedback": feedback(self.checkpoints.values(), max(self.changes, default=0)),
            "gate": site.gate,
        }

    def _signal(self, result: Change | Failure) -> ExitSignal | None:
        """Why there is no further iteration; None when there is one."""
        said = result.signal if isinstance(result, Change) else None
        if said is not None and said.word is not ExitWord.ITERATION_DONE:
            return said
        part = self.site.part
        why = stuck_because(self.tally, part.max_iterations, part.stuck_threshold)
        return ExitSignal(ExitWord.TASK_STUCK, why) if why else None

    def _whole(self, signal: ExitSignal | None) -> Change:
        task = self.history.task
        begun = Change(Role.IMPLEMENT, task.start, task.start_tree, task.start_tree, title=task.title)
        last = self.changes[max(self.changes)] if self.changes else begun
        dropped = tuple(dict.fromkeys(one for change in self.changes.values() for one in change.dropped))
        return replace(last, before=self.history.tree, dropped=dropped, usage=self.spent, signal=signal)

    async def _given_up(self, failure: Failure) -> Failure:
        """What earlier iterations finished is no result, and is kept all the same."""
        whole = self._whole(None)
        if whole.empty:
            return replace(failure, usage=self.spent)
        kept = await self.site.writer.workspaces.keep(whole.tree, f"loop/{self.site.part.loop_id}")
        count = len(self.changes)
        message = f"{failure.message} (what {count} iteration(s) had finished is kept under {kept})"
        return replace(failure, message=message, salvage=failure.salvage or kept, usage=self.spent)


def scope_of(run: Run, role: Role, part: LoopPart) -> Scope:
    """Whoever works on a loop's task speaks of that loop and that task, no others."""
    return Scope(run.id, role, TASK_TOOLS, part.loop_id, part.task_id)


_DOING = {ExitWord.TASK_COMPLETE: "in review"}


def _asks(signal: ExitSignal | None) -> bool:
    return signal is not None and signal.word is ExitWord.TASK_QUESTION


def _final(failure: Failure) -> bool:
    return failure.kind in _FINAL_KINDS or failure.trouble in _FINAL_TROUBLES
