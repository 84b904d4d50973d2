"""An agent looks closer at one finding: root cause, similar places, impact, plan, severity."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace

from burnish.model.assessment import Dive
from burnish.model.dimension import Dimension
from burnish.model.review import Finding
from burnish.model.step import Step
from burnish.model.subject import Subject
from burnish.ports import Agent, Desk, Run
from burnish.sanitise import clean_line
from burnish.workflows.agent_task import Office, Question, ask_about
from burnish.workflows.chain import check_worth
from burnish.workflows.dive_answer import INSTRUCTIONS, SCHEMA, read_dive
from burnish.workflows.embedded import EmbeddedDiver, now, places_like, tests_in
from burnish.workflows.told_findings import told_finding

TIMEOUT_S = 2400.0


@dataclass(frozen=True)
class AgentDiver:
    """`known` is what code can tell about a place; `timeout_s` caps the forty minutes a dive may take."""

    agent: Agent
    office: Office
    timeout_s: float
    known: EmbeddedDiver = field(default_factory=EmbeddedDiver)

    async def dive(
        self, run: Run, step: Step, subject: Subject, finding: Finding, among: tuple[Finding, ...]
    ) -> Dive:
        began = time.monotonic()
        importers = await self.known.importers(finding.file)
        similar = await places_like(finding, among, self.known.elsewhere)
        question = self._question(run, step, subject.tree, finding, importers, similar)
        question = replace(question, base=subject.base_tree)
        answer = await ask_about(run, step, self.office, self.agent, question)
        check_worth(answer.reply, answer.value.confidence, answer.spent)
        told = answer.value
        return replace(
            told,
            agent=answer.agent,
            model=answer.reply.model or answer.reply.version,
            # What code knows is not lost because an agent did not repeat it.
            similar=tuple(dict.fromkeys((*told.similar, *similar))),
            affected=tuple(dict.fromkeys((finding.file, *told.affected, *importers))),
            tests=tuple(dict.fromkeys((*told.tests, *tests_in(importers)))),
            at=now(),
            duration_s=round(time.monotonic() - began, 3),
            usage=answer.spent,
            isolation=answer.reply.isolation,
        )

    def _question(
        self,
        run: Run,
        step: Step,
        tree: str,
        finding: Finding,
        importers: tuple[str, ...],
        similar: tuple[str, ...],
    ) -> Question[Dive]:
        iteration = int(step.phase.rpartition("-")[2] or 1)

        def prompt(desk: Desk, complaint: str) -> str:
            text = self.office.prompts.render(
                "dive",
                run=run.id,
                iteration=iteration,
                inbox=str(desk.inbox),
                finding=told_finding(finding),
                importers=[clean_line(name) for name in importers],
                similar=[clean_line(place) for place in similar],
                complaint=complaint,
                contract=INSTRUCTIONS,
            )
            return text if INSTRUCTIONS.strip() in text else f"{text}\n{INSTRUCTIONS}"

        return Question(
            tree,
            self._role(finding),
            prompt,
            lambda reply: read_dive(reply, finding, iteration),
            min(TIMEOUT_S, self.timeout_s),
            SCHEMA,
        )

    def _role(self, finding: Finding) -> str:
        """The view it was found from; one that somebody brought may have been found from none of ours."""
        if finding.dimension not in list(Dimension):
            return "Look closer at one finding.\n"
        return self.office.prompts.render(f"dimensions/{finding.dimension}")
