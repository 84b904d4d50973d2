"""One writing step: an agent works in a private checkout, and what it left becomes a commit of the run."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from burnish.errors import (
    AgentError,
    AgentLimited,
    AgentMissing,
    AgentTimedOut,
    ToBeResumed,
    WorkspaceError,
)
from burnish.loops.signals import read_question, read_signal
from burnish.model.agent import Model, Reply, Request
from burnish.model.change import Change, Failure, FailureKind, Snapshot
from burnish.model.review import Finding
from burnish.model.step import Role, Step
from burnish.ports import Agent, Desk, Desks, Run, Workspace, Workspaces
from burnish.sanitise import clean_line
from burnish.team_ports import Scope, ToolDesk
from burnish.workflows.ask import ask
from burnish.workflows.denials import tell_denied
from burnish.workflows.resuming import Wish, tell_fresh, used_of
from burnish.workflows.standing_in import tell_stood_in
from burnish.workflows.task_tools import task_tools

# With the line about what is missing, no more than a reviewer is ever shown of it.
MOST_SAID = 49_900


@dataclass(frozen=True)
class Job:
    """What a writer is asked to do, from where, and how its commit is called."""

    agent: Agent
    prompt: str
    parent: str
    tree: str
    subject: str
    proposed: str
    timeout_s: float
    files: tuple[tuple[str, str], ...] = ()
    sessions: Wish | None = None
    findings: tuple[Finding, ...] = ()
    # Asked to say at its end how far the task is, in words or by the tools of this scope.
    signals: bool = False
    scope: Scope | None = None


@dataclass(frozen=True)
class Writer:
    """Carries out writing steps of one run; `models` has what was chosen for a role."""

    workspaces: Workspaces
    desks: Desks
    models: Mapping[str, str] = field(default_factory=dict)
    tools: ToolDesk | None = None

    async def write(self, run: Run, step: Step, job: Job) -> Change | Failure:
        adopted = await self._adopt(run, step, job)
        if adopted is not None:
            return adopted
        desk = self.desks.lay(step, dict(job.files))
        offer = task_tools(self.tools, step, desk, job.scope)
        async with self.workspaces.open(job.tree, step.key) as workspace, offer as tools:
            request = self._request(run, step, job, desk, workspace.path)
            try:
                reply = await ask(job.agent, tools.offered(request))
            except AgentError as error:
                return failure(step.role, error, salvage=await self._salvage(workspace, step, job))
            except (asyncio.CancelledError, ToBeResumed):
                # The agent is dead by now; what it had written is the user's, so it is kept before we go.
                await asyncio.shield(self._keep(run, workspace, step, job))
                raise
            await tell_denied(run, step, reply)
            await tell_fresh(run, step, job.sessions, reply)
            await tell_stood_in(run, step, reply)
            snapshot = await workspace.snapshot()
            title = await self.workspaces.last_subject(workspace.path) or job.proposed
        draft = tools.told(_drafted(step, job, tools.noted(reply), snapshot, title))
        return await self._commit(run, step, job, draft)

    async def _adopt(self, run: Run, step: Step, job: Job) -> Change | None:
        """A commit that was intended before a crash is finished, not made again."""
        change = await run.intended(step)
        if change is None:
            return None
        try:
            await self.workspaces.advance(change.commit, job.parent)
        except WorkspaceError:
            if await self.workspaces.head() != job.parent:
                raise
            return None
        return change

    async def _commit(self, run: Run, step: Step, job: Job, draft: Change) -> Change:
        if draft.empty:
            return draft
        subject = clean_line(job.subject.format(title=draft.title))
        message = f"{subject}\n\nBurnish-Run: {run.id}\nStep-Id: {run.id}/{step.key}\n"
        commit = await self.workspaces.commit(draft.tree, job.parent, message)
        change = replace(draft, commit=commit)
        await run.intend(step, change)
        await self.workspaces.advance(commit, job.parent)
        return change

    async def _keep(self, run: Run, workspace: Workspace, step: Step, job: Job) -> None:
        if ref := await self._salvage(workspace, step, job):
            await run.note(f"kept/{ref}", f"unfinished work of {step.role} is kept under {ref}")

    async def _salvage(self, workspace: Workspace, step: Step, job: Job) -> str:
        """Keep what an unfinished writer left: the name of the ref, or nothing when it wrote nothing."""
        try:
            snapshot = await workspace.snapshot()
        except WorkspaceError:
            return ""
        return await self.workspaces.keep(snapshot.tree, step.key) if snapshot.tree != job.tree else ""

    def _request(self, run: Run, step: Step, job: Job, desk: Desk, workspace: Path) -> Request:
        model = Model.of(step.role, self.models.get(step.role, ""))
        return Request(
            role=step.role,
            prompt=job.prompt.replace(INBOX, str(desk.inbox)).replace(OUTBOX, str(desk.outbox)),
            workspace=workspace,
            inbox=desk.inbox,
            outbox=desk.outbox,
            timeout_s=job.timeout_s,
            tier=model.tier,
            model=model.name,
            variables=variables(run, step),
            sessions=used_of(job.sessions, self.desks, step),
            tree=job.tree,
            findings=job.findings,
        )


# Stand for the two folders in a prompt that is rendered before the desk is laid.
INBOX = "\x00inbox\x00"
OUTBOX = "\x00outbox\x00"


def signal_name(step: Step) -> str:
    """The file by which an agent that works on a spec says that it is done (O-09, O-20)."""
    return f"phase-{step.phase or '1'}-{step.role}-{step.cycle}.done"


def variables(run: Run, step: Step) -> dict[str, str]:
    """What every agent finds in its environment about the step it is in."""
    return {
        "BURNISH_RUN": run.id,
        "BURNISH_ROLE": step.role,
        "BURNISH_CYCLE": str(max(step.cycle, 1)),
        "BURNISH_ASK": str(step.ask),
        "BURNISH_PART": step.part,
    }


def failure(role: Role, error: AgentError, *, salvage: str = "") -> Failure:
    match error:
        case AgentTimedOut():
            kind = FailureKind.TIMEOUT
        case AgentMissing():
            kind = FailureKind.MISSING
        case AgentLimited():
            kind = FailureKind.LIMITED
        case _:
            kind = FailureKind.EXIT
    # What is known well enough to have a name has a remedy as well, and nobody else would tell it.
    remedy = f" ({error.hint})" if error.trouble and error.hint else ""
    return Failure(
        role,
        kind,
        error.message + remedy,
        agent_exit=error.agent_exit,
        salvage=salvage,
        usage=error.usage,
        trouble=error.trouble or "",
    )


def kept(said: str) -> str:
    """A writer's words as they are recorded: a flood of them would be held and written many times over."""
    if len(said) <= MOST_SAID:
        return said
    return f"{said[:MOST_SAID]}\n[cut: {len(said) - MOST_SAID} of {len(said)} characters]"


def _drafted(step: Step, job: Job, reply: Reply, snapshot: Snapshot, title: str) -> Change:
    return Change(
        role=step.role,
        commit=job.parent,
        tree=snapshot.tree,
        before=job.tree,
        title=title,
        said=kept(reply.text),
        dropped=snapshot.dropped + snapshot.suspicious,
        agent=reply.agent or job.agent.name,
        isolation=reply.isolation,
        usage=reply.usage,
        agent_version=reply.version,
        model=reply.model,
        session=step.key if reply.kept else "",
        resumed=reply.resumed,
        passed_over=reply.passed_over,
        signal=read_signal(reply.text) if job.signals else read_question(reply.text),
    )
