"""What the runner in the project's interpreter is asked, and what it tells back: text that is only data."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from burnish.errors import BurnishError

MOST_CHARS = 64 * 1024 * 1024
PASSED, SKIPPED = "passed", "skipped"


@dataclass(frozen=True)
class Replacement:
    """Bytes of a file that become others."""

    start: int
    end: int
    text: bytes


Edits = Mapping[str, tuple[Replacement, ...]]


@dataclass(frozen=True)
class Job:
    """A run of some tests (all where none are named) with some files changed.

    `traced` are files whose lines are to be told by test. Limits of 0 are none.
    """

    limit_s: float
    cpu_limit_s: float = 0.0
    edits: Edits = field(default_factory=dict)
    tests: tuple[str, ...] = ()
    traced: tuple[str, ...] = ()
    stop_first: bool = False
    test_limit_s: float = 0.0
    memory_bytes: int = 0

    def written(self) -> bytes:
        told = {
            "edits": [
                (name, [(one.start, one.end, one.text) for one in changes])
                for name, changes in self.edits.items()
            ],
            "tests": list(self.tests),
            "traced": list(self.traced),
            "stop_first": self.stop_first,
            "limit_s": self.limit_s,
            "cpu_limit_s": self.cpu_limit_s,
            "test_limit_s": self.test_limit_s,
            "memory_bytes": self.memory_bytes,
        }
        return ascii(told).encode("ascii")


@dataclass(frozen=True)
class Ran:
    """One test: `frames` is the way to where it failed, outermost first, within the project."""

    test: str
    outcome: str
    duration_s: float = 0.0
    said: str = ""
    frames: tuple[tuple[str, int], ...] = ()

    @property
    def passed(self) -> bool:
        return self.outcome == PASSED

    @property
    def hung(self) -> bool:
        """It was stopped by our own signal (burnish_search_server.TooLong)."""
        return self.failed and "TooLong" in self.said

    @property
    def failed(self) -> bool:
        return self.outcome not in (PASSED, SKIPPED)


@dataclass(frozen=True)
class Told:
    """`lines` are those that each test ran, by file; "" stands for what loading the files ran.

    `judges` are files that tests were seen to be in; `left` are their functions, and whether by themselves
    or by an exception.
    """

    ran: Mapping[str, Ran] = field(default_factory=dict)
    lines: Mapping[str, Mapping[str, frozenset[int]]] = field(default_factory=dict)
    collected: tuple[str, ...] = ()
    finished: bool = False
    duration_s: float = 0.0
    memory_bytes: int = 0
    cpu_s: float = 0.0
    judges: frozenset[str] = frozenset()
    left: Mapping[str, bool] = field(default_factory=dict)

    @property
    def failing(self) -> tuple[str, ...]:
        return tuple(name for name, one in self.ran.items() if one.failed)

    @property
    def passing(self) -> tuple[str, ...]:
        return tuple(name for name, one in self.ran.items() if one.passed)

    def passes(self, tests: Iterable[str]) -> bool:
        return all((one := self.ran.get(name)) is not None and one.passed for name in tests)


class NotServed(BurnishError):
    """The test command takes no jobs, or not any more."""


class Worker(Protocol):
    """Does jobs in a copy of the workspace. Without `selects` it runs all tests, whichever are asked for."""

    selects: bool

    async def do(self, job: Job) -> Told:
        """What came of it; raises NotServed where nothing can."""
        ...


def read_told(data: bytes) -> Told:
    """Whatever is not in our form is left out: the project's own code could have written there."""
    ran: dict[str, Ran] = {}
    lines: dict[str, Mapping[str, frozenset[int]]] = {}
    collected: list[str] = []
    judges: set[str] = set()
    left: dict[str, bool] = {}
    finished, duration_s, memory, cpu_s = False, 0.0, 0, 0.0
    for record in _records(data[:MOST_CHARS].decode("ascii", "replace")):
        match record:
            case ("test", str(name), str(outcome), float(took), str(said), list(frames)):
                _take(ran, Ran(name, outcome, took, said, _frames(frames)))
            case ("lines", str(name), dict(found)):
                lines[name] = _joined(lines.get(name, {}), found)
            case ("left", str(name), bool(ended)):
                left[name] = ended and left.get(name, True)
            case ("judge", str(name)):
                judges.add(name)
            case ("collected", str(name)):
                collected.append(name)
            case ("used", int(memory), float(cpu_s)):
                pass
            case ("finished",):
                finished = True
            case ("end", bool(), int(), float(duration_s)):
                pass
    return Told(ran, lines, tuple(collected), finished, duration_s, memory, cpu_s, frozenset(judges), left)


def _joined(known: Mapping[str, frozenset[int]], found: dict[object, object]) -> dict[str, frozenset[int]]:
    """A test that several processes run has the lines of all of them."""
    joined = dict(known)
    for file, some in found.items():
        if isinstance(file, str) and isinstance(some, list):
            joined[file] = joined.get(file, frozenset()) | {line for line in some if isinstance(line, int)}
    return joined


def _take(ran: dict[str, Ran], one: Ran) -> None:
    """A test that passed and could not be cleaned up after has failed."""
    known = ran.get(one.test)
    if known is None or not known.failed:
        ran[one.test] = one


def _frames(found: list[object]) -> tuple[tuple[str, int], ...]:
    return tuple((file, line) for entry in found for file, line in [_frame(entry)] if file)


def _frame(entry: object) -> tuple[str, int]:
    match entry:
        case (str(file), int(line)):
            return file, line
    return "", 0


def _records(text: str) -> Iterable[object]:
    for line in text.split("\n"):
        if line:
            try:
                yield ast.literal_eval(line)
            except (ValueError, SyntaxError, RecursionError, MemoryError, TypeError):
                continue
