"""Ports joined with their adapters for a review, with or without its fixes."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from burnish.analysers._embedded import embedded, not_assessed
from burnish.analysers._setup import AnalyserSetup
from burnish.app.spec import ReviewSpec
from burnish.app.wiring import Wiring
from burnish.git.discovery import changed_files, look_at, matching_files
from burnish.git.export import lay_source
from burnish.model.history import History
from burnish.model.report import Blocking
from burnish.model.sandbox_mode import SandboxMode
from burnish.model.subject import ReviewMode, Subject, SubjectFile
from burnish.policies._once import Once
from burnish.policies.until_pass import UntilPass
from burnish.ports import Hands, Ledger, Policy, Sandbox, Source
from burnish.process.environment import child_environment
from burnish.process.isolation import usable_sandbox
from burnish.store.memory import MemoryLedger
from burnish.workflows.analysing import Analysing
from burnish.workflows.panel import Panel
from burnish.workflows.panel_crew import PanelCrew, Prepared


@dataclass(frozen=True)
class ReviewWiring(Wiring):
    """`made` holds the crew that worked, for whoever wants its assessments afterwards."""

    made: dict[str, PanelCrew] = field(default_factory=dict)
    ledger: Ledger = field(default_factory=MemoryLedger)

    @property
    def review(self) -> ReviewSpec:
        assert self.spec.review is not None
        return self.spec.review

    def check(self) -> None:
        usable_sandbox(SandboxMode(self.spec.confinement.mode), Sandbox())

    def policy(self) -> Policy:
        if not self.review.fix:
            return Once()
        needs_change = self.review.subject.mode is ReviewMode.SESSION
        return UntilPass(self.profile, self.spec.limit, needs_change=needs_change)

    def crew(self) -> Hands:
        crew = PanelCrew(
            prepare=self._prepare,
            ledger=self.ledger,
            blocking=Blocking(self.spec.fail_on, self.spec.min_confidence),
        )
        self.made["crew"] = crew
        return crew

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
        return Prepared(subject, self._panel(head, base))

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

    def _panel(self, head: Source, base: Source | None) -> Panel:
        review = self.review
        setup = self._analyser_setup()
        return Panel(
            Analysing(embedded(setup), head, base, review.everything),
            dimensions=review.dimensions,
            max_iterations=review.max_iterations,
            gaps=partial(not_assessed),
        )

    def _analyser_setup(self) -> AnalyserSetup:
        held = self.spec.confinement
        sandbox = Sandbox(
            readable=(self.sources,),
            hidden=self._hidden,
            home_paths=tuple(Path(path) for path in held.home_paths),
            network=False,
        )
        return AnalyserSetup(
            env=child_environment(self.place.environ),
            search=self.place.environ.get("PATH", ""),
            sandbox=usable_sandbox(SandboxMode(held.mode), sandbox),
            sarif=tuple(Path(path) for path in self.review.sarif),
            scratch=self.place.run_folder(self.run_id) / "scratch",
            test_command=self.review.test_command,
        )
