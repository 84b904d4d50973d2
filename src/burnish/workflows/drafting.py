"""One attempt at a finding, up to the tree it left: by a fixer without a model, or by an agent."""

from __future__ import annotations

import asyncio
import os
import stat
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from burnish.errors import AgentError, BurnishError, WorkspaceError
from burnish.model.agent import Model, Request
from burnish.model.fixing import Draft, ExplainsItself, FixGroup
from burnish.model.review import Finding
from burnish.model.step import Step
from burnish.ports import Agent, CodeFixer, Run, Workspace
from burnish.prompts.book import cap
from burnish.sanitise import clean_line
from burnish.workflows.ask import ask
from burnish.workflows.bench import Bench
from burnish.workflows.denials import tell_denied
from burnish.workflows.fix_crew import FixCrew, FixTask
from burnish.workflows.standing_in import tell_stood_in
from burnish.workflows.told_findings import told_finding
from burnish.workflows.writing import variables

# It is recorded with the draft, the attempt, the group, the stage and the summary.
MOST_SAID = 4_000


@dataclass(frozen=True)
class Drafting:
    """Who repairs the findings of one group, in turn."""

    run: Run
    crew: FixCrew
    task: FixTask
    group: FixGroup
    bench: Bench

    def anybody(self, finding: Finding, attempt: int) -> bool:
        """Whether there is somebody for the n-th attempt."""
        return self._without_model(finding, attempt) is not None or self.crew.agent is not None

    def _without_model(self, finding: Finding, attempt: int) -> CodeFixer | None:
        """Those without a model try once each; then it is the agent's turn, as often as is left."""
        able = [fixer for fixer in self.crew.fixers if fixer.can(finding, unsafe=self.task.unsafe)]
        if self.crew.agent is not None:
            able = able[: self.task.max_attempts - 1]
        return able[attempt - 1] if attempt <= len(able) else None

    async def draft(self, finding: Finding, tree: str, step: Step, why: str) -> Draft:
        """`why` is what was wrong with the last attempt."""
        workspace = await self.bench.at(tree)
        fixer = self._without_model(finding, step.ask)
        if fixer is not None:
            return await self._by_code(fixer, workspace, finding, tree)
        assert self.crew.agent is not None
        return await self._by_agent(self.crew.agent, workspace, finding, tree, step, why)

    async def _by_code(self, fixer: CodeFixer, workspace: Workspace, finding: Finding, tree: str) -> Draft:
        if finding.file and not plain_file(workspace.path, finding.file):
            self.bench.holds(tree)
            return Draft(tree, fixer.name, said=f"{finding.file!r} is not a plain file of the repository")
        try:
            said = await fixer.fix(finding, workspace.path)
        except (BurnishError, OSError) as error:
            return Draft(tree, fixer.name, said=f"{fixer.name} failed: {error}")
        if not said and isinstance(fixer, ExplainsItself):
            said = fixer.why_not(finding, workspace.path)
        draft = await self._taken(workspace, tree, fixer.name, said)
        self.bench.holds(draft.tree)
        return draft

    async def _by_agent(
        self, agent: Agent, workspace: Workspace, finding: Finding, tree: str, step: Step, why: str
    ) -> Draft:
        try:
            reply = await ask(agent, self._request(workspace.path, finding, step, why))
        except AgentError as error:
            kept = await self._salvage(workspace, tree, step)
            return Draft(tree, agent.name, crash=error.message, salvage=kept, spent=error.usage)
        except asyncio.CancelledError:
            # The agent is dead by now; what it had written is the user's, so it is kept before we go.
            await asyncio.shield(self._salvage(workspace, tree, step))
            raise
        await tell_denied(self.run, step, reply)
        await tell_stood_in(self.run, step, reply)
        draft = await self._taken(workspace, tree, reply.agent or agent.name, reply.text)
        return replace(draft, spent=reply.usage, isolation=reply.isolation)

    async def _taken(self, workspace: Workspace, tree: str, fixer: str, said: str) -> Draft:
        snapshot = await workspace.snapshot()
        touched = await self.crew.workspaces.touched(tree, snapshot.tree)
        deleted = tuple(name for name in touched.edited if not os.path.lexists(workspace.path / name))
        return Draft(
            snapshot.tree,
            fixer,
            said=cap(said, MOST_SAID),
            files=(*touched.edited, *touched.added),
            deleted=deleted,
            dropped=snapshot.dropped + snapshot.suspicious,
        )

    async def _salvage(self, workspace: Workspace, tree: str, step: Step) -> str:
        try:
            left = (await workspace.snapshot()).tree
        except WorkspaceError:
            return ""
        if left == tree:
            return ""
        ref = await self.crew.workspaces.keep(left, step.key)
        await self.run.note(f"kept/{ref}", f"unfinished work on {step.part} is kept under {ref}")
        return ref

    def _request(self, workspace: Path, finding: Finding, step: Step, why: str) -> Request:
        crew = self.crew
        desk = crew.desks.lay(step, {})
        prompt = crew.prompts.render(
            "fix_finding",
            run=self.run.id,
            attempt=step.ask,
            finding=told_finding(finding),
            group=self.group,
            files=clean_line(", ".join(self.group.files)) or "what the finding is about",
            failed=why,
            gate=crew.gate.command if crew.gate else "",
        )
        model = Model.of(step.role, crew.model)
        return Request(
            role=step.role,
            prompt=prompt,
            workspace=workspace,
            inbox=desk.inbox,
            outbox=desk.outbox,
            timeout_s=crew.times.fix_s,
            tier=model.tier,
            model=model.name,
            variables=variables(self.run, step),
        )


def plain_file(root: Path, name: str) -> bool:
    """Whether a name from a finding is a regular file below `root`, reached through no symlink.

    A finding may come from a file somebody else wrote, and a fixer writes where the finding points.
    """
    parts = PurePosixPath(name).parts
    if not parts or name.startswith("/") or ".." in parts or "\0" in name:
        return False
    place = root
    for part in parts:
        place = place / part
        try:
            mode = place.lstat().st_mode
        except OSError:
            return False
        if stat.S_ISLNK(mode):
            return False
    return stat.S_ISREG(mode)
