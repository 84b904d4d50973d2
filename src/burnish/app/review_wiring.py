"""Ports joined with their adapters for a review, with or without its fixes."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

from burnish.analysers._embedded import embedded, not_assessed
from burnish.app.agent_wiring import EMBEDDED, Roles
from burnish.app.dossier import Dossier
from burnish.app.fix_wiring import AnyRule, LookAgain, NamedGate, Trees, change_of
from burnish.app.priced import Notices
from burnish.app.project import project_of
from burnish.app.repairable import repairable
from burnish.app.spec import ReviewSpec
from burnish.app.suspecting import suspecting
from burnish.app.taint_plan import is_off, looking_again, taken_as_safe
from burnish.app.testing import SET
from burnish.app.tool_options import tool_options
from burnish.app.unasked import tests_notice, why_not_run
from burnish.app.wiring import Wiring
from burnish.fixers._choose import code_fixers
from burnish.gates.command import CommandGate
from burnish.gates.compiles import Compiles
from burnish.git.discovery import changed_files, look_at, matching_files
from burnish.git.export import lay_source
from burnish.git.workspaces import Workspaces
from burnish.model.assessment import Analysis, Assessment
from burnish.model.change import Change
from burnish.model.dimension import Dimension
from burnish.model.fixing import FixResult
from burnish.model.history import History
from burnish.model.report import Blocking, entry_of
from burnish.model.review import Finding
from burnish.model.sandbox_mode import SandboxMode
from burnish.model.step import Role, Step
from burnish.model.subject import ReviewMode, Subject, SubjectFile
from burnish.policies._fix_once import FixOnce
from burnish.policies._once import Once
from burnish.policies.until_pass import UntilPass
from burnish.ports import Hands, Ledger, Policy, Run, Sandbox, Source
from burnish.process.environment import child_environment
from burnish.process.isolation import usable_sandbox
from burnish.process.tool_setup import Progress, ToolSetup, unseen
from burnish.prompts.book import PromptBook
from burnish.sanitise import clean_line
from burnish.store.clock import SystemClock
from burnish.store.desks import FolderDesks
from burnish.store.memory import MemoryLedger
from burnish.workflows.agent_task import Office, Project
from burnish.workflows.analysing import Analysing
from burnish.workflows.deliver import Delivery
from burnish.workflows.embedded import EmbeddedViewer
from burnish.workflows.fix_crew import FixCrew, FixTask
from burnish.workflows.fix_cycle import fix_cycle
from burnish.workflows.fix_outcome import FixOutcome
from burnish.workflows.given import given_files
from burnish.workflows.panel import Panel, now
from burnish.workflows.panel_crew import PanelCrew, Prepared

# How much of the change is looked at to say which hunks the reviewer was given.
GIVEN_CAP = 5_000_000
SHOWN_CALLS = 5


@dataclass(frozen=True)
class ReviewWiring(Wiring):
    """`made` holds the crew that worked, for whoever wants its assessments afterwards."""

    made: dict[str, PanelCrew] = field(default_factory=dict)
    fixed: dict[int, FixOutcome] = field(default_factory=dict)
    ledger: Ledger = field(default_factory=MemoryLedger)
    dossier: Dossier | None = None
    progress: Progress = unseen

    @property
    def review(self) -> ReviewSpec:
        assert self.spec.review is not None
        return self.spec.review

    @property
    def isolation_notices(self) -> Notices:
        """Of the agents, where there are any; and of the tests, where there are any."""
        held, fixer = self.spec.confinement, self.spec.fixer
        agents = self.review.agents or fixer not in (None, EMBEDDED)
        tests = tests_notice(held, fix=self.review.fix) if self._asks_for_tests else ""
        of_agents = super().isolation_notices if agents else ()
        return (*of_agents, ("tests_unsandboxed", tests)) if tests else of_agents

    @property
    def _asks_for_tests(self) -> bool:
        return bool(self.spec.gate) and (self.review.tests or self.review.fix)

    @property
    def _not_run(self) -> str:
        """Why the change's tests may not be run. Asked anew: a resumed run may have lost its sandbox."""
        return why_not_run(self.spec.confinement)

    def check(self) -> None:
        usable_sandbox(SandboxMode(self.spec.confinement.mode), Sandbox())
        self._roles().check()

    def policy(self) -> Policy:
        if not self.review.fix:
            return Once()
        needs_change = self.review.subject.mode is ReviewMode.SESSION and not self.review.given
        return FixOnce(UntilPass(self.profile, self.spec.limit, needs_change=needs_change))

    def crew(self) -> Hands:
        crew = PanelCrew(
            prepare=self._prepare,
            ledger=self.ledger,
            blocking=Blocking(self.spec.fail_on, self.spec.min_confidence),
            repair=self._repair if self.review.fix else None,
            publish=self._publish,
            set_gate=self.spec.gate if self.review.test_origin == SET else "",
            gate_not_run=self._not_run if self._asks_for_tests else "",
        )
        self.made["crew"] = crew
        return crew

    def _gate(self, workspaces: Workspaces) -> CommandGate | None:
        return None if self._not_run else super()._gate(workspaces)

    def delivery(self) -> Delivery:
        return replace(super().delivery(), prefix=f"{self.spec.branch_prefix}fix-", each_checked=True)

    async def _publish(self, cycle: int, prepared: Prepared, assessment: Assessment) -> None:
        if self.dossier:
            self.dossier.publish(prepared.subject, assessment, now())

    @property
    def sources(self) -> Path:
        return self.place.run_folder(self.run_id) / "sources"

    async def _prepare(self, history: History) -> Prepared:
        """The history's tree and the base laid out as plain files, and the panel over them."""
        store = self.workspaces.store
        subject = await self._subject_of(history.tree)
        subject, head = await look_at(store, subject, self.sources / "head")
        base = None
        if subject.base_tree:
            base = await lay_source(store, subject.base_tree, self.sources / "base", like=head)
        panel = self._roles().panel(
            self._panel(head, base), await self._office(), self._analyser_setup(), head
        )
        if self.review.given:
            panel = await self._given_panel(panel, first=not history.reviews)
        diff = await self.workspaces.diff(self.spec.task.base_tree, history.tree, GIVEN_CAP)
        return Prepared(subject, panel, given_files(diff))

    async def _given_panel(self, panel: Panel, *, first: bool) -> Panel:
        """Of findings that were given, nothing is looked for at first; later those not fixed still stand."""
        given = self.review.given
        if not first:
            done = (FixResult.FIXED, FixResult.ALREADY_GONE)
            gone = {fix.finding_id for out in self.fixed.values() for fix in out.fixes if fix.result in done}
            given = tuple(finding for finding in given if finding.id not in gone)
        analysing = replace(panel.analysing, analysers=()) if first else panel.analysing
        return replace(panel, analysing=analysing, viewer=EmbeddedViewer(given), max_iterations=0)

    async def _subject_of(self, tree: str) -> Subject:
        """What was asked for, as it is in this tree: a fix may have added or removed files."""
        subject, store = self.review.subject, self.workspaces.store
        if tree == subject.tree:
            return subject
        subject = replace(subject, tree=tree)
        if subject.mode is ReviewMode.SESSION:
            return await changed_files(store, subject)
        found = await matching_files(store, tree, subject.patterns)
        paths = sorted({path for some in found.values() for path in some})
        return replace(subject, files=tuple(SubjectFile(path) for path in paths))

    async def _repair(self, run: Run, history: History, assessment: Assessment) -> Change:
        """The fix pipeline on everything open that was asked for."""
        cycle = len(history.reviews)
        task = FixTask(
            await self._to_fix(assessment),
            history.commit,
            history.tree,
            batch_size=self.review.batch_size,
            unsafe=self.review.unsafe,
            cycle=cycle,
        )
        outcome = await fix_cycle(task, self._fix_crew(), run)
        self.fixed[cycle] = outcome

        async def made() -> Change:
            return change_of(outcome)

        return await run.do(Step(Role.FIX, cycle), made)

    async def _to_fix(self, assessment: Assessment) -> tuple[Finding, ...]:
        entries, review = await self.ledger.entries(), self.review
        return tuple(
            finding
            for finding in assessment.findings
            if finding.severity.at_least(review.min_severity)
            and not ((entry := entry_of(finding, entries)) and entry.state.dismissed)
            and (not review.wanted or {finding.id, finding.fingerprint} & set(review.wanted))
        )

    def _fix_crew(self) -> FixCrew:
        setup = self._analyser_setup()
        head = self.sources / "head"
        done = head.with_name("head.done")
        like = Source(head, done.read_text("ascii")) if done.is_file() else None
        trees = Trees(self.workspaces.store, self.sources / "trees", like)
        env = child_environment(self.place.environ)
        crew = FixCrew(
            workspaces=self.decorate("workspaces", self.workspaces),
            recheck=LookAgain(embedded(replace(setup, options=looking_again(setup.options))), trees),
            desks=self._desks,
            clock=SystemClock(),
            prompts=PromptBook(dict(self.spec.prompts)),
            fixers=tuple(AnyRule(fixer) for fixer in code_fixers(setup)),
            gate=NamedGate(gate) if (gate := self._gate(self.workspaces)) else None,
            weaker=Compiles(trees.lay, env),
        )
        return self._roles().fix_crew(crew)

    def _roles(self) -> Roles:
        spec = self.spec
        agents = [agent for command in self.review.agents if (agent := self._agent(command))]
        return Roles(spec, tuple(agents), None if spec.fixer == EMBEDDED else self._agent(spec.fixer))

    async def _office(self) -> Office:
        """Only agents need to know the project."""
        workspaces, review = self.workspaces, self.review
        project = Project()
        if review.agents:
            command = "" if self._not_run else review.test_command
            project = await project_of(self.place, workspaces.store, self.spec.task.base, command)
        model = dict(self.spec.models).get(Role.REVIEW, "")
        return Office(workspaces, self._desks, PromptBook(dict(self.spec.prompts)), project, model=model)

    @property
    def _desks(self) -> FolderDesks:
        return FolderDesks(self.place.run_folder(self.run_id) / "desks")

    def _panel(self, head: Source, base: Source | None) -> Panel:
        review = self.review
        setup = self._analyser_setup()
        analysers = repairable(embedded(setup), setup)
        if review.agents or self.spec.fixer not in (None, EMBEDDED):
            # Agents get them as evidence; the search looks for itself.
            analysers = suspecting(analysers, setup, head.tree)
        return Panel(
            Analysing(analysers, head, base, review.everything),
            dimensions=review.dimensions,
            max_iterations=review.max_iterations,
            gaps=self._gaps,
        )

    def _gaps(self, ran: tuple[Analysis, ...]) -> tuple[str, ...]:
        told = not_assessed(ran)
        if is_off(self.review.options):
            off = f"{Dimension.SECURITY}: data flow: not followed, as the settings say (taint.enabled)"
            told = (*told, off)
        elif safe := taken_as_safe(self.review.options):
            names = f"{', '.join(safe[:SHOWN_CALLS])}{', ...' if len(safe) > SHOWN_CALLS else ''}"
            behind = f"data behind {clean_line(names)}: safe because the settings say so ([taint])"
            told = (*told, f"{Dimension.SECURITY}: {behind}")
        if self.review.tests:
            return told
        asked = f"{Dimension.ACTION_ITEMS}: the tests: they were not run, as you asked (--no-tests)"
        return tuple(asked if "the tests: they were not run" in text else text for text in told)

    def _analyser_setup(self) -> ToolSetup:
        held = self.spec.confinement
        sandbox = Sandbox(
            readable=(self.sources,),
            hidden=self._hidden,
            home_paths=tuple(Path(path) for path in held.home_paths),
            network=False,
        )
        return ToolSetup(
            env=child_environment(self.place.environ),
            search=self.place.environ.get("PATH", ""),
            sandbox=usable_sandbox(SandboxMode(held.mode), sandbox),
            sarif=tuple(Path(path) for path in self.review.sarif),
            scratch=self.place.run_folder(self.run_id) / "scratch",
            test_command="" if self._not_run else self.review.test_command,
            tests_off=self._not_run if self.review.test_command else "",
            options={
                **tool_options(self.place.repository.root, self._base_folder),
                **dict(self.review.options),
            },
            outside=(self.place.repository.root,),
            progress=self.progress,
        )

    @property
    def _base_folder(self) -> Path:
        """Where configuration is taken from: the base, or the tree itself where no change is under review."""
        return self.sources / ("base" if self.review.subject.base_tree else "head")
