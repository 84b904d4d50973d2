"""A panel and a fix crew with agents in their roles: reviewers, divers, planners, a fixer."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

from burnish.analysers._embedded import text_of
from burnish.app.importers import Importers, SamePlaces
from burnish.app.spec import RunSpec
from burnish.errors import AgentMissing, UsageError
from burnish.model.step import Role
from burnish.ports import Agent, Contract, Source
from burnish.process.tool_setup import ToolSetup
from burnish.registry import load
from burnish.workflows.agent_diver import AgentDiver
from burnish.workflows.agent_task import Office
from burnish.workflows.agent_viewer import AgentViewer
from burnish.workflows.chain import DiverChain, ViewerChain
from burnish.workflows.embedded import EmbeddedDiver
from burnish.workflows.fix_crew import FixCrew, FixTimes
from burnish.workflows.panel import Panel

EMBEDDED = "embedded"
PLAN_S = 1800.0


@dataclass(frozen=True)
class Roles:
    """`agents` are asked for each dimension and each dive, in this order, and plan; `fixer` may be none."""

    spec: RunSpec
    agents: tuple[Agent, ...]
    fixer: Agent | None = None

    def check(self) -> None:
        """Before anything is started: one agent of the chain must be there, and the fixer."""
        missing: list[AgentMissing] = []
        for agent in self.agents:
            try:
                agent.check()
            except AgentMissing as error:
                missing.append(error)
        try:
            if self.fixer is not None and self.fixer not in self.agents:
                self.fixer.check()
        except AgentMissing as error:
            raise UsageError(error.message, hint=error.hint) from None
        if missing and len(missing) == len(self.agents):
            raise UsageError(missing[0].message, hint=missing[0].hint)

    def panel(self, panel: Panel, office: Office, setup: ToolSetup, head: Source) -> Panel:
        """The same panel, with whoever was asked for in front of the embedded reviewer."""
        places = SamePlaces(panel.analysing.analysers, head)
        embedded = EmbeddedDiver(Importers(setup, head), places)
        if not self.agents:
            return replace(panel, diver=embedded)
        spec = self.spec
        contract: Contract = load("contracts", spec.contract)(
            compat=spec.compat, fail_on=spec.fail_on, min_confidence=spec.min_confidence
        )
        review_s, text = spec.times.review_s, partial(text_of, head.root)
        viewers = tuple(
            (agent.name, AgentViewer(agent, office, contract, review_s, spec.diff_cap, text))
            for agent in self.agents
        )
        divers = tuple((agent.name, AgentDiver(agent, office, review_s, embedded)) for agent in self.agents)
        return replace(panel, viewer=ViewerChain(viewers, panel.viewer), diver=DiverChain(divers, embedded))

    def fix_crew(self, crew: FixCrew) -> FixCrew:
        times = self.spec.times
        return replace(
            crew,
            agent=self.fixer,
            planners=self.agents,
            times=FixTimes(plan_s=min(PLAN_S, times.review_s), fix_s=times.fix_s),
            model=dict(self.spec.models).get(Role.FIX, ""),
        )
