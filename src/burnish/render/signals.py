"""Signals as lines and as plain data: one answer per action."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Any

from burnish.codec import plain
from burnish.sanitise import clean_line
from burnish.specs.signals import Signal, Status

Named = tuple[str, Signal]


class Action(StrEnum):
    SUMMARY = "summary"
    COUNT = "count"
    FAILURES = "failures"
    PATHS = "paths"
    SIZES = "sizes"
    TOTAL_SIZE = "total-size"


class Completeness(StrEnum):
    """Partial: as many ended as were expected, and some of them failed."""

    COMPLETE = "complete"
    PARTIAL = "partial"
    INCOMPLETE = "incomplete"


def lines(action: Action, signals: Sequence[Named]) -> list[str]:
    """What `burnish signals` prints."""
    return _LINES[action](signals)


def data(action: Action, signals: Sequence[Named]) -> dict[str, Any]:
    """The same as plain data, for --json."""
    return _DATA[action](signals)


def completeness(signals: Sequence[Named], expected: int, at: datetime) -> dict[str, Any]:
    """How far a session is of so many signals."""
    done, failed = len(_done(signals)), len(_failed(signals))
    state = Completeness.COMPLETE if done >= expected else Completeness.PARTIAL
    if done + failed < expected:
        state = Completeness.INCOMPLETE
    stamp = at.isoformat(timespec="seconds")
    return {"complete": done, "failed": failed, "expected": expected, "status": state, "checked_at": stamp}


def _done(signals: Iterable[Named]) -> list[Named]:
    return [one for one in signals if one[1].status is not Status.FAIL]


def _failed(signals: Iterable[Named]) -> list[Named]:
    return [one for one in signals if one[1].status is Status.FAIL]


def _total(signals: Iterable[Named]) -> int:
    return sum(signal.size for _, signal in _done(signals))


def _summary_line(name: str, signal: Signal) -> str:
    note = ""
    if signal.passed:
        note = " (PASS - no fix needed)"
    elif signal.status is Status.FAIL and signal.error:
        note = f" ({clean_line(signal.error)})"
    return f"{clean_line(name)}: {signal.status}{note}"


def _paths(signals: Sequence[Named]) -> list[str]:
    return [signal.path for _, signal in _done(signals) if signal.path]


def _one(name: str, signal: Signal) -> dict[str, Any]:
    told = {key: value for key, value in plain(signal).items() if key != "label"}
    return {"name": name, **told, "grade": signal.grade.upper() if signal.grade else None}


def _summary_data(signals: Sequence[Named]) -> dict[str, Any]:
    return {
        "signals": [_one(*one) for one in signals],
        "completed": len(_done(signals)),
        "failed": len(_failed(signals)),
        "total_size": _total(signals),
    }


_LINES: dict[Action, Callable[[Sequence[Named]], list[str]]] = {
    Action.SUMMARY: lambda signals: [_summary_line(*one) for one in signals] or ["No signals"],
    Action.COUNT: lambda signals: [str(len(_done(signals)))],
    Action.FAILURES: lambda signals: (
        [
            f"{clean_line(name)}: {clean_line(one.error) or 'no reason given'}"
            for name, one in _failed(signals)
        ]
        or ["No failures"]
    ),
    Action.PATHS: lambda signals: [clean_line(path) for path in _paths(signals)],
    Action.SIZES: lambda signals: [f"{clean_line(name)}: {one.size}" for name, one in _done(signals)],
    Action.TOTAL_SIZE: lambda signals: [str(_total(signals))],
}
_DATA: dict[Action, Callable[[Sequence[Named]], dict[str, Any]]] = {
    Action.SUMMARY: _summary_data,
    Action.COUNT: lambda signals: {"count": len(_done(signals))},
    Action.FAILURES: lambda signals: {
        "failures": [{"name": name, "error": one.error} for name, one in _failed(signals)]
    },
    Action.PATHS: lambda signals: {"paths": _paths(signals)},
    Action.SIZES: lambda signals: {"sizes": {name: one.size for name, one in _done(signals)}},
    Action.TOTAL_SIZE: lambda signals: {"total_size": _total(signals)},
}
