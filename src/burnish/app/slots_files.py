"""The logs of a slot below `.burnish/logs/`: what each of its agents did, and its last message."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from burnish.app.dossier_folder import Folder
from burnish.app.slots_facts import Picked
from burnish.codec import dumps, plain
from burnish.model.events import Recorded, StepFailed, StepFinished, StepStarted
from burnish.model.step import Role, Step
from burnish.sanitise import clean
from burnish.slots.log_names import EVENTS, LAST_MESSAGE, log_stem, stamp

_AGENTS = (Role.IMPLEMENT, Role.REVIEW, Role.FIX)


class SlotFiles:
    """A listener. What a step came to is on disk before the loop acts on it."""

    def __init__(self, root: Path, iteration: int, picked: Picked) -> None:
        self._folder = Folder(root, "logs")
        self._iteration = iteration
        self._picked = picked
        self._lines: dict[str, list[str]] = {}

    @property
    def trouble(self) -> str:
        return self._folder.trouble

    def catch_up(self, events: Sequence[Recorded]) -> None:
        """What is known already, written again: artifacts can be deleted at any time."""
        for recorded in events:
            self(recorded)

    def __call__(self, recorded: Recorded) -> None:
        match recorded.event:
            case StepStarted(step) | StepFinished(step) | StepFailed(step) if step.role in _AGENTS:
                self._add(step, recorded)
            case _:
                pass

    def _add(self, step: Step, recorded: Recorded) -> None:
        stem = self._stem(step)
        event = {"kind": recorded.event.kind, "at": recorded.at, "run": recorded.run, **plain(recorded.event)}
        lines = self._lines.setdefault(stem, [])
        lines.append(dumps(event))
        self._folder.write(f"{stem}{EVENTS}", "\n".join(lines) + "\n")
        if not isinstance(recorded.event, StepStarted):
            self._folder.write(f"{stem}{LAST_MESSAGE}", clean(_message(recorded.event)) + "\n")

    def _stem(self, step: Step) -> str:
        """Reviews and fixes are counted by the cycle they belong to: fix 1 follows review 1."""
        at, picked = stamp(self._picked.at), self._picked
        return log_stem(self._iteration, at, picked.slot, step.role, step.cycle, picked.attempt)


def _message(event: Any) -> str:
    if isinstance(event, StepFailed):
        return event.message
    result = event.result if isinstance(event.result, dict) else {}
    return str(result.get("said") or result.get("text") or result.get("summary") or "")
