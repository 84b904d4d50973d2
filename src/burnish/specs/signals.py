"""A signal: that a step of a phase ended, how, and the name of its file."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from burnish.model.review import Verdict
from burnish.model.step import Role

VERSION = 1
_RANKS = {Role.IMPLEMENT: 0, Role.REVIEW: 1, Role.FIX: 2, None: 3}
# Numbers without leading zeros: a name must be the one that is written for what it says.
_NUMBER = r"0|[1-9][0-9]{0,5}"
_NAME = re.compile(
    rf"phase-(?P<phase>{_NUMBER})-(?:(?P<kind>review|fix)-(?P<cycle>{_NUMBER})|implement)\.(?:done|fail)"
)
_NUMBERS = re.compile(r"([0-9]+)")
_SUFFIX = re.compile(r"\.(?:done|fail)\Z")


class Status(StrEnum):
    """`skipped` is only ever read, from the form that other tools write."""

    SUCCESS = "success"
    FAIL = "fail"
    SKIPPED = "skipped"


@dataclass(frozen=True)
class Signal:
    """`kind` is None for a signal of another tool, whose name (without suffix) is its `label`.

    `path` is the file that the step wrote and `size` its bytes; `receipt` names the evidence of a PASS.
    """

    phase: int
    kind: Role | None
    cycle: int = 0
    status: Status = Status.SUCCESS
    path: str = ""
    size: int = 0
    created_at: str = ""
    error: str = ""
    trace_id: str = ""
    version: int = VERSION
    previous: str = ""
    grade: Verdict | None = None
    commit: str = ""
    duration_seconds: float = 0.0
    run: str = ""
    receipt: str = ""
    label: str = ""

    @property
    def name(self) -> str:
        """The name of its file below `.signals/`."""
        return f"{self.stem}.{'fail' if self.status is Status.FAIL else 'done'}"

    @property
    def stem(self) -> str:
        if self.kind is None:
            return self.label
        return f"phase-{self.phase}-{self.kind}" + ("" if self.kind is Role.IMPLEMENT else f"-{self.cycle}")

    @property
    def passed(self) -> bool:
        """What it says; whether that holds is for its receipt to show."""
        return self.kind is Role.REVIEW and self.status is Status.SUCCESS and self.grade is Verdict.PASS


@dataclass(frozen=True)
class SignalName:
    """What the name of a signal's file tells."""

    phase: int
    kind: Role | None
    cycle: int
    failed: bool
    label: str = ""


def parse_name(name: str) -> SignalName | None:
    """None when this is not the name of a signal at all."""
    if not _SUFFIX.search(name):
        return None
    failed = name.endswith(".fail")
    found = _NAME.fullmatch(name)
    if not found:
        return SignalName(0, None, 0, failed, _SUFFIX.sub("", name))
    kind = Role(found["kind"] or Role.IMPLEMENT)
    return SignalName(int(found["phase"]), kind, int(found["cycle"] or 0), failed)


def in_order(signal: Signal) -> tuple[Any, ...]:
    """Sorts signals as they come about: implement, review-1, fix-1, review-2; those of other tools behind."""
    parts = _NUMBERS.split(signal.label)
    natural = tuple((int(part[:18]) if part.isdigit() else 0, part) for part in parts)
    succeeded = signal.status is not Status.FAIL
    if signal.kind is None:
        return (1, 0, 0, 0, natural, succeeded)
    return (0, signal.phase, signal.cycle, _RANKS[signal.kind], natural, succeeded)
