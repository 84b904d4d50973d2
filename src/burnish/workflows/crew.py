"""The crew of a run: who implements, reviews and fixes, and what each is told."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath

from burnish.model.agent_session import FixerSession
from burnish.model.change import Change, Failure, FailureKind
from burnish.model.history import History, Skipped
from burnish.model.profile import OnViolation, Profile
from burnish.model.question import asks
from burnish.model.review import Review, Verdict
from burnish.model.step import Role, Step
from burnish.model.task import Task
from burnish.ports import Agent, Gate, Run
from burnish.prompts.book import PromptBook
from burnish.team_ports import Scope
from burnish.workflows import gating
from burnish.workflows.attempts import attempt, carrying, refined
from burnish.workflows.complaint import complaint_of
from burnish.workflows.evidence import evidence_of
from burnish.workflows.going_on import turn_of
from burnish.workflows.previous import earlier_reviews
from burnish.workflows.resuming import wish_of
from burnish.workflows.reviewing import Reviewer
from burnish.workflows.writing import INBOX, OUTBOX, Job, Writer, signal_name


@dataclass(frozen=True)
class Timeouts:
    implement_s: float = 3600
    fix_s: float = 1800


@dataclass(frozen=True)
class Crew:
    """Each part may be missing: no implementer reviews what is there, no fixer only reviews."""

    profile: Profile
    writer: Writer
    prompts: PromptBook
    implementer: Agent | None = None
    reviewer: Reviewer | None = None
    fixer: Agent | None = None
    checks: Gate | None = None
    timeouts: Timeouts = Timeouts()
    phase: str = ""
    # Cycles of the phase that other runs went through: numbers go on, so that no two cycles are one.
    cycles_before: int = 0
    # What else its writers' prompts hold; whether they are asked how far the task is, and by which tools.
    more: Mapping[str, object] = field(default_factory=dict)
    signals: bool = False
    scope: Scope | None = None
    # Of fixers only: a reviewer is always fresh.
    fixer_session: FixerSession = FixerSession.FRESH

    async def implement(self, run: Run, history: History) -> Change | Failure:
        await gating.prepare(run, self.checks, history)
        task = history.task
        if self.implementer is None:
            return Change(Role.IMPLEMENT, task.start, task.start_tree, task.base_tree, title=task.title)
        step = Step(Role.IMPLEMENT, phase=self.phase, part=turn_of(history))
        result, _ = await attempt(run, step, self.profile, _Bound(run, self).implement, history)
        return result

    async def gate(self, run: Run, history: History) -> History:
        return await gating.check(run, self.checks, history)

    async def review(self, run: Run, history: History) -> Review | Failure | Skipped:
        """A review of the tree as it is now; words that do not fit are asked for once more."""
        if self.reviewer is None:
            return Skipped("no reviewer")
        bound = _Bound(run, self)
        step = Step(Role.REVIEW, self.cycles_before + history.cycle, phase=self.phase)
        result, step = await attempt(run, step, self.profile, bound.review, history)
        wrong = _complaint(result)
        if wrong and self.profile.reask:
            again = replace(step, ask=step.ask + 1)
            second = carrying(await run.do(again, bound.review, history, again, wrong), result.usage)
            result = refined(result, second)
        if isinstance(result, Failure) and result.kind is FailureKind.VIOLATION:
            return self._after_violation(result, history)
        return result

    async def fix(self, run: Run, history: History) -> Change | Failure:
        """A fix of what the last review found."""
        cycle = self.cycles_before + len(history.reviews)
        return await self.address(
            run, history, Step(Role.FIX, cycle, phase=self.phase, part=turn_of(history))
        )

    async def address(self, run: Run, history: History, step: Step) -> Change | Failure:
        result, _ = await attempt(run, step, self.profile, _Bound(run, self).fix, history)
        return result

    def _after_violation(self, violation: Failure, history: History) -> Review | Failure:
        if self.profile.on_violation is OnViolation.FAIL_RUN:
            return violation
        return Review(
            Verdict.FAIL, "FAIL", summary=violation.message, unclear=violation.message, tree=history.tree,
            usage=violation.usage,
        )  # fmt: skip


@dataclass(frozen=True)
class _Bound:
    """The crew at work in one run: the functions that a run remembers the results of."""

    run: Run
    crew: Crew

    async def implement(self, history: History, step: Step, why: str) -> Change | Failure:
        crew, task = self.crew, history.task
        assert crew.implementer is not None
        subject = _subject(crew.profile.implement_subject, task, step, crew.phase)
        prompt = crew.prompts.render("implement", gate=self._gate, **self._told(task, step, subject))
        timeout_s = crew.timeouts.implement_s
        job = Job(crew.implementer, prompt, history.commit, history.tree, subject, task.title, timeout_s)
        if crew.fixer_session is FixerSession.RESUME:
            job = replace(job, sessions=wish_of(history, step))
        return await crew.writer.write(self.run, step, job)

    async def review(self, history: History, step: Step, why: str) -> Review | Failure:
        assert self.crew.reviewer is not None
        return await self.crew.reviewer.review(self.run, history, step, why)

    async def fix(self, history: History, step: Step, why: str) -> Change | Failure:
        crew, review = self.crew, history.review
        assert crew.fixer is not None
        assert review is not None
        subject = _subject(crew.profile.fix_subject, history.task, step, crew.phase)
        name = crew.profile.review_file.format(phase=crew.phase or "1", cycle=step.cycle)
        prompt = crew.prompts.render(
            "fix",
            evidence=await self._evidence(history),
            **self._told(history.task, step, subject),
            findings=review.findings,
            review=review.text,
            review_file=f"{INBOX}/{name}",
            earlier=earlier_reviews(history),
            unchanged=_left_as_it_was(history),
            failed=why or _last_failure(history),
            gate=self._gate,
        )
        job = Job(
            agent=crew.fixer,
            prompt=prompt,
            parent=history.commit,
            tree=history.tree,
            subject=subject,
            proposed=_fix_title(review),
            timeout_s=crew.timeouts.fix_s,
            files=((name, review.text),),
            sessions=wish_of(history, step) if crew.fixer_session is FixerSession.RESUME else None,
            findings=review.findings,
            signals=crew.signals,
            scope=crew.scope,
        )
        return await crew.writer.write(self.run, step, job)

    async def _evidence(self, history: History) -> list[str]:
        """What the reviewer was shown beside the change."""
        reviewer = self.crew.reviewer
        return await evidence_of(reviewer.evidence, reviewer.workspaces, history) if reviewer else []

    def _told(self, task: Task, step: Step, subject: str) -> dict[str, object]:
        """What every writer is told about its step; nobody knows the title of its commit yet."""
        return {
            "run": self.run.id,
            "cycle": step.cycle,
            "phase": self.crew.phase or "1",
            "task": task.prompt,
            "briefing": task.briefing.told_to(step.role),
            "commit": subject.replace("{title}", "").rstrip(" -"),
            "signal": f"{OUTBOX}/{signal_name(step)}",
            **self.crew.more,
        }

    @property
    def _gate(self) -> str:
        return self.crew.checks.command if self.crew.checks else ""


def _complaint(result: Review | Failure) -> str:
    """What was wrong with the form of an answer, in the validator's own words."""
    if isinstance(result, Review):
        return complaint_of((result.unclear,), result.text) if result.unclear else ""
    misfit = result.kind is FailureKind.VIOLATION
    return complaint_of(result.problems or (result.message,), result.answer) if misfit else ""


def _left_as_it_was(history: History) -> bool:
    """Whether the last fix changed nothing, and not because it had to ask first."""
    made = history.changes
    return len(made) > 1 and made[-1].empty and not asks(made[-1])


def _last_failure(history: History) -> str:
    """How the last fix failed, where the profile goes on all the same."""
    fixes = [fact for fact in history.facts if isinstance(fact, Change | Failure) and fact.role is Role.FIX]
    return fixes[-1].message if fixes and isinstance(fixes[-1], Failure) else ""


def _subject(template: str, task: Task, step: Step, phase: str) -> str:
    """The commit subject with only {title} left open: the agent's own last subject may fill it."""
    named = PurePosixPath(task.briefing.spec_path).name
    leading = (
        re.fullmatch(r"\d{3,5}", task.id) or re.match(r"\d+", named) or re.match(r"\d+", task.prompt.strip())
    )
    number = leading.group().zfill(3) if leading else task.id or "000"
    fields = {"{cycle}": str(step.cycle), "{phase}": phase or "1", "{number}": number}
    for name, value in fields.items():
        template = template.replace(name, value.replace("{", "(").replace("}", ")"))
    return template


def _fix_title(review: Review) -> str:
    worst = min(review.findings, key=lambda finding: finding.severity.rank, default=None)
    title = worst.title if worst else review.summary
    title = " ".join(title.split()) or "Address review findings"
    return title if len(title) <= 60 else title[:59].rstrip() + "…"
