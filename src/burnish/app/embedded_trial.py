"""The round trip of the embedded default: its analysers find a planted defect, and its rewrites repair it."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

from burnish.analysers._embedded import embedded
from burnish.app.stand_in import StandIn, Tools
from burnish.git.workspaces import Workspaces
from burnish.model.agent import Reply, Request, Usage
from burnish.model.agent_view import TrialStep
from burnish.model.report import Blocking
from burnish.model.review import Finding, Review
from burnish.model.step import Role, Step
from burnish.store.desks import FolderDesks
from burnish.store.memory import MemoryLedger

APP = "import yaml\n\n\ndef read(text: str) -> object:\n    return yaml.load(text, Loader=yaml.Loader)\n"
WHAT = "analysers and rewrites on this machine: it reviews and fixes; it cannot implement or approve"
NO_TOOLS = "install Burnish again: its analysers come with it"


@dataclass(frozen=True)
class EmbeddedBench:
    """`tree` has the defect, what `tools` compare it with has not."""

    tools: Tools
    workspaces: Workspaces
    tree: str
    desks: FolderDesks
    timeout_s: float

    async def found(self) -> TrialStep:
        """Which tools there are: what is missing is not judged."""
        every = embedded(self.tools.setup)
        missing = [one.name for one in every if one.missing() and one.wants(("app.py",))]
        less = f" (not here: {', '.join(missing)})" if missing else ""
        ok = len(missing) < len(every)
        return TrialStep("found", ok, f"{WHAT}{less}", "" if ok else NO_TOOLS)

    async def review(self) -> TrialStep:
        reply, _ = await self._asked(Role.REVIEW)
        found = _findings(reply)
        told = f"verdict {reply.structured.native}, the planted defect was found: {found[0].title}"
        return TrialStep("review", True, told, usage=reply.usage)

    async def fix(self) -> TrialStep:
        """Judged by the tree it leaves, looked at again by the same analysers."""
        review, _ = await self._asked(Role.REVIEW)
        reply, tree = await self._asked(Role.FIX, _findings(review))
        _, analyses = await self.tools.analyse(tree)
        left = {finding.rule for analysis in analyses for finding in analysis.findings}
        if left & {finding.rule for finding in _findings(review)}:
            told = "the tree changed, but the defect is still there"
            return TrialStep("fix", False, told, NO_TOOLS, usage=reply.usage)
        return TrialStep("fix", True, "the tree changed, and the defect is gone", usage=reply.usage)

    async def _asked(self, role: Role, findings: tuple[Finding, ...] = ()) -> tuple[Reply, str]:
        """The answer, with its time, and the tree it left."""
        began, step = time.monotonic(), Step(role, 1)
        desk = self.desks.lay(step, {})
        async with self.workspaces.open(self.tree, step.key) as workspace:
            request = Request(
                role, "", workspace.path, desk.inbox, desk.outbox, self.timeout_s, tree=self.tree,
                findings=findings,
            )  # fmt: skip
            reply = await StandIn(self.tools, Blocking(), MemoryLedger()).answer(request)
            left = await workspace.snapshot()
        return replace(reply, usage=Usage(seconds=round(time.monotonic() - began, 3))), left.tree


def _findings(reply: Reply) -> tuple[Finding, ...]:
    assert isinstance(reply.structured, Review)
    return reply.structured.findings
