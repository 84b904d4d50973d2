"""A task whose result is words: a plan or an exploration, made in a throw-away copy."""

from __future__ import annotations

from dataclasses import dataclass, replace

from burnish.errors import AgentError
from burnish.model.agent import Model, Request
from burnish.model.change import Change, Failure, FailureKind
from burnish.model.history import History, Skipped
from burnish.model.mode import Mode
from burnish.model.review import Review
from burnish.model.step import Role, Step
from burnish.ports import Agent, Desks, Run, Workspaces
from burnish.prompts.book import PromptBook
from burnish.workflows.ask import ask
from burnish.workflows.denials import tell_denied
from burnish.workflows.standing_in import tell_stood_in
from burnish.workflows.writing import failure, kept, variables


@dataclass(frozen=True)
class Reporter:
    """Hands that ask once. What the agent edits is thrown away and said; what it says is the result."""

    agent: Agent
    mode: Mode
    workspaces: Workspaces
    desks: Desks
    prompts: PromptBook
    timeout_s: float
    model: str = ""

    async def implement(self, run: Run, history: History) -> Change | Failure:
        step = Step(Role.IMPLEMENT, part=self.mode)
        result = await run.do(step, _Bound(run, self).report, history, step)
        if isinstance(result, Change) and result.tree != history.tree:
            await run.note(
                "edits_discarded", f"{self.mode} tasks change no files: what was edited is thrown away"
            )
            return replace(result, tree=history.tree)
        return result

    async def gate(self, run: Run, history: History) -> History:
        return history

    async def review(self, run: Run, history: History) -> Review | Failure | Skipped:
        return Skipped(f"{self.mode} tasks are not reviewed")

    async def fix(self, run: Run, history: History) -> Change | Failure:
        return Failure(Role.FIX, FailureKind.MISSING, f"{self.mode} tasks are not fixed")


@dataclass(frozen=True)
class _Bound:
    """The reporter at work in one run: the function that a run remembers the result of."""

    run: Run
    reporter: Reporter

    async def report(self, history: History, step: Step) -> Change | Failure:
        own, task = self.reporter, history.task
        prompt = own.prompts.render(own.mode, run=self.run.id, task=task.prompt, briefing=task.briefing)
        async with own.workspaces.open(history.tree, step.key) as workspace:
            desk = own.desks.lay(step, {})
            model = Model.of(step.role, own.model)
            request = Request(
                role=step.role,
                prompt=prompt,
                workspace=workspace.path,
                inbox=desk.inbox,
                outbox=desk.outbox,
                timeout_s=own.timeout_s,
                tier=model.tier,
                model=model.name,
                variables=variables(self.run, step),
            )
            try:
                reply = await ask(own.agent, request)
            except AgentError as error:
                return failure(step.role, error)
            await tell_denied(self.run, step, reply)
            await tell_stood_in(self.run, step, reply)
            left = await workspace.snapshot()
        text = reply.report or reply.text
        if not text.strip():
            return Failure(
                step.role, FailureKind.EXIT, f"{own.agent.name} answered with nothing", usage=reply.usage
            )
        return Change(
            role=step.role,
            commit=history.commit,
            tree=left.tree,
            before=history.tree,
            title=task.title,
            said=kept(text),
            agent=reply.agent or own.agent.name,
            isolation=reply.isolation,
            usage=reply.usage,
        )
