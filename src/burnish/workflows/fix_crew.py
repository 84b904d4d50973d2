"""Who plans, repairs and checks in the fix pipeline, and what it is asked to do."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from burnish.model.assessment import Analysis
from burnish.model.gate import GateResult
from burnish.model.review import Finding
from burnish.ports import Agent, Clock, CodeFixer, Desks, Gate, Workspaces
from burnish.prompts.book import PromptBook
from burnish.workflows.batching import BATCH_SIZE

MAX_ATTEMPTS = 3
PLANNERS_AT_ONCE = 10
GROUPS_AT_ONCE = 3


class Recheck(Protocol):
    """Runs the analysers once more over some files of a tree: how we know that a rule no longer fires."""

    async def __call__(self, tree: str, files: tuple[str, ...]) -> tuple[Analysis, ...]: ...


class Weaker(Protocol):
    """What is looked at where there is no gate: do the files compile, do their imports resolve."""

    @property
    def name(self) -> str: ...
    async def broken(self, tree: str, files: tuple[str, ...]) -> tuple[str, ...]:
        """What is wrong with these files, one line each and without line numbers; empty when nothing is."""
        ...


@dataclass(frozen=True)
class FixTask:
    """Findings to repair from a commit on. `cycle` tells several passes of one run apart."""

    findings: tuple[Finding, ...]
    start: str
    start_tree: str
    batch_size: int = BATCH_SIZE
    max_attempts: int = MAX_ATTEMPTS
    unsafe: bool = False
    cycle: int = 1


@dataclass(frozen=True)
class FixTimes:
    plan_s: float = 1800
    fix_s: float = 1200


@dataclass(frozen=True)
class FixCrew:
    """`planners` are tried in turn, none means from code; `fixers` work without a model, `agent` with one.

    Without `degrade`, a batch none of the planners could plan has failed. `model` is for the agent.
    """

    workspaces: Workspaces
    recheck: Recheck
    desks: Desks
    clock: Clock
    prompts: PromptBook = field(default_factory=PromptBook)
    fixers: tuple[CodeFixer, ...] = ()
    agent: Agent | None = None
    planners: tuple[Agent, ...] = ()
    degrade: bool = True
    gate: Gate | None = None
    weaker: Weaker | None = None
    times: FixTimes = FixTimes()
    model: str = ""


@dataclass(frozen=True)
class Standing:
    """Where a line of commits stands, what the gate said about its tree, and which findings it has fixed."""

    commit: str
    tree: str
    gate: GateResult | None = None
    fixed: frozenset[str] = frozenset()
