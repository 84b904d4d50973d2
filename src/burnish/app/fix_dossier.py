"""The files of a fix session written as it goes: plans, the progress of each group, summary, history."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from burnish import codec
from burnish.app.dossier_folder import OWN, Folder
from burnish.dossier.fix_history import ActiveFixSession, FixHistory, HistoryEntry
from burnish.dossier.fix_progress import FixProgress, begun, ended, landed, tried, waiting
from burnish.dossier.plan import fix_plan_file, partial_plan_file, progress_name
from burnish.dossier.texts import fix_summary_text
from burnish.errors import UsageError
from burnish.model.events import Recorded, StepFinished, StepStarted
from burnish.model.fixing import FindingFix, FixPlan, GroupResult, PartialPlan
from burnish.model.review import Finding
from burnish.model.step import Role, Step
from burnish.repository_files import read_below
from burnish.workflows.fix_outcome import FixOutcome

MOST_BYTES = 16 * 1024 * 1024
ACTIVE, HISTORY = "active-fix-session.json", "fix-history.json"


@dataclass
class FixDossier:
    """A listener. Marker and history stand in `fixes/`, where a resume looks, and in the session's folder."""

    folder: Folder
    run: str
    review_id: str
    known: dict[str, Finding] = field(default_factory=dict)
    session: str = ""
    progress: dict[str, FixProgress] = field(default_factory=dict)
    numbers: dict[str, int] = field(default_factory=dict)

    def __call__(self, recorded: Recorded) -> None:
        match recorded.event:
            case StepStarted(step) if step.role is Role.FIX:
                self._started(step, recorded.at)
            case StepFinished(step, kind, result) if step.role is Role.FIX:
                self._finished(step, kind, result, recorded.at)

    def _started(self, step: Step, at: str) -> None:
        if step.phase == "plan" and not self.session:
            self.session = f"fix-{self.run.removeprefix('r-')}-{step.cycle}"
            active = ActiveFixSession(
                fix_session_id=self.session, review_id=self.review_id, run=self.run, started_at=at
            )
            self._both(ACTIVE, active.text())
        elif step.phase == "group" and step.part in self.progress:
            self._show(step.part, begun(self.progress[step.part], at))

    def _finished(self, step: Step, kind: str, result: Any, at: str) -> None:
        match kind:
            case "PartialPlan":
                partial: PartialPlan = codec.validate(PartialPlan, result)
                self._write(f"partial-plan-{partial.batch}.json", partial_plan_file(partial, at).text())
            case "FixPlan":
                self._planned(codec.validate(FixPlan, result), at)
            case "FindingFix":
                fix: FindingFix = codec.validate(FindingFix, result)
                for group, progress in self.progress.items():
                    if any(item.finding_id == fix.finding_id for item in progress.findings):
                        self._show(group, tried(progress, fix, at))
            case "GroupResult" if step.part in self.progress:
                done: GroupResult = codec.validate(GroupResult, result)
                self._show(step.part, ended(self.progress[step.part], done, at))
            case "FixOutcome":
                self._over(codec.validate(FixOutcome, result), at)

    def _planned(self, plan: FixPlan, at: str) -> None:
        self._write("fix-plan.json", fix_plan_file(plan, self.session, self.review_id, at).text())
        for number, group in enumerate(plan.groups, 1):
            self.numbers[group.id] = number
            self._show(group.id, waiting(group, number, self.known, at))

    def _over(self, outcome: FixOutcome, at: str) -> None:
        fixes = outcome.fixes
        for result in outcome.groups:
            if result.group in self.progress:
                # Only now, with all groups joined, the commits have the names they keep.
                self._show(result.group, landed(self.progress[result.group], result))
        notes = tuple(note for note in (outcome.partial,) if note)
        self._write("fix-summary.md", fix_summary_text(self.session, fixes, self.known, notes))
        entry = HistoryEntry(
            fix_session_id=self.session,
            timestamp=at,
            status="completed" if outcome.complete else "partial" if outcome.fixed else "failed",
            findings_count=len(fixes),
            fixed_count=outcome.fixed,
            failed_count=outcome.failed,
        )
        self._both(HISTORY, self._history().with_entry(entry).text())
        self.folder.remove(f"fixes/{ACTIVE}")
        self.folder.remove(f"fixes/{self.session}/{ACTIVE}")
        self.session = ""

    def _history(self) -> FixHistory:
        path = f"{OWN}/{self.folder.path}/fixes/{HISTORY}"
        try:
            text = read_below(self.folder.root, path, MOST_BYTES).decode("utf8")
            return FixHistory.read(text, HISTORY)
        except (OSError, ValueError, UsageError):
            return FixHistory()

    def _show(self, group: str, progress: FixProgress) -> None:
        self.progress[group] = progress
        self._write(progress_name(self.numbers[group]), progress.text())

    def _write(self, name: str, text: str) -> None:
        self.folder.write(f"fixes/{self.session}/{name}", text)

    def _both(self, name: str, text: str) -> None:
        self.folder.write(f"fixes/{name}", text)
        self._write(name, text)
