"""The signals and reviews of a phase, from events: a projection, deleted at will and made again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from burnish.app.dossier_folder import Folder
from burnish.app.signal_files import FOLDER
from burnish.model.change import Change, FailureKind
from burnish.model.events import Recorded, RunFinished, RunStarted, StepFailed, StepFinished, StepStarted
from burnish.model.outcome import Outcome
from burnish.model.review import Review, Verdict
from burnish.model.step import Role, Step
from burnish.sanitise import clean, clean_line
from burnish.specs.signal_text import write_signal
from burnish.specs.signals import Signal, Status

_WORK = (Role.IMPLEMENT, Role.REVIEW, Role.FIX)


class SpecFiles:
    """A listener for the runs of one phase.

    What may still be asked again (no clear grade, a failed try) waits until the next step begins; a PASS
    waits for its receipt. Everything else is on disk before the loop acts on it.
    """

    def __init__(self, folder: Folder, phase: int, session: str) -> None:
        self._folder = folder
        self._phase = phase
        self._session = session
        self._commit = ""
        self._began: dict[str, str] = {}
        self._held: tuple[Step, Signal, str] | None = None

    def __call__(self, recorded: Recorded) -> None:
        match recorded.event:
            case RunStarted() as started:
                self._commit = started.start
            case StepStarted(step) if step.role in _WORK:
                self._began[step.key] = recorded.at
                if self._held and not _same(self._held[0], step):
                    self._let_go()
            case StepFinished(step, Change.__name__, result):
                self._held = None
                self._commit = result["commit"]
                if step.role is Role.FIX:
                    self._write(self._signal(recorded, step))
            case StepFinished(step, Review.__name__, result):
                self._hold(step, self._reviewed(recorded, step, result), _page(result))
                if result["verdict"] != Verdict.PASS and not result["unclear"]:
                    self._let_go()
            case StepFailed(step, failure, message):
                self._hold(step, self._failed(recorded, step, failure, message), message)
            case RunFinished() as finished:
                self._let_go(finished.receipt or "")
                self._ended(recorded, finished)
            case _:
                pass

    def catch_up(self, events: Sequence[Recorded]) -> None:
        """What is known already, written where it is missing."""
        for recorded in events:
            self(recorded)

    def forget_failure(self) -> None:
        """The phase is tried again: that it failed is in the journal, and no longer so."""
        self._folder.remove(f"{FOLDER}/phase-{self._phase}.fail")

    def fail(self, at: str, run: str, why: str) -> None:
        """The phase itself failed, whatever its steps came to: STAGE_FAILED."""
        signal = Signal(
            self._phase, None, status=Status.FAIL, created_at=at, run=run, trace_id=self._session,
            error=f"STAGE_FAILED: {clean_line(why)}", label=f"phase-{self._phase}",
        )  # fmt: skip
        # It is about the phase as it stands now, so the last attempt's words count.
        self._folder.write(f"{FOLDER}/{signal.name}", write_signal(signal))

    def _hold(self, step: Step, signal: Signal, page: str) -> None:
        self._held = (step, signal, page)

    def _let_go(self, receipt: str = "") -> None:
        held, self._held = self._held, None
        if held is None:
            return
        _, signal, page = held
        if signal.kind is Role.REVIEW and signal.status is Status.SUCCESS:
            path = f"reviews/{signal.stem}.md"
            self._folder.write_if_missing(path, page)
            size = len(page.encode("utf8", "replace"))
            signal = replace(signal, path=path, size=size, receipt=receipt if signal.passed else "")
        self._write(signal)

    def _write(self, signal: Signal) -> None:
        self._folder.write_if_missing(f"{FOLDER}/{signal.name}", write_signal(signal))

    def _ended(self, recorded: Recorded, finished: RunFinished) -> None:
        if finished.outcome != Outcome.PASSED:
            self.fail(recorded.at, recorded.run, f"{finished.message or finished.reason}")

    def _signal(self, recorded: Recorded, step: Step, **more: Any) -> Signal:
        seconds = _seconds(self._began.get(step.key, ""), recorded.at)
        known = {"commit": self._commit, "run": recorded.run, "trace_id": self._session}
        return Signal(
            self._phase,
            step.role,
            step.cycle,
            created_at=recorded.at,
            duration_seconds=seconds,
            **known | more,
        )

    def _reviewed(self, recorded: Recorded, step: Step, review: dict[str, Any]) -> Signal:
        why = review["overruled"] or review["unclear"]
        return self._signal(recorded, step, grade=Verdict(review["verdict"]), error=clean_line(str(why)))

    def _failed(self, recorded: Recorded, step: Step, failure: str, message: str) -> Signal:
        # Words that are no review at all count as the worst grade, and the loop goes on (O-43).
        if step.role is Role.REVIEW and failure == FailureKind.VIOLATION:
            return self._signal(recorded, step, grade=Verdict.FAIL, error=clean_line(message))
        return self._signal(recorded, step, status=Status.FAIL, error=clean_line(message))


def _same(one: Step, other: Step) -> bool:
    """Whether it is the same step asked again."""
    return (one.role, one.phase, one.cycle) == (other.role, other.phase, other.cycle)


def _page(review: dict[str, Any]) -> str:
    """The reviewer's own report; where it does not count as it stands, that is said above it."""
    why = review["overruled"] or review["unclear"]
    said = f"> Read as {str(review['verdict']).upper()}: {clean_line(str(why))}\n\n" if why else ""
    return f"{said}{clean(str(review['text'] or review['summary']))}\n"


def _seconds(began: str, ended: str) -> float:
    """A clock that was set back counts as no time."""
    if not began:
        return 0.0
    return max((datetime.fromisoformat(ended) - datetime.fromisoformat(began)).total_seconds(), 0.0)
