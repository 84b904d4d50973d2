"""The seams of Burnish: what the loop needs, and what adapters provide."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol, TypeVar

from burnish.model.agent import Reply, Request
from burnish.model.assessment import Analysis
from burnish.model.change import Change, Failure, Snapshot
from burnish.model.decision import Decision
from burnish.model.events import Recorded
from burnish.model.gate import GateResult
from burnish.model.history import History, Skipped
from burnish.model.judges import Judged, Judges
from burnish.model.ledger import LedgerEntry, LedgerState, Sighting
from burnish.model.review import Finding, Review, Severity
from burnish.model.step import Step

T = TypeVar("T")
Carrier = Literal["report", "message", "tool"]


class AgentSession(Protocol):
    """One conversation with an agent. `wait` gives None when the time is up and the agent still works."""

    async def spawn(self, request: Request) -> None: ...
    async def wait(self, timeout_s: float) -> Reply | None: ...
    async def send(self, text: str) -> None: ...
    async def close(self) -> None: ...


class Agent(Protocol):
    """A program that takes a prompt and answers. `session()` starts fresh each time."""

    @property
    def name(self) -> str: ...
    def check(self) -> None:
        """Raises AgentError when it cannot work here: asked before a run costs anything."""
        ...

    def session(self) -> AgentSession: ...


@dataclass(frozen=True)
class Asking:
    """What a contract may put into its instructions and needs for its verdict."""

    cycle: int = 1
    report: Path | None = None
    fail_on: Severity = Severity.HIGH
    ids: Mapping[str, str] | None = None


class Contract(Protocol):
    """The form a reviewer's answer must have: what the prompt says, and the parser of what comes back."""

    @property
    def name(self) -> str: ...
    @property
    def carrier(self) -> Carrier: ...
    def instructions(self, asking: Asking) -> str: ...
    def schema(self, asking: Asking) -> Mapping[str, Any] | None:
        """The same form as JSON Schema, for agents that can be held to one; None where it has none."""
        ...

    def parse(self, reply: Reply) -> Review:
        """Raises ContractViolation. Never anything else, whatever the text."""
        ...


class Policy(Protocol):
    """Pure: the same history always gives the same decision."""

    def decide(self, history: History) -> Decision: ...


class Run(Protocol):
    """One durable attempt. A finished step is remembered, so resuming is calling the workflow again."""

    @property
    def id(self) -> str: ...

    async def do(self, step: Step, work: Callable[..., Awaitable[T]], *args: object) -> T:
        """The remembered result of `step`, else that of `work(*args)`, written with its event at once."""
        ...

    async def intend(self, step: Step, change: Change) -> None:
        """Remember what is about to be committed, so that a crash after it can be reconciled."""
        ...

    async def intended(self, step: Step) -> Change | None: ...

    async def note(self, key: str, text: str) -> None:
        """Tell people something, once per run and key."""
        ...


class Workspace(Protocol):
    """A private checkout an agent may work in. It has no remote and nothing of the user's repository."""

    @property
    def path(self) -> Path: ...
    async def snapshot(self) -> Snapshot: ...
    async def restore(self, tree: str) -> None: ...


@dataclass(frozen=True)
class Diff:
    """The text between two trees, and the files in it; `left_out` names what did not fit."""

    text: str
    files: tuple[str, ...]
    left_out: tuple[str, ...] = ()


@dataclass(frozen=True)
class Touched:
    """Which paths differ between two trees: those of the first that were edited or deleted, and new ones."""

    edited: tuple[str, ...] = ()
    added: tuple[str, ...] = ()


class Workspaces(Protocol):
    """The git side of one run: checkouts, and the run's own line of commits."""

    def open(self, tree: str, label: str) -> AbstractAsyncContextManager[Workspace]: ...
    async def commit(self, tree: str, parent: str, message: str) -> str: ...
    async def advance(self, new: str, old: str) -> None:
        """Move the run's head by compare-and-swap; moving it to where it is already is fine."""
        ...

    async def head(self) -> str: ...
    async def keep(self, tree: str, label: str) -> str:
        """Keep a tree that belongs to no commit under a ref, and name that ref and where it is."""
        ...

    async def last_subject(self, workspace: Path) -> str:
        """The subject of the newest commit an agent made in its own workspace, if any."""
        ...

    async def diff(self, before: str, after: str, cap: int) -> Diff: ...
    async def touched(self, before: str, after: str) -> Touched: ...
    async def judge_tree(self, tree: str, base: str, judges: Judges) -> Judged:
        """The tree with the base's version of each judge, and without those that the base does not have."""
        ...

    async def carry(self, onto: str, before: str, after: str) -> tuple[str, tuple[str, ...]]:
        """`onto` with what changed from `before` to `after`; or untouched, and the paths both changed."""
        ...


@dataclass(frozen=True)
class Desk:
    """Where files pass between Burnish and an agent: the inbox to read, the outbox to write."""

    inbox: Path
    outbox: Path


class Desks(Protocol):
    def lay(self, step: Step, files: Mapping[str, str]) -> Desk:
        """A fresh desk for a step: the inbox holds `files`, the outbox is empty."""
        ...

    def session(self, key: str) -> Path:
        """Where the session of an agent is kept that worked in the step of this key."""
        ...


class Gate(Protocol):
    """A check on a tree; `base` is where judge files (tests, CI, lint configuration) come from."""

    @property
    def command(self) -> str: ...
    async def check(self, tree: str, base: str) -> GateResult: ...


class Hands(Protocol):
    """Whoever carries out what a policy decides: a crew of agents, or a panel with its fix pipeline."""

    async def implement(self, run: Run, history: History) -> Change | Failure: ...
    async def gate(self, run: Run, history: History) -> History: ...
    async def review(self, run: Run, history: History) -> Review | Failure | Skipped: ...
    async def fix(self, run: Run, history: History) -> Change | Failure: ...


class Lander(Protocol):
    """Brings commits and trees to the user's repository; refuses with WorkspaceError, changing nothing."""

    async def branch(self, commit: str, name: str) -> str:
        """Create a branch there; its name, which differs from `name` when that one is taken."""
        ...

    async def move(self, name: str, new: str, old: str) -> None:
        """Move an existing branch from `old` to `new`, unless it is checked out or somebody moved it."""
        ...

    async def apply(self, before: str, after: str) -> None:
        """Turn the user's files from tree `before` into tree `after`, only if they still are `before`."""
        ...


class Trees(Protocol):
    """What a repository says about commits and trees; None or empty where it does not have them."""

    async def tree_of(self, commit: str) -> str | None: ...
    async def raw_diff(self, before: str, after: str) -> bytes | None: ...
    async def message_of(self, commit: str) -> str: ...


@dataclass(frozen=True)
class Source:
    """A tree's files laid out in a folder to be read, by path; nothing of it may be executed."""

    root: Path
    tree: str


class Analyser(Protocol):
    """A program or a piece of code that finds defects by reading. One tool a file."""

    @property
    def name(self) -> str: ...
    def missing(self) -> str:
        """Why it cannot work here; empty when it can."""
        ...

    def wants(self, files: tuple[str, ...]) -> tuple[str, ...]:
        """The files among these that it can judge."""
        ...

    async def analyse(self, source: Source, files: tuple[str, ...]) -> Analysis:
        """Never raises for what a tool does: a crash, a timeout or garbage is an Analysis that failed."""
        ...


class CodeFixer(Protocol):
    """Repairs one finding by editing the files of a workspace, without a model."""

    @property
    def name(self) -> str: ...
    def can(self, finding: Finding, *, unsafe: bool = False) -> bool: ...
    async def fix(self, finding: Finding, workspace: Path) -> str:
        """What it did in a few words; why it changed nothing, or nothing, where it did not."""
        ...


class Ledger(Protocol):
    """What is known of each finding of this repository, by fingerprint."""

    async def entries(self) -> Mapping[str, LedgerEntry]: ...
    async def see(self, sighting: Sighting) -> None:
        """Record what a review saw. Open findings where it looked that are gone become fixed."""
        ...

    async def decide(self, fingerprint: str, state: LedgerState, by: str, why: str) -> LedgerEntry: ...


Listener = Callable[[Recorded], None]


@dataclass(frozen=True)
class Sandbox:
    """What a child may see and reach. Everything not named is read-only; the home folder is hidden.

    In a folder of `kept` new files can be made, and nothing that is there can be changed. `nests`: a sandbox
    of the child's own can be started inside.
    """

    writable: tuple[Path, ...] = ()
    kept: tuple[Path, ...] = ()
    readable: tuple[Path, ...] = ()
    hidden: tuple[Path, ...] = ()
    home_paths: tuple[Path, ...] = ()
    sockets: tuple[Path, ...] = ()
    network: bool = True
    nests: bool = False


class Dispatch(Protocol):
    """Where runs execute: in this process, or on workers."""

    async def submit(self, run_id: str, work: Callable[[], Awaitable[int]]) -> int: ...
    async def cancel(self, run_id: str) -> None: ...


class Clock(Protocol):
    """Time as a port, so that jumps can be tested. Deadlines use `monotonic` only."""

    def now(self) -> str: ...
    def monotonic(self) -> float: ...
